// How the CUDA backend asks cuBLASLt for its algorithms.
#include <cuda_emulator.h>
#include <gtest/gtest.h>

#include "tests/engine/backends/cuda/both.h"

namespace strata::test {
namespace {

// How often a product (m, k) x (k, n) with relu makes the backend ask.
std::size_t queries_of(std::int64_t m, std::int64_t k, std::int64_t n) {
    const std::size_t before = cuda_emulator::algorithm_queries();
    Both both(ops::Matmul{false, false, true, {ops::ActivationKind::relu, 1.0F}});
    both.random_input({m, k}).random_input({k, n}).random_input({n}).output({m, n}).expect_equal();
    return cuda_emulator::algorithm_queries() - before;
}

TEST(CudaProducts, TheAlgorithmOfAShapeIsAskedForOnce) {
    EXPECT_GT(queries_of(13, 29, 17), 0U);
    EXPECT_EQ(queries_of(13, 29, 17), 0U);
    EXPECT_GT(queries_of(29, 13, 17), 0U);
}

}  // namespace
}  // namespace strata::test
