// The steady state allocates nothing: operator new of this program counts.
// Sanitizers have an operator new of their own, so that there is nothing to count with them.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>

#include "engine/data/pipeline.h"
#include "engine/layers/augmentation.h"
#include "tests/engine/data/picture_source.h"

namespace {
std::atomic<long> allocations{0};
}

// Not inlined, so that the compiler does not see malloc on one side alone.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    ++allocations;
    void* memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace strata::data {
namespace {

TEST(Pipeline, AllocatesNothingInTheSteadyState) {
    PipelineOptions options;
    options.batch_size = 8;
    options.map_threads = 3;
    options.cache = true;
    for (const char* type : {"RandomFlip", "RandomContrast", "RandomZoom"}) {
        Json config = Json::object();
        if (std::string(type) == "RandomContrast") config["factor"] = 0.2;
        if (std::string(type) == "RandomZoom") config["height_factor"] = 0.2;
        options.map.push_back(
            {type, layers::checked_augmentation(layers::find_augmentation(type), config)});
    }
    std::vector<std::int64_t> rows(404);
    std::iota(rows.begin(), rows.end(), 0);
    Pipeline pipeline(std::make_shared<testing::PictureSource>(404), rows, options);
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
        pipeline.start_epoch(epoch);
        for (int i = 0; i < 10; ++i) ASSERT_NE(pipeline.next(), nullptr);
        const long before = allocations;
        while (pipeline.next() != nullptr) {
        }
        EXPECT_EQ(allocations - before, 0) << "in epoch " << epoch;
    }
}

}  // namespace
}  // namespace strata::data
#endif
