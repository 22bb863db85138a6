#include "tests/engine/backends/cuda/both.h"

#include <cmath>

#include "engine/backends/cpu/backend.h"
#include "engine/backends/cuda/backend.h"

namespace strata::test {
namespace {

std::vector<double> to_doubles(const Tensor& tensor, const std::vector<unsigned char>& bytes) {
    std::vector<double> values;
    const auto convert = [&]<typename T>(T) {
        std::vector<T> typed(bytes.size() / sizeof(T));
        if (!bytes.empty()) std::memcpy(typed.data(), bytes.data(), bytes.size());
        if constexpr (std::is_same_v<T, BFloat16> || std::is_same_v<T, Float16>)
            for (T x : typed) values.push_back(static_cast<double>(to_float(x)));
        else
            values.assign(typed.begin(), typed.end());
    };
    if (tensor.dtype == DType::float32) convert(float{});
    if (tensor.dtype == DType::bfloat16) convert(BFloat16{});
    if (tensor.dtype == DType::float16) convert(Float16{});
    if (tensor.dtype == DType::float64) convert(double{});
    if (tensor.dtype == DType::int32) convert(std::int32_t{});
    if (tensor.dtype == DType::uint8) convert(std::uint8_t{});
    return values;
}

}  // namespace

ops::Backend& cpu_backend() {
    static const std::shared_ptr<ops::Backend> made = cpu::make_cpu_backend();
    return *made;
}

std::vector<float> random_floats(std::int64_t count, std::uint32_t stream, float low, float high) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto words = random::draw(11, stream, 0, static_cast<std::uint64_t>(i));
        values.push_back(low + (high - low) * random::uniform(words[0]));
    }
    return values;
}

std::vector<std::int32_t> labels_below(std::int64_t count, std::int32_t classes) {
    std::vector<std::int32_t> labels;
    for (std::int64_t i = 0; i < count; ++i)
        labels.push_back(static_cast<std::int32_t>((7 * i + 2) % classes));
    return labels;
}

Both& Both::random_input(const Shape& shape, float low, float high) {
    return random_input_of(DType::float32, shape, low, high);
}

Both& Both::random_input_of(DType type, const Shape& shape, float low, float high) {
    const auto stream = static_cast<std::uint32_t>(inputs_.size() + 1);
    const std::vector<float> values = random_floats(shape.elements(), stream, low, high);
    if (type == DType::float32) return input(shape, values);
    std::vector<BFloat16> wide;
    std::vector<Float16> half;
    for (const float x : values) {
        wide.push_back(to_bfloat16(x));
        half.push_back(to_float16(x));
    }
    return type == DType::bfloat16 ? input(shape, wide) : input(shape, half);
}

Both& Both::output_of(DType type, const Shape& shape) {
    Operand made{{nullptr, type, shape}, {}};
    made.bytes.assign(made.tensor.bytes(), 0xFF);
    outputs_.push_back(std::move(made));
    return *this;
}

std::vector<std::vector<double>> Both::run(ops::Backend& backend, const ops::StepScalars& scalars,
                                           int times) const {
    device::DeviceOptions options;
    options.threads = 2;
    options.memory_limit = memory_limit_;
    const auto device = backend.open(0, options);
    std::vector<void*> memory;
    const auto allocate = [&](std::size_t bytes) {
        memory.push_back(device->allocate(bytes + 64));
        return static_cast<char*>(memory.back()) + (misaligned_ ? 4 : 0);
    };
    std::vector<Tensor> inputs, outputs, unbound_inputs, unbound_outputs;
    for (const Operand& o : inputs_) {
        unbound_inputs.push_back(o.tensor);
        inputs.push_back(o.tensor);
        inputs.back().data = allocate(o.bytes.size());
        device->copy_in(inputs.back().data, o.bytes.data(), o.bytes.size());
    }
    for (const Operand& o : outputs_) {
        unbound_outputs.push_back(o.tensor);
        outputs.push_back(o.tensor);
        if (o.alias >= 0) {
            outputs.back().data = inputs[static_cast<std::size_t>(o.alias)].data;
            continue;
        }
        outputs.back().data = allocate(o.bytes.size());
        device->copy_in(outputs.back().data, o.bytes.data(), o.bytes.size());
    }
    const auto kernel = backend.prepare(*device, attributes_, unbound_inputs, unbound_outputs);
    void* workspace = nullptr;
    if (kernel->workspace_bytes() > 0) {
        memory.push_back(device->allocate(kernel->workspace_bytes() + 64));
        workspace = static_cast<char*>(memory.back()) + 64;  // as little aligned as it may be
    }
    kernel->bind(inputs, outputs, workspace);
    for (int i = 0; i < times; ++i) kernel->run(scalars);
    device->synchronize();
    std::vector<std::vector<double>> results;
    for (const auto* tensors : {&outputs, &inputs})
        for (const Tensor& tensor : *tensors) {
            std::vector<unsigned char> bytes(tensor.bytes());
            device->copy_out(bytes.data(), tensor.data, bytes.size());
            results.push_back(to_doubles(tensor, bytes));
        }
    for (void* block : memory) device->release(block);
    return results;
}

void Both::expect_equal(double tolerance, const ops::StepScalars& scalars, int times) const {
    const auto want = run(cpu_backend(), scalars, times);
    const auto got = run(cuda::cuda_backend(), scalars, times);
    for (std::size_t k = 0; k < want.size(); ++k) {
        const std::string what = k < outputs_.size()
                                     ? "output " + std::to_string(k)
                                     : "input " + std::to_string(k - outputs_.size());
        ASSERT_EQ(got[k].size(), want[k].size());
        for (std::size_t i = 0; i < want[k].size(); ++i) {
            if (got[k][i] == want[k][i] || (std::isnan(got[k][i]) && std::isnan(want[k][i])))
                continue;
            ASSERT_LE(std::fabs(got[k][i] - want[k][i]), tolerance * (1.0 + std::fabs(want[k][i])))
                << ops::name_of(attributes_) << ": " << what << "[" << i << "] of "
                << want[k].size() << ", CUDA " << got[k][i] << ", CPU " << want[k][i];
        }
    }
}

}  // namespace strata::test
