// How the CUDA backend asks cuBLASLt for its algorithms.
#include <cuda_emulator.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/backends/cuda/both.h"
#include "tests/engine/core/error_of.h"

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

// Operands elsewhere are refused by their product: the algorithm would read across them.
TEST(CudaProducts, AnAlgorithmForWideAddressesGetsNoOthers) {
    cuda_emulator::Machine machine;
    machine.only_wide_products = true;
    cuda_emulator::set_machine(machine);
    const auto product = [](std::int64_t columns) {
        Both both(ops::Matmul{});
        both.random_input({12, 20}).random_input({20, columns}).output({12, columns});
        return both;
    };
    EXPECT_NO_FATAL_FAILURE(product(24).expect_equal());
    const Error error = testing::error_of([&] { product(28).misaligned().expect_equal(); });
    cuda_emulator::set_machine({});
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_THAT(error.message(), ::testing::HasSubstr("only at addresses that 16 divides"));
}

}  // namespace
}  // namespace strata::test
