// Batch normalisation of both passes; the gradients against central differences in float64.
#include "kernels/batch_norm.h"

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

constexpr float epsilon = 1e-3F;
constexpr BatchNormShape shapes[] = {{1, 1},    {2, 5},    {31, 33}, {129, 3},
                                     {300, 65}, {1000, 7}, {37, 68}};

struct Column {
    std::vector<double> x;
    double mean = 0.0, variance = 0.0;  // biased
};

Column column(std::span<const float> x, BatchNormShape s, std::int64_t c) {
    Column col;
    for (std::int64_t r = 0; r < s.rows; ++r) {
        col.x.push_back(x[static_cast<std::size_t>(r * s.channels + c)]);
        col.mean += col.x.back() / static_cast<double>(s.rows);
    }
    for (double v : col.x) col.variance += (v - col.mean) * (v - col.mean);
    col.variance /= static_cast<double>(s.rows);
    return col;
}

// Parameters in device memory, one set a shape.
struct Parameters {
    explicit Parameters(std::int64_t channels)
        : count(static_cast<std::size_t>(channels)),
          gamma_values(random_floats(count, 11, 0.5F, 2.0F)),
          beta_values(random_floats(count, 12)),
          mean_values(random_floats(count, 13)),
          variance_values(random_floats(count, 14, 0.5F, 2.0F)) {}

    std::size_t count;
    std::vector<float> gamma_values, beta_values, mean_values, variance_values;
    DeviceArray<float> gamma{gamma_values}, beta{beta_values}, moving_mean{mean_values},
        moving_variance{variance_values}, mean{count}, inverse_deviation{count};

    BatchNormTraining training() const {
        return {gamma.get(),
                beta.get(),
                moving_mean.get(),
                moving_variance.get(),
                mean.get(),
                inverse_deviation.get(),
                0.9F,
                epsilon};
    }
};

class BatchNormKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, BatchNormKernel, both_orders(), order_name);

TEST_P(BatchNormKernel, TrainingInPlace) {
    for (BatchNormShape s : shapes) {
        const auto n = static_cast<std::size_t>(s.rows * s.channels);
        const std::vector<float> x = random_floats(n, 1, -2.0F, 3.0F);
        const Parameters p(s.channels);
        const DeviceArray<float> data(x);
        const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
        ASSERT_EQ(
            batch_norm_training(data.get(), data.get(), s, p.training(), workspace.get(), nullptr),
            cudaSuccess);
        std::vector<double> y(n), mean, inverse, moving_mean, moving_variance;
        for (std::size_t c = 0; c < p.count; ++c) {
            const Column col = column(x, s, static_cast<std::int64_t>(c));
            mean.push_back(col.mean);
            inverse.push_back(1.0 / std::sqrt(col.variance + 1e-3));
            moving_mean.push_back(p.mean_values[c] * 0.9 + col.mean * 0.1);
            moving_variance.push_back(p.variance_values[c] * 0.9 + col.variance * 0.1);
            for (std::size_t r = 0; r < col.x.size(); ++r) {
                y[r * p.count + c] =
                    (col.x[r] - col.mean) * inverse.back() * p.gamma_values[c] + p.beta_values[c];
            }
        }
        SCOPED_TRACE(std::to_string(s.rows) + " x " + std::to_string(s.channels));
        EXPECT_TRUE(near(data.read(), y, 1e-5));
        EXPECT_TRUE(near(p.mean.read(), mean, 1e-6));
        EXPECT_TRUE(near(p.inverse_deviation.read(), inverse, 1e-5));
        EXPECT_TRUE(near(p.moving_mean.read(), moving_mean, 1e-6));
        EXPECT_TRUE(near(p.moving_variance.read(), moving_variance, 1e-6));
    }
}

TEST_P(BatchNormKernel, ALargeMeanCostsNoDigitsOfTheVariance) {
    const BatchNormShape s{300, 2};
    std::vector<float> x = random_floats(600, 1, -0.5F, 0.5F);
    for (float& v : x) v += 4096.0F;
    const Parameters p(2);
    const DeviceArray<float> in(x), out(600);
    const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
    ASSERT_EQ(batch_norm_training(out.get(), in.get(), s, p.training(), workspace.get(), nullptr),
              cudaSuccess);
    const std::vector<float> inverse = p.inverse_deviation.read();
    for (std::int64_t c = 0; c < 2; ++c) {
        const double want = 1.0 / std::sqrt(column(x, s, c).variance + 1e-3);
        // The difference of means of squares would be off by more than the variance itself.
        EXPECT_NEAR(inverse[static_cast<std::size_t>(c)] / want, 1.0, 1e-4);
    }
}

// Also where the chunks' means are apart; each is a float32, and so up to 2^-12 off.
TEST_P(BatchNormKernel, ALargeMeanInManyChunks) {
    const BatchNormShape s{2100, 16};
    std::vector<float> x = random_floats(2100 * 16, 1, -0.5F, 0.5F);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += i < 512 * 16 ? 4097.0F : 4096.0F;
    const Parameters p(16);
    const DeviceArray<float> in(x), out(x.size());
    const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
    ASSERT_EQ(batch_norm_training(out.get(), in.get(), s, p.training(), workspace.get(), nullptr),
              cudaSuccess);
    const std::vector<float> inverse = p.inverse_deviation.read();
    for (std::int64_t c = 0; c < 16; ++c) {
        const double want = 1.0 / std::sqrt(column(x, s, c).variance + 1e-3);
        EXPECT_NEAR(inverse[static_cast<std::size_t>(c)] / want, 1.0, 4e-4);
    }
}

// Groups of rows and threads of all lengths: their means are the number itself.
TEST_P(BatchNormKernel, EqualRowsHaveNoVariance) {
    for (const std::int64_t rows : {1, 3, 7, 131, 700})
        for (const std::int64_t channels : {1, 3, 16}) {
            const BatchNormShape s{rows, channels};
            const std::vector<float> x(static_cast<std::size_t>(rows * channels), 1e6F + 0.0625F);
            const Parameters p(channels);
            const DeviceArray<float> in(x), out(x.size());
            const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
            ASSERT_EQ(
                batch_norm_training(out.get(), in.get(), s, p.training(), workspace.get(), nullptr),
                cudaSuccess);
            for (const float inverse : p.inverse_deviation.read())
                EXPECT_EQ(inverse, static_cast<float>(1.0 / std::sqrt(double{epsilon})))
                    << rows << " of " << channels;
            for (const float mean : p.mean.read()) EXPECT_EQ(mean, 1e6F + 0.0625F);
        }
}

// The mean of numbers near the largest is one; only their squares are not.
TEST_P(BatchNormKernel, MeansOfVeryLargeNumbersAreFinite) {
    const BatchNormShape s{300, 4};
    std::vector<float> x = random_floats(300 * 4, 1, -1e38F, 1e38F);
    const Parameters p(4);
    const DeviceArray<float> in(x), out(x.size());
    const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
    ASSERT_EQ(batch_norm_training(out.get(), in.get(), s, p.training(), workspace.get(), nullptr),
              cudaSuccess);
    const std::vector<float> mean = p.mean.read();
    for (std::int64_t c = 0; c < 4; ++c)
        EXPECT_NEAR(mean[static_cast<std::size_t>(c)] / column(x, s, c).mean, 1.0, 1e-4);
    for (const float y : out.read()) EXPECT_TRUE(std::isfinite(y));
}

TEST_P(BatchNormKernel, Inference) {
    for (BatchNormShape s : shapes) {
        const auto n = static_cast<std::size_t>(s.rows * s.channels);
        const std::vector<float> x = random_floats(n, 1, -2.0F, 3.0F);
        const Parameters p(s.channels);
        const DeviceArray<float> data(x);
        ASSERT_EQ(
            batch_norm_inference(data.get(), data.get(), s, p.gamma.get(), p.beta.get(),
                                 p.moving_mean.get(), p.moving_variance.get(), epsilon, nullptr),
            cudaSuccess);
        std::vector<double> y;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t c = i % p.count;
            y.push_back((double{x[i]} - p.mean_values[c]) /
                            std::sqrt(double{p.variance_values[c]} + 1e-3) * p.gamma_values[c] +
                        p.beta_values[c]);
        }
        EXPECT_TRUE(near(data.read(), y, 1e-5)) << s.rows << " x " << s.channels;
    }
}

// sum of dy * normalised x, of one channel with gamma 1 and beta 0.
double objective(const std::vector<double>& x, const std::vector<double>& dy) {
    double mean = 0.0, variance = 0.0, sum = 0.0;
    for (double v : x) mean += v / static_cast<double>(x.size());
    for (double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) sum += dy[i] * (x[i] - mean);
    return sum / std::sqrt(variance + 1e-3);
}

TEST_P(BatchNormKernel, BackwardInPlace) {
    for (BatchNormShape s : shapes) {
        const auto n = static_cast<std::size_t>(s.rows * s.channels);
        const std::vector<float> x = random_floats(n, 1, -2.0F, 3.0F);
        const std::vector<float> dy = random_floats(n, 2);
        const Parameters p(s.channels);
        std::vector<double> mean, inverse, dx(n), dgamma, dbeta;
        for (std::size_t c = 0; c < p.count; ++c) {
            Column col = column(x, s, static_cast<std::int64_t>(c));
            const std::vector<double> g = column(dy, s, static_cast<std::int64_t>(c)).x;
            mean.push_back(col.mean);
            inverse.push_back(1.0 / std::sqrt(col.variance + 1e-3));
            dgamma.push_back(objective(col.x, g));
            dbeta.push_back(0.0);
            for (std::size_t r = 0; r < col.x.size(); ++r) {
                constexpr double h = 1e-5;
                const double at = col.x[r];
                dbeta.back() += g[r];
                col.x[r] = at + h;
                const double above = objective(col.x, g);
                col.x[r] = at - h;
                dx[r * p.count + c] = p.gamma_values[c] * (above - objective(col.x, g)) / (2 * h);
                col.x[r] = at;
            }
        }
        const DeviceArray<float> in(x), gradient(dy), means(floats(mean)),
            inverses(floats(inverse)), gammas(p.count), betas(p.count);
        const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
        ASSERT_EQ(batch_norm_backward(
                      gradient.get(), gradient.get(), in.get(), s,
                      {p.gamma.get(), means.get(), inverses.get(), gammas.get(), betas.get()},
                      workspace.get(), nullptr),
                  cudaSuccess);
        SCOPED_TRACE(std::to_string(s.rows) + " x " + std::to_string(s.channels));
        EXPECT_TRUE(near(gradient.read(), dx, 1e-4));  // one row: (1e-3)^-1/2 times what cancels
        EXPECT_TRUE(near(gammas.read(), dgamma, 2e-5));
        EXPECT_TRUE(near(betas.read(), dbeta, 1e-5));
    }
}

TEST_P(BatchNormKernel, NoRows) {
    EXPECT_EQ(batch_norm_training<float>(nullptr, nullptr, {0, 3}, {}, nullptr, nullptr),
              cudaSuccess);
    EXPECT_EQ(batch_norm_training<float>(nullptr, nullptr, {-1, 3}, {}, nullptr, nullptr),
              cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
