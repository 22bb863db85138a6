// Batch normalisation of each storage type against its formulas in float64: what lies in rows is
// rounded once, what belongs to a channel is float32's throughout.
#include "kernels/batch_norm.h"
#include "kernels/reduce.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

constexpr double epsilon = 1e-3;
// Of whole packs and not, of rows that no block's threads divide, fewer than a block reads at once,
// and more packs than threads.
constexpr BatchNormShape shapes[] = {
    {1, 8},    {2, 5},  {129, 24},  {300, 64}, {37, 68},  {70, 200}, {30000, 5}, {300, 1},
    {2731, 3}, {7, 16}, {1025, 16}, {483, 17}, {265, 31}, {257, 32}, {249, 33},  {3, 64}};

template <class T>
constexpr double rounding() {  // to the nearest, of a number above 1
    if constexpr (std::is_same_v<T, BFloat16>) return 0x1.02p-8;
    if constexpr (std::is_same_v<T, Float16>) return 0x1.1p-11;
    return 0.0;
}

using Doubles = std::vector<double>;

// A batch of a type's numbers, and what follows from it by the formulas.
struct Batch {
    template <class T>
    static Batch of(BatchNormShape s) {
        const auto n = static_cast<std::size_t>(s.rows * s.channels);
        Batch b;
        b.rows = static_cast<std::size_t>(s.rows);
        b.channels = static_cast<std::size_t>(s.channels);
        b.x = widened(narrowed<T>(random_floats(n, 1, -2.0F, 3.0F)));
        b.dy = widened(narrowed<T>(random_floats(n, 2)));
        b.gamma = random_floats(b.channels, 3, 0.5F, 2.0F);
        b.beta = random_floats(b.channels, 4);
        b.mean = b.mean_of([&](std::size_t i) { return double{b.x[i]}; });
        b.variance = b.mean_of([&](std::size_t i) {
            const double d = b.x[i] - b.mean[i % b.channels];
            return d * d;
        });
        for (double v : b.variance) b.inverse.push_back(1.0 / std::sqrt(v + epsilon));
        b.mean_dy = b.mean_of([&](std::size_t i) { return double{b.dy[i]}; });
        b.mean_scaled = b.mean_of([&](std::size_t i) { return b.dy[i] * b.normal(i); });
        return b;
    }

    template <class Value>
    Doubles mean_of(const Value& value) const {
        Doubles means(channels);
        for (std::size_t i = 0; i < x.size(); ++i)
            means[i % channels] += value(i) / static_cast<double>(rows);
        return means;
    }
    double normal(std::size_t i) const {
        return (x[i] - mean[i % channels]) * inverse[i % channels];
    }
    Doubles y() const {
        Doubles values;
        for (std::size_t i = 0; i < x.size(); ++i)
            values.push_back(normal(i) * gamma[i % channels] + beta[i % channels]);
        return values;
    }
    Doubles dx() const {
        Doubles values;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t c = i % channels;
            values.push_back(gamma[c] * inverse[c] *
                             (dy[i] - mean_dy[c] - normal(i) * mean_scaled[c]));
        }
        return values;
    }
    Doubles times_rows(Doubles means) const {
        for (double& m : means) m *= static_cast<double>(rows);
        return means;
    }

    std::size_t rows = 0, channels = 0;
    std::vector<float> x, dy, gamma, beta;
    Doubles mean, variance, inverse, mean_dy, mean_scaled;
};

class BatchNormTypes : public KernelTest {
protected:
    // body(T{}, shape, batch, skip): every type and shape, at addresses for wide accesses and not.
    template <class Body>
    static void for_each(const Body& body) {
        in_type<float>("float32", body);
        in_type<BFloat16>("bfloat16", body);
        in_type<Float16>("float16", body);
    }

private:
    template <class T, class Body>
    static void in_type(const char* name, const Body& body) {
        for (const BatchNormShape& s : shapes) {
            const Batch batch = Batch::of<T>(s);
            for (const std::size_t skip : {0U, 1U}) {
                SCOPED_TRACE(std::string(name) + " " + std::to_string(s.rows) + " x " +
                             std::to_string(s.channels) + ", skip " + std::to_string(skip));
                body(T{}, s, batch, skip);
            }
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Orders, BatchNormTypes, both_orders(), order_name);

TEST_P(BatchNormTypes, Training) {
    for_each([]<class T>(T, BatchNormShape s, const Batch& b, std::size_t skip) {
        const DeviceArray<T> x(narrowed<T>(b.x), skip), y(b.x.size(), skip);
        const DeviceArray<float> gamma(b.gamma, skip), beta(b.beta), mean(b.channels),
            inverse(b.channels), moving_mean(std::vector<float>(b.channels, 0.5F)),
            moving_variance(std::vector<float>(b.channels, 2.0F)), variance(b.channels);
        const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
        ASSERT_EQ(
            batch_norm_training(y.get(), static_cast<const T*>(x.get()), s,
                                {gamma.get(), beta.get(), moving_mean.get(), moving_variance.get(),
                                 mean.get(), inverse.get(), 0.9F, 1e-3F, variance.get()},
                                workspace.get(), nullptr),
            cudaSuccess);
        Doubles means, variances;
        for (std::size_t c = 0; c < b.channels; ++c) {
            means.push_back(0.9 * 0.5 + 0.1 * b.mean[c]);
            variances.push_back(0.9 * 2.0 + 0.1 * b.variance[c]);
        }
        EXPECT_TRUE(near(widened(y.read()), b.y(), 1e-5 + rounding<T>()));
        EXPECT_TRUE(near(mean.read(), b.mean, 1e-6));
        EXPECT_TRUE(near(inverse.read(), b.inverse, 1e-5));
        EXPECT_TRUE(near(variance.read(), b.variance, 1e-6));
        EXPECT_TRUE(near(moving_mean.read(), means, 1e-6));
        EXPECT_TRUE(near(moving_variance.read(), variances, 1e-6));
    });
}

TEST_P(BatchNormTypes, InferenceInPlace) {
    for_each([]<class T>(T, BatchNormShape s, const Batch& b, std::size_t skip) {
        const DeviceArray<T> data(narrowed<T>(b.x), skip);
        const DeviceArray<float> gamma(b.gamma), beta(b.beta, skip), mean(floats(b.mean)),
            variance(floats(b.variance));
        ASSERT_EQ(
            batch_norm_inference(data.get(), static_cast<const T*>(data.get()), s, gamma.get(),
                                 beta.get(), mean.get(), variance.get(), 1e-3F, nullptr),
            cudaSuccess);
        EXPECT_TRUE(near(widened(data.read()), b.y(), 1e-5 + rounding<T>()));
    });
}

TEST_P(BatchNormTypes, BackwardInPlace) {
    for_each([]<class T>(T, BatchNormShape s, const Batch& b, std::size_t skip) {
        const DeviceArray<T> x(narrowed<T>(b.x), skip), gradient(narrowed<T>(b.dy), skip);
        const DeviceArray<float> gamma(b.gamma, skip), mean(floats(b.mean)),
            inverse(floats(b.inverse)), dgamma(b.channels), dbeta(b.channels);
        const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
        ASSERT_EQ(
            batch_norm_backward(gradient.get(), static_cast<const T*>(gradient.get()),
                                static_cast<const T*>(x.get()), s,
                                {gamma.get(), mean.get(), inverse.get(), dgamma.get(), dbeta.get()},
                                workspace.get(), nullptr),
            cudaSuccess);
        // One row: (1e-3)^-1/2 times what cancels.
        EXPECT_TRUE(near(widened(gradient.read()), b.dx(), 1e-4 + rounding<T>()));
        EXPECT_TRUE(near(dgamma.read(), b.times_rows(b.mean_scaled), 2e-5));
        EXPECT_TRUE(near(dbeta.read(), b.times_rows(b.mean_dy), 1e-5));
    });
}

// By statistics that came from elsewhere, as of a batch on several devices.
TEST_P(BatchNormTypes, InParts) {
    for_each([]<class T>(T, BatchNormShape s, const Batch& b, std::size_t skip) {
        const DeviceArray<T> x(narrowed<T>(b.x), skip), dy(narrowed<T>(b.dy), skip),
            y(b.x.size(), skip), dx(b.x.size(), skip);
        const DeviceArray<float> gamma(b.gamma, skip), beta(b.beta), mean(b.channels),
            inverse(b.channels), moving(std::vector<float>(2 * b.channels, 1.0F)),
            all_mean(floats(b.mean)), all_variance(floats(b.variance)), sums(b.channels),
            dgamma(b.channels), dbeta(b.channels), scaled(floats(b.mean_scaled)),
            plain(floats(b.mean_dy));
        const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
        const T* const in = x.get();
        const T* const gradient = dy.get();
        ASSERT_EQ(squared_deviations(sums.get(), in, all_mean.get(), s, workspace.get(), nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(sums.read(), b.times_rows(b.variance), 1e-5));
        const BatchNormTraining training{
            gamma.get(), beta.get(),    moving.get(), moving.get() + b.channels,
            mean.get(),  inverse.get(), 0.9F,         1e-3F};
        ASSERT_EQ(batch_norm_with_statistics(y.get(), in, s, training, all_mean.get(),
                                             all_variance.get(), nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(widened(y.read()), b.y(), 1e-5 + rounding<T>()));
        const BatchNormBackward backward{gamma.get(), mean.get(), inverse.get(), dgamma.get(),
                                         dbeta.get()};
        ASSERT_EQ(batch_norm_gradient_sums(gradient, in, s, backward, workspace.get(), nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(dgamma.read(), b.times_rows(b.mean_scaled), 2e-5));
        ASSERT_EQ(batch_norm_input_gradient(dx.get(), gradient, in, s, backward, scaled.get(),
                                            plain.get(), nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(widened(dx.read()), b.dx(), 1e-4 + rounding<T>()));
    });
}

// Of so many rows that several threads share a column's chunks, the last of which is short.
TEST_P(BatchNormTypes, ManyChunks) {
    for (const BatchNormShape s : {BatchNormShape{5000, 64}, {16500, 64}}) {
        const Batch b = Batch::of<BFloat16>(s);
        const DeviceArray<BFloat16> x(narrowed<BFloat16>(b.x)), dy(narrowed<BFloat16>(b.dy));
        const DeviceArray<float> gamma(b.gamma), moving(std::vector<float>(2 * b.channels, 1.0F)),
            mean(b.channels), inverse(b.channels), variance(b.channels), dgamma(b.channels),
            dbeta(b.channels);
        const DeviceArray<BFloat16> y(b.x.size());
        const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
        ASSERT_EQ(
            batch_norm_training(y.get(), static_cast<const BFloat16*>(x.get()), s,
                                {gamma.get(), gamma.get(), moving.get(), moving.get() + b.channels,
                                 mean.get(), inverse.get(), 0.9F, 1e-3F, variance.get()},
                                workspace.get(), nullptr),
            cudaSuccess);
        EXPECT_TRUE(near(mean.read(), b.mean, 1e-6));
        EXPECT_TRUE(near(variance.read(), b.variance, 1e-6));
        ASSERT_EQ(batch_norm_gradient_sums(
                      static_cast<const BFloat16*>(dy.get()), static_cast<const BFloat16*>(x.get()),
                      s, {gamma.get(), mean.get(), inverse.get(), dgamma.get(), dbeta.get()},
                      workspace.get(), nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(dgamma.read(), b.times_rows(b.mean_scaled), 2e-5));
        EXPECT_TRUE(near(dbeta.read(), b.times_rows(b.mean_dy), 1e-5));
    }
}

// One number among many that is not finite makes its channel's variance NaN, and no other's.
TEST_P(BatchNormTypes, ANumberThatIsNotFinite) {
    const BatchNormShape s{1100, 16};
    for (const float odd : {INFINITY, -INFINITY, NAN})
        for (const std::size_t row : {0U, 600U, 1099U}) {
            std::vector<float> values(1100 * 16, 1.0F);
            values[row * 16 + 5] = odd;
            const DeviceArray<float> x(values), y(values.size());
            const DeviceArray<float> ones(std::vector<float>(16, 1.0F)),
                moving(std::vector<float>(32, 2.0F)), mean(16), inverse(16), variance(16);
            const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
            ASSERT_EQ(batch_norm_training(y.get(), static_cast<const float*>(x.get()), s,
                                          {ones.get(), ones.get(), moving.get(), moving.get() + 16,
                                           mean.get(), inverse.get(), 0.5F, 1e-3F, variance.get()},
                                          workspace.get(), nullptr),
                      cudaSuccess);
            Doubles variances(16, 0.0), moved(32, 1.5);
            variances[5] = NAN;
            std::fill(moved.begin() + 16, moved.end(), 1.0);
            moved[5] = moved[21] = 2.0;
            EXPECT_TRUE(near(variance.read(), variances, 0.0)) << odd << " in row " << row;
            EXPECT_TRUE(near(moving.read(), moved, 1e-6)) << odd << " in row " << row;
        }
}

// The same batch gives the same bits, however its blocks are run.
TEST_P(BatchNormTypes, TheSameBitsEachTime) {
    const BatchNormShape s{3000, 24};
    const Batch b = Batch::of<BFloat16>(s);
    const DeviceArray<BFloat16> x(narrowed<BFloat16>(b.x)), y(b.x.size());
    const DeviceArray<float> gamma(b.gamma), moving(std::vector<float>(2 * b.channels, 1.0F)),
        mean(b.channels), inverse(b.channels);
    const DeviceArray<char> workspace(batch_norm_workspace_bytes(s));
    std::vector<float> first;
    for (const auto order : {cuda_emulator::Order::forward, cuda_emulator::Order::reverse}) {
        cuda_emulator::set_order(order);
        ASSERT_EQ(batch_norm_training(y.get(), static_cast<const BFloat16*>(x.get()), s,
                                      {gamma.get(), gamma.get(), moving.get(),
                                       moving.get() + b.channels, mean.get(), inverse.get()},
                                      workspace.get(), nullptr),
                  cudaSuccess);
        std::vector<float> all = mean.read();
        for (const std::vector<float>& more : {inverse.read(), widened(y.read())})
            all.insert(all.end(), more.begin(), more.end());
        if (first.empty()) first = all;
        EXPECT_EQ(all, first);
    }
}

}  // namespace
}  // namespace strata::kernels
