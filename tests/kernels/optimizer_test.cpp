// SGD, Adam and the moving average over flat arrays against Keras's formulas in float64, three
// updates in a row; clipping, weight decay and steps that the norm forbids.
#include "kernels/optimizer.h"

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

class OptimizerKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, OptimizerKernel, both_orders(), order_name);

// What the rule makes of one gradient, in float64.
double seen(double g, double norm, double scale, GradientClip clip, double limit) {
    g *= scale;
    if (clip == GradientClip::value) return std::fmin(std::fmax(g, -limit), limit);
    if (clip == GradientClip::global_norm)
        return g * std::fmin(1.0, limit / (std::sqrt(norm) * scale));
    return g;
}

double norm_of(const std::vector<float>& g) {
    double sum = 0.0;
    for (const double x : doubles(g)) sum += x * x;
    return sum;
}

struct Clipping {
    GradientClip kind;
    float limit;
};
const Clipping clippings[] = {{GradientClip::none, 0.0F},
                              {GradientClip::value, 0.05F},
                              {GradientClip::global_norm, 0.5F},
                              {GradientClip::global_norm, 1e6F}};

TEST_P(OptimizerKernel, SgdOfEveryKind) {
    const Sgd variants[] = {
        {0.1F, 0.0F, false, 0.0F}, {0.1F, 0.9F, false, 0.2F}, {0.05F, 0.9F, true, 0.01F}};
    const double scale = 1.0 / 64.0;
    for (const Sgd& p : variants) {
        for (const Clipping& clipping : clippings) {
            for (std::size_t n : sizes) {
                const std::vector<float> w = random_floats(n, 1);
                const DeviceArray<float> weights(w), velocity(std::vector<float>(n, 0.0F));
                std::vector<double> want = doubles(w), v(n, 0.0);
                for (std::uint32_t step = 0; step < 3; ++step) {
                    const std::vector<float> g = random_floats(n, 10 + step, -8.0F, 8.0F);
                    const DeviceArray<float> gradient(g, 1);
                    const double sum = norm_of(g);
                    const DeviceArray<double> norm(std::vector<double>{sum});
                    ASSERT_EQ(
                        sgd_update(weights.get(), gradient.get(),
                                   p.momentum == 0.0F ? nullptr : velocity.get(),
                                   static_cast<std::int64_t>(n), p,
                                   {norm.get(), scale, clipping.kind, clipping.limit}, nullptr),
                        cudaSuccess);
                    for (std::size_t i = 0; i < n; ++i) {
                        const double lr = p.learning_rate;
                        const double change =
                            lr * seen(g[i], sum, scale, clipping.kind, clipping.limit);
                        v[i] = double{p.momentum} * v[i] - change;
                        want[i] -= lr * double{p.weight_decay} * want[i];
                        want[i] += p.nesterov ? double{p.momentum} * v[i] - change : v[i];
                    }
                    EXPECT_EQ(gradient.read(), g) << "the gradient is left as it is";
                }
                EXPECT_TRUE(near(weights.read(), want, 2e-6)) << n << " elements";
                if (p.momentum != 0.0F) {
                    EXPECT_TRUE(near(velocity.read(), v, 2e-6));
                }
            }
        }
    }
}

TEST_P(OptimizerKernel, Adam) {
    for (const Clipping& clipping : clippings) {
        for (std::size_t n : sizes) {
            const std::vector<float> w = random_floats(n, 1);
            const DeviceArray<float> weights(w), first(std::vector<float>(n, 0.0F)),
                second(std::vector<float>(n, 0.0F), 1);
            std::vector<double> want = doubles(w), m(n, 0.0), v(n, 0.0);
            for (std::int64_t t = 1; t <= 3; ++t) {
                const std::vector<float> g =
                    random_floats(n, static_cast<std::uint32_t>(10 + t), -8.0F, 8.0F);
                const DeviceArray<float> gradient(g);
                const double sum = norm_of(g);
                const DeviceArray<double> norm(std::vector<double>{sum});
                const kernels::Adam p{0.01, 0.9, 0.999, 1e-7F, t, 0.25F};
                ASSERT_EQ(adam_update(weights.get(), gradient.get(), first.get(), second.get(),
                                      static_cast<std::int64_t>(n), p,
                                      {norm.get(), 0.125, clipping.kind, clipping.limit}, nullptr),
                          cudaSuccess);
                const double alpha = 0.01 *
                                     std::sqrt(1.0 - std::pow(0.999, static_cast<double>(t))) /
                                     (1.0 - std::pow(0.9, static_cast<double>(t)));
                for (std::size_t i = 0; i < n; ++i) {
                    const double scaled = seen(g[i], sum, 0.125, clipping.kind, clipping.limit);
                    m[i] += (scaled - m[i]) * 0.1;
                    v[i] += (scaled * scaled - v[i]) * 0.001;
                    want[i] -= 0.01 * 0.25 * want[i];
                    want[i] -= alpha * m[i] / (std::sqrt(v[i]) + 1e-7);
                }
            }
            EXPECT_TRUE(near(weights.read(), want, 4e-6)) << n << " elements";
            EXPECT_TRUE(near(first.read(), m, 1e-6));
            EXPECT_TRUE(near(second.read(), v, 1e-6));
        }
    }
}

TEST_P(OptimizerKernel, MovingAverage) {
    for (std::size_t n : sizes) {
        const DeviceArray<float> average(n);  // reads as NaN: the first update must not look at it
        const DeviceArray<double> norm(std::vector<double>{1.0});
        std::vector<double> want(n);
        for (std::uint32_t t = 1; t <= 3; ++t) {
            const std::vector<float> w = random_floats(n, t);
            const DeviceArray<float> weights(w, t % 2);
            ASSERT_EQ(ema_update(average.get(), weights.get(), static_cast<std::int64_t>(n), 0.75F,
                                 t, norm.get(), nullptr),
                      cudaSuccess);
            for (std::size_t i = 0; i < n; ++i)
                want[i] = t == 1 ? double{w[i]} : 0.75 * want[i] + 0.25 * double{w[i]};
        }
        EXPECT_TRUE(near(average.read(), want, 1e-6)) << n << " elements";
    }
}

TEST_P(OptimizerKernel, WritesNothingWhereTheNormIsNotFinite) {
    const std::size_t n = 1023;
    for (const double bad : {static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
        const DeviceArray<double> norm(std::vector<double>{bad});
        const std::vector<float> initial = random_floats(n, 1);
        const DeviceArray<float> w(initial), m(initial), v(initial), g(random_floats(n, 2));
        for (const Clipping& clipping : clippings) {
            const GradientRule rule{norm.get(), 1.0, clipping.kind, clipping.limit};
            const auto count = static_cast<std::int64_t>(n);
            EXPECT_EQ(sgd_update(w.get(), g.get(), nullptr, count, {0.1F, 0.0F, false, 0.5F}, rule,
                                 nullptr),
                      cudaSuccess);
            EXPECT_EQ(sgd_update(w.get(), g.get(), v.get(), count, {0.1F, 0.9F, true, 0.5F}, rule,
                                 nullptr),
                      cudaSuccess);
            EXPECT_EQ(adam_update(w.get(), g.get(), m.get(), v.get(), count, {}, rule, nullptr),
                      cudaSuccess);
            EXPECT_EQ(ema_update(m.get(), w.get(), count, 0.9F, 1, norm.get(), nullptr),
                      cudaSuccess);
        }
        EXPECT_EQ(w.read(), initial);
        EXPECT_EQ(m.read(), initial);
        EXPECT_EQ(v.read(), initial);
    }
}

TEST_P(OptimizerKernel, RefusesBadArguments) {
    const DeviceArray<double> norm(std::vector<double>{1.0});
    kernels::Adam p;
    p.update = 0;  // updates count from 1
    EXPECT_EQ(adam_update(nullptr, nullptr, nullptr, nullptr, 4, p, {norm.get()}, nullptr),
              cudaErrorInvalidValue);
    EXPECT_EQ(ema_update(nullptr, nullptr, 4, 0.9F, 0, norm.get(), nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(sgd_update(nullptr, nullptr, nullptr, 4, {}, {}, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(sgd_update(nullptr, nullptr, nullptr, -1, {}, {norm.get()}, nullptr),
              cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
