#include "op_case.h"

#include <cmath>
#include <random>

#include "engine/backends/cpu/backend.h"

namespace strata::test {
namespace {

ops::Backend& backend() {
    static const std::shared_ptr<ops::Backend> made = cpu::make_cpu_backend();
    return *made;
}

}  // namespace

OpCase::OpCase(ops::Attributes attributes, int threads) : attributes_(std::move(attributes)) {
    device::DeviceOptions options;
    options.threads = threads;
    device_ = backend().open(0, options);
}

OpCase::~OpCase() {
    for (void* memory : memory_) device_->release(memory);
}

Tensor OpCase::make(const Shape& shape, DType dtype) {
    Tensor tensor{nullptr, dtype, shape};
    tensor.data = device_->allocate(std::max<std::size_t>(tensor.bytes(), 1));
    memory_.push_back(tensor.data);
    return tensor;
}

OpCase& OpCase::run(const ops::StepScalars& scalars, int times) {
    const auto unbound = [](std::vector<Tensor> tensors) {
        for (Tensor& tensor : tensors) tensor.data = nullptr;
        return tensors;
    };
    const auto kernel =
        backend().prepare(*device_, attributes_, unbound(inputs_), unbound(outputs_));
    const std::size_t bytes = kernel->workspace_bytes();
    void* workspace = nullptr;
    if (bytes > 0) {
        workspace = device_->allocate(bytes);
        memory_.push_back(workspace);
        std::memset(workspace, 0xFF, bytes);
    }
    kernel->bind(inputs_, outputs_, workspace);
    for (int i = 0; i < times; ++i) kernel->run(scalars);
    return *this;
}

Floats random_floats(std::int64_t count, unsigned seed, float low, float high) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> distribution(low, high);
    Floats values(static_cast<std::size_t>(count));
    for (float& value : values) value = distribution(random);
    return values;
}

Doubles to_doubles(const Floats& values) {
    return {values.begin(), values.end()};
}

void expect_close(const Floats& actual, const Doubles& expected, double tolerance,
                  const std::string& what) {
    ASSERT_EQ(actual.size(), expected.size()) << what;
    std::size_t wrong = 0, worst = 0;
    double largest = -1.0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double distance = std::fabs(static_cast<double>(actual[i]) - expected[i]);
        const double relative = distance / (1.0 + std::fabs(expected[i]));
        if (relative <= tolerance) continue;
        ++wrong;
        if (std::isnan(relative) || relative > largest) {
            largest = relative;
            worst = i;
        }
    }
    EXPECT_EQ(wrong, 0U) << what << ": element " << worst << " of " << actual.size() << " is "
                         << actual[worst] << ", expected " << expected[worst];
}

}  // namespace strata::test
