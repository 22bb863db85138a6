// softmax, log_softmax and sparsemax: short rows (lanes of a warp each) and long ones (a block
// each).
#include "kernels/softmax.h"

#include <algorithm>

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

constexpr RowActivation kinds[] = {RowActivation::softmax, RowActivation::log_softmax,
                                   RowActivation::sparsemax};
// Rows of every number of lanes, of which the last warp is not full, and of a block each.
constexpr std::pair<std::int64_t, std::int64_t> shapes[] = {
    {1, 1},    {5, 10}, {17, 31},  {9, 33},  {3, 257}, {2, 1024}, {3, 1025},
    {2, 2003}, {9, 40}, {2, 1104}, {77, 1},  {300, 2}, {65, 3},   {33, 4},
    {35, 5},   {19, 8}, {13, 16},  {21, 17}, {9, 21},  {7, 64},   {5, 100}};

// Martins and Astudillo's algorithm 1: sort, find the support, subtract its threshold.
std::vector<double> sparsemax(const std::vector<double>& z) {
    std::vector<double> sorted = z;
    std::sort(sorted.rbegin(), sorted.rend());
    double sum = 0.0;
    double tau = 0.0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        sum += sorted[k];
        if (1.0 + static_cast<double>(k + 1) * sorted[k] <= sum) break;
        tau = (sum - 1.0) / static_cast<double>(k + 1);
    }
    std::vector<double> y;
    for (double v : z) y.push_back(std::max(v - tau, 0.0));
    return y;
}

std::vector<double> row_forward(const std::vector<double>& z, RowActivation kind) {
    if (kind == RowActivation::sparsemax) return sparsemax(z);
    const double top = *std::max_element(z.begin(), z.end());
    double sum = 0.0;
    for (double v : z) sum += std::exp(v - top);
    std::vector<double> y;
    for (double v : z) {
        const double log_p = v - top - std::log(sum);
        y.push_back(kind == RowActivation::softmax ? std::exp(log_p) : log_p);
    }
    return y;
}

// dx = J^T dy with the Jacobian of each kind in terms of y.
std::vector<double> row_backward(const std::vector<double>& dy, const std::vector<double>& y,
                                 RowActivation kind) {
    double dot = 0.0, sum = 0.0, support_sum = 0.0, support = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        dot += dy[i] * y[i];
        sum += dy[i];
        if (y[i] > 0) support_sum += dy[i], support += 1.0;
    }
    std::vector<double> dx;
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (kind == RowActivation::softmax) dx.push_back(y[i] * (dy[i] - dot));
        if (kind == RowActivation::log_softmax) dx.push_back(dy[i] - std::exp(y[i]) * sum);
        if (kind == RowActivation::sparsemax)
            dx.push_back(y[i] > 0 ? dy[i] - support_sum / support : 0.0);
    }
    return dx;
}

template <class Row>
std::vector<double> over_rows(std::int64_t rows, std::int64_t cols, const Row& row) {
    std::vector<double> all;
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::vector<double> one = row(r * cols, (r + 1) * cols);
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

std::vector<double> part(const std::vector<float>& values, std::int64_t begin, std::int64_t end) {
    return {values.begin() + begin, values.begin() + end};
}

class SoftmaxKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, SoftmaxKernel, both_orders(), order_name);

TEST_P(SoftmaxKernel, ForwardInPlace) {
    for (RowActivation kind : kinds) {
        for (const auto& [rows, cols] : shapes) {
            const std::vector<float> x =
                random_floats(static_cast<std::size_t>(rows * cols), 1, -3.0F, 3.0F);
            const DeviceArray<float> data(x);
            ASSERT_EQ(row_activation_forward(data.get(), data.get(), rows, cols, kind, nullptr),
                      cudaSuccess);
            const auto want = over_rows(rows, cols, [&](std::int64_t b, std::int64_t e) {
                return row_forward(part(x, b, e), kind);
            });
            EXPECT_TRUE(near(data.read(), want, 3e-6))
                << rows << " x " << cols << ", kind " << static_cast<int>(kind);
        }
    }
}

TEST_P(SoftmaxKernel, BackwardInPlace) {
    for (RowActivation kind : kinds) {
        for (const auto& [rows, cols] : shapes) {
            const auto n = static_cast<std::size_t>(rows * cols);
            const std::vector<float> x = random_floats(n, 1, -3.0F, 3.0F);
            const std::vector<float> dy = random_floats(n, 2);
            const std::vector<float> y =
                floats(over_rows(rows, cols, [&](std::int64_t b, std::int64_t e) {
                    return row_forward(part(x, b, e), kind);
                }));
            const DeviceArray<float> gradient(dy), output(y);
            ASSERT_EQ(row_activation_backward(gradient.get(), gradient.get(), output.get(), rows,
                                              cols, kind, nullptr),
                      cudaSuccess);
            const auto want = over_rows(rows, cols, [&](std::int64_t b, std::int64_t e) {
                return row_backward(part(dy, b, e), part(y, b, e), kind);
            });
            EXPECT_TRUE(near(gradient.read(), want, 1e-5))
                << rows << " x " << cols << ", kind " << static_cast<int>(kind);
        }
    }
}

TEST_P(SoftmaxKernel, LargeLogitsAndNan) {
    const std::vector<float> x{1000.0F, 999.0F, -1000.0F, 0.0F, NAN, 1.0F};
    for (RowActivation kind : kinds) {
        const DeviceArray<float> data(x);
        ASSERT_EQ(row_activation_forward(data.get(), data.get(), 2, 3, kind, nullptr), cudaSuccess);
        const std::vector<float> y = data.read();
        EXPECT_TRUE(near({y.data(), 3}, row_forward({1000.0, 999.0, -1000.0}, kind), 1e-6));
        for (std::size_t i = 3; i < 6; ++i) EXPECT_TRUE(std::isnan(y[i])) << static_cast<int>(kind);
    }
}

// Rows that share a warp: what is odd in one stays there.
TEST_P(SoftmaxKernel, RowsBesideOddOnes) {
    constexpr std::size_t rows = 9, cols = 20;
    for (RowActivation kind : kinds) {
        std::vector<float> x = random_floats(rows * cols, 5, -3.0F, 3.0F);
        const auto run = [&] {
            const DeviceArray<float> data(x);
            EXPECT_EQ(row_activation_forward(data.get(), data.get(), rows, cols, kind, nullptr),
                      cudaSuccess);
            return data.read();
        };
        const std::vector<float> plain = run();
        x[2 * cols + 7] = NAN;
        for (std::size_t c = 0; c < cols; ++c) x[5 * cols + c] = -INFINITY;
        const std::vector<float> odd = run();
        for (std::size_t i = 0; i < plain.size(); ++i) {
            const std::size_t row = i / cols;
            if (row == 2) {
                EXPECT_TRUE(std::isnan(odd[i])) << i;
            } else if (row != 5) {
                EXPECT_EQ(odd[i], plain[i]) << i;
            }
        }
    }
}

TEST_P(SoftmaxKernel, NothingToDo) {
    EXPECT_EQ(row_activation_forward<float>(nullptr, nullptr, 0, 5, kinds[0], nullptr),
              cudaSuccess);
    EXPECT_EQ(row_activation_forward<float>(nullptr, nullptr, 5, 0, kinds[0], nullptr),
              cudaSuccess);
    EXPECT_EQ(row_activation_backward<float>(nullptr, nullptr, nullptr, -1, 5, kinds[0], nullptr),
              cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
