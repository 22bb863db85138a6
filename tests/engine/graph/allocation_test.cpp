// Nothing is allocated in a step: operator new of this program counts. oneDNN's own small
// bookkeeping, which comes from its library, is bounded instead.
// Sanitizers have an operator new of their own, so that there is nothing to count with them.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"

namespace {

std::atomic<long> allocations{0};    // by the engine
std::atomic<long> library_bytes{0};  // by shared libraries

const void* module_of(const void* address) {
    Dl_info info{};
    return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

void* counted(std::size_t bytes, std::size_t alignment, const void* caller) {
    static const void* const engine = module_of(reinterpret_cast<const void*>(&module_of));
    if (module_of(caller) == engine)
        ++allocations;
    else
        library_bytes += static_cast<long>(bytes);
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
    return counted(bytes, alignof(std::max_align_t), __builtin_return_address(0));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return counted(bytes, static_cast<std::size_t>(alignment), __builtin_return_address(0));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace strata::graph {
namespace {

// In a step, an evaluation and a prediction: less than any tensor of these models' batches.
constexpr long most_library_bytes = 64 << 10;

long allocations_of_steps(const Model& model, std::int64_t sample, std::int32_t classes,
                          const std::vector<std::string>& metrics) {
    constexpr std::int64_t batch = 16;
    const TrainingSetup setup =
        testing::setup_of("Adam", Json::object(), "sparse_categorical_crossentropy", metrics);
    Executor executor(model, &setup, testing::options_of(batch));
    executor.initialize(1);
    const auto x = strata::testing::random_values(batch * sample, 4);
    std::vector<std::int32_t> labels(batch, classes - 1);
    std::vector<float> outputs(static_cast<std::size_t>(batch * classes));
    const auto step = [&] {
        executor.train_step(x.data(), labels.data(), batch, testing::scalars_of(0.001F));
        executor.evaluate(x.data(), labels.data(), batch);
        executor.predict(x.data(), batch, outputs.data());
    };
    step();
    const long before = allocations, bytes_before = library_bytes;
    for (int i = 0; i < 5; ++i) step();
    EXPECT_LT(library_bytes - bytes_before, 5 * most_library_bytes);
    return allocations - before;
}

TEST(Allocations, AreCounted) {
    const long before = allocations;
    const std::vector<int> some(100);
    EXPECT_EQ(allocations - before, 1) << some.size();
}

TEST(Allocations, NoneInAStep) {
    EXPECT_EQ(allocations_of_steps(testing::classic(), 784, 10, {}), 0);
    EXPECT_EQ(allocations_of_steps(testing::cnn(), 784, 10, {}), 0);
    EXPECT_EQ(allocations_of_steps(testing::branches(), 72, 3, {}), 0);
}

// The sums of the metrics are handed back in a vector: one for each result that has them.
TEST(Allocations, AResultWithMetricsIsOne) {
    EXPECT_EQ(allocations_of_steps(testing::cnn(), 784, 10, {"accuracy"}), 10);
}

}  // namespace
}  // namespace strata::graph

#endif
