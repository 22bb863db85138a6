// SGD and Adam over flat arrays against Keras's formulas in float64, three updates in a row.
#include "kernels/optimizer.h"

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

class OptimizerKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, OptimizerKernel, both_orders(), order_name);

TEST_P(OptimizerKernel, SgdOfEveryKind) {
    const Sgd variants[] = {
        {0.1F, 0.0F, false, 1.0F}, {0.1F, 0.9F, false, 0.25F}, {0.05F, 0.9F, true, 1.0F / 64.0F}};
    for (const Sgd& p : variants) {
        for (std::size_t n : sizes) {
            const std::vector<float> w = random_floats(n, 1);
            const DeviceArray<float> weights(w), velocity(std::vector<float>(n, 0.0F));
            std::vector<double> want = doubles(w), v(n, 0.0);
            for (std::uint32_t step = 0; step < 3; ++step) {
                const std::vector<float> g = random_floats(n, 10 + step, -8.0F, 8.0F);
                const DeviceArray<float> gradient(g, 1);
                ASSERT_EQ(sgd_update(weights.get(), gradient.get(),
                                     p.momentum == 0.0F ? nullptr : velocity.get(),
                                     static_cast<std::int64_t>(n), p, nullptr),
                          cudaSuccess);
                for (std::size_t i = 0; i < n; ++i) {
                    const double change = double{p.learning_rate} * g[i] * p.gradient_scale;
                    v[i] = double{p.momentum} * v[i] - change;
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

TEST_P(OptimizerKernel, Adam) {
    for (std::size_t n : sizes) {
        const std::vector<float> w = random_floats(n, 1);
        const DeviceArray<float> weights(w), first(std::vector<float>(n, 0.0F)),
            second(std::vector<float>(n, 0.0F), 1);
        std::vector<double> want = doubles(w), m(n, 0.0), v(n, 0.0);
        for (std::int64_t t = 1; t <= 3; ++t) {
            const std::vector<float> g =
                random_floats(n, static_cast<std::uint32_t>(10 + t), -8.0F, 8.0F);
            const DeviceArray<float> gradient(g);
            const kernels::Adam p{0.01, 0.9, 0.999, 1e-7F, t, 0.125F};
            ASSERT_EQ(adam_update(weights.get(), gradient.get(), first.get(), second.get(),
                                  static_cast<std::int64_t>(n), p, nullptr),
                      cudaSuccess);
            const double alpha = 0.01 * std::sqrt(1.0 - std::pow(0.999, static_cast<double>(t))) /
                                 (1.0 - std::pow(0.9, static_cast<double>(t)));
            for (std::size_t i = 0; i < n; ++i) {
                const double scaled = g[i] * 0.125;
                m[i] += (scaled - m[i]) * 0.1;
                v[i] += (scaled * scaled - v[i]) * 0.001;
                want[i] -= alpha * m[i] / (std::sqrt(v[i]) + 1e-7);
            }
        }
        EXPECT_TRUE(near(weights.read(), want, 2e-6)) << n << " elements";
        EXPECT_TRUE(near(first.read(), m, 1e-6));
        EXPECT_TRUE(near(second.read(), v, 1e-6));
    }
}

TEST_P(OptimizerKernel, UpdatesCountFromOne) {
    const kernels::Adam p{0.01, 0.9, 0.999, 1e-7F, 0, 1.0F};
    EXPECT_EQ(adam_update(nullptr, nullptr, nullptr, nullptr, 4, p, nullptr),
              cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
