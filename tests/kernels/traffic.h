// What each kernel moves to and from device memory against the least possible: each input read
// once, each output written once. The emulator counts sectors of 32 bytes behind a cache: an access
// to a sector counts unless it was touched within the last 64 KiB of traffic of the same launch.
// Blocks run one after another, so that a repeated read is free where one block, or the next few,
// repeat it: a line of an image that the windows of the line below read again, the weights that
// every block reads. A GPU has that much and more for each block that runs at a time: 64 to 256 KiB
// of L1 a multiprocessor and 100 to 400 KiB of L2 beside it. What a whole array's length lies
// between, as a second pass over the data, counts again, though a large L2 may hold it.
#pragma once

#include <functional>

#include "tests/kernels/kernel_test.h"

namespace strata::kernels::testing {

inline constexpr cuda_emulator::Counting in_turn{.cache = std::size_t{64} << 10};
// Blocks that walk over the same data do so side by side, as on a GPU, and have the 64 KiB
// together.
inline constexpr cuda_emulator::Counting side_by_side{.cache = in_turn.cache, .blocks_at_once = 16};
inline constexpr double most = 1.3;

class TrafficTest : public ::testing::Test {
public:
    // The bytes that all launches of `run` move.
    static double moved(const std::function<cudaError_t()>& run,
                        const cuda_emulator::Counting& counting) {
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        cuda_emulator::keep_launches(counting);
        EXPECT_EQ(run(), cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << cuda_emulator::take_fault();
        std::uint64_t bytes = 0;
        for (const auto& launch : cuda_emulator::take_launches())
            bytes += launch.read + launch.written;
        cuda_emulator::keep_launches({});
        return static_cast<double>(bytes);
    }
    // The launches of `run`, each with the bytes that it has to move.
    static void expect_least(const char* what, const std::function<cudaError_t()>& run,
                             const std::vector<std::size_t>& least,
                             const cuda_emulator::Counting& counting = in_turn) {
        SCOPED_TRACE(what);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        cuda_emulator::keep_launches(counting);
        ASSERT_EQ(run(), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << cuda_emulator::take_fault();
        const auto launches = cuda_emulator::take_launches();
        cuda_emulator::keep_launches({});
        ASSERT_EQ(launches.size(), least.size()) << "launches";
        for (std::size_t i = 0; i < least.size(); ++i) {
            const auto moved = static_cast<double>(launches[i].read + launches[i].written);
            EXPECT_LE(moved, most * static_cast<double>(least[i])) << "launch " << i;
            // What no window or image reaches is not read.
            EXPECT_GE(moved, 0.9 * static_cast<double>(least[i])) << "launch " << i;
            std::printf("%-28s launch %zu: %9.0f bytes, %.3f of the least\n", what, i, moved,
                        moved / static_cast<double>(least[i]));
        }
    }

protected:
    void SetUp() override {
        cuda_emulator::set_machine({});
        if (!cuda_emulator::watches_kernels())
            GTEST_SKIP() << "A sanitizer watches this build, the emulator does not";
    }
    void TearDown() override { cuda_emulator::keep_launches({}); }

    // Of an array, in whole sectors.
    static std::size_t bytes(std::size_t elements, std::size_t size) {
        return (elements * size + 31) / 32 * 32;
    }
    static std::size_t floats_of(std::size_t elements) { return bytes(elements, 4); }
};

}  // namespace strata::kernels::testing
