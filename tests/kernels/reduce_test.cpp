// Column sums and the sum of squares: any shape, infinities.
#include "kernels/reduce.h"

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

class ReduceKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, ReduceKernel, both_orders(), order_name);

TEST_P(ReduceKernel, ColumnSums) {
    const std::pair<std::int64_t, std::int64_t> shapes[] = {
        {0, 5},    {1, 1},     {31, 33},  {129, 31}, {1000, 10}, {257, 65}, {700, 3},
        {300, 36}, {130, 64},  {9000, 1}, {5, 16},   {519, 16},  {483, 17}, {257, 32},
        {3, 64},   {8400, 64}, {131, 96}, {40, 320}, {0, 0}};
    for (const auto& [rows, cols] : shapes) {
        const std::vector<float> x = random_floats(static_cast<std::size_t>(rows * cols), 1);
        std::vector<double> want(static_cast<std::size_t>(cols), 0.0);
        for (std::size_t i = 0; i < x.size(); ++i) want[i % want.size()] += x[i];
        const DeviceArray<float> in(x), sums(want.size());
        const DeviceArray<char> workspace(column_sums_workspace_bytes(rows, cols));
        ASSERT_EQ(column_sums(sums.get(), in.get(), rows, cols, workspace.get(), nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(sums.read(), want, 1e-5)) << rows << " x " << cols;
    }
}

TEST_P(ReduceKernel, SumOfSquares) {
    for (std::size_t n : {0U, 1U, 33U, 257U, 4099U, 20011U}) {
        const std::vector<float> x = random_floats(n, 1, -3.0F, 3.0F);
        double want = 0.0;
        for (float v : x) want += double{v} * v;
        const DeviceArray<float> in(x);
        const DeviceArray<double> sum(1);
        const DeviceArray<std::int32_t> found(1);
        const auto count = static_cast<std::int64_t>(n);
        const DeviceArray<char> workspace(sum_of_squares_workspace_bytes(count));
        ASSERT_EQ(sum_of_squares(sum.get(), found.get(), in.get(), count, workspace.get(), nullptr),
                  cudaSuccess);
        EXPECT_NEAR(sum.value(), want, 1e-12 * want);
        EXPECT_EQ(found.value(), 0);
    }
}

TEST_P(ReduceKernel, SumOfSquaresOfHugeAndInfiniteValues) {
    const DeviceArray<double> sum(1);
    const DeviceArray<std::int32_t> found(1);
    const auto run = [&](const std::vector<float>& x) {
        const DeviceArray<float> in(x);
        const auto n = static_cast<std::int64_t>(x.size());
        const DeviceArray<char> workspace(sum_of_squares_workspace_bytes(n));
        ASSERT_EQ(sum_of_squares(sum.get(), found.get(), in.get(), n, workspace.get(), nullptr),
                  cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    };
    run(std::vector<float>(128, 1e19F));
    EXPECT_NEAR(std::sqrt(sum.value()) / 1.1313708e20, 1.0, 1e-6);
    EXPECT_EQ(found.value(), 0);
    std::vector<float> x(300, 1.0F);
    x[299] = INFINITY;
    run(x);
    EXPECT_TRUE(std::isinf(sum.value()));
    EXPECT_EQ(found.value(), 1);
    x[3] = NAN;
    run(x);
    EXPECT_TRUE(std::isnan(sum.value()));
    EXPECT_EQ(found.value(), 1);
}

}  // namespace
}  // namespace strata::kernels
