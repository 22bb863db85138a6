// Launches that read a step's numbers from device memory give the bits of those that have them as
// parameters.
#include "kernels/step.h"

#include "kernels/augment.h"
#include "kernels/batch_norm.h"
#include "kernels/dropout.h"
#include "kernels/gradient.h"
#include "kernels/loss.h"
#include "kernels/optimizer.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

class StepKernel : public KernelTest {
protected:
    static DeviceArray<StepValues> on_device(const StepValues& values) {
        return DeviceArray<StepValues>(std::vector<StepValues>{values});
    }
};
INSTANTIATE_TEST_SUITE_P(Orders, StepKernel, both_orders(), order_name);

constexpr std::size_t n = 263;
constexpr auto count = static_cast<std::int64_t>(n);

TEST_P(StepKernel, DropoutAtEveryStartAndStride) {
    const std::vector<float> x = random_floats(n - 3, 1, 0.5F, 1.5F);
    for (const std::int64_t stride : {1, 3})
        for (const std::int64_t first : {0, 1, 2, 1001}) {
            StepValues step;
            step.seed = 0x9ABCDEF012U;
            step.step = 7;
            step.first_sample = first;
            step.sample_stride = stride;
            const DeviceArray<StepValues> values = on_device(step);
            const DeviceArray<float> in(x), given(n - 3), read(n - 3);
            const Dropout p{0.3F, step.seed, 5, step.step, first, 13, stride};
            ASSERT_EQ(dropout(given.get(), in.get(), count - 3, p, nullptr), cudaSuccess);
            const Dropout q{0.3F, 0, 5, 0, 0, 13, 1, values.get()};
            ASSERT_EQ(dropout(read.get(), in.get(), count - 3, q, nullptr), cudaSuccess);
            EXPECT_EQ(given.read(), read.read()) << first << " by " << stride;
        }
}

TEST_P(StepKernel, Augmentation) {
    const ImageBatch shape{3, 6, 5, 2};
    const std::vector<float> x = random_floats(180, 1);
    Augment p;
    p.kind = AugmentKind::rotation;
    p.first_lower = -0.2F;
    p.first_upper = 0.2F;
    p.stream = 9;
    StepValues step;
    step.seed = 77;
    step.step = 3;
    step.first_sample = 41;
    step.sample_stride = 2;
    const DeviceArray<StepValues> values = on_device(step);
    const DeviceArray<float> in(x), given(180), read(180);
    const DeviceArray<char> scratch(augment_scratch_bytes(p, shape));
    Augment q = p;
    q.values = values.get();
    p.seed = step.seed;
    p.step = step.step;
    p.first_sample = step.first_sample;
    p.sample_stride = step.sample_stride;
    ASSERT_EQ(augment(given.get(), in.get(), shape, p, scratch.get(), nullptr), cudaSuccess);
    ASSERT_EQ(augment(read.get(), in.get(), shape, q, scratch.get(), nullptr), cudaSuccess);
    EXPECT_EQ(given.read(), read.read());
}

// Both ways from the same start, over three updates.
TEST_P(StepKernel, UpdatesOfEveryKind) {
    const GradientClip clips[] = {GradientClip::none, GradientClip::value,
                                  GradientClip::global_norm};
    const std::vector<float> start = random_floats(n, 1);
    for (const GradientClip clip : clips)
        for (const float momentum : {0.0F, 0.9F}) {
            const DeviceArray<float> w0(start), w1(start), v0(std::vector<float>(n, 0.0F)),
                v1(std::vector<float>(n, 0.0F)), a0(start), a1(start),
                m0(std::vector<float>(n, 0.0F)), m1(std::vector<float>(n, 0.0F)),
                s0(std::vector<float>(n, 0.0F)), s1(std::vector<float>(n, 0.0F)), e0(n), e1(n);
            const DeviceArray<double> norm(std::vector<double>{300.0});
            for (std::int64_t t = 1; t <= 3; ++t) {
                StepValues step;
                step.learning_rate = 0.1F / static_cast<float>(t);
                step.weight_decay = 0.01F;
                step.gradient_scale = 1.0 / 64.0;
                step.clip_limit = 0.05F;
                step.update = t;
                const DeviceArray<StepValues> values = on_device(step);
                const DeviceArray<float> g(random_floats(n, 7));
                const GradientRule given{norm.get(), step.gradient_scale, clip, step.clip_limit};
                GradientRule read{norm.get()};
                read.clip = clip;
                read.values = values.get();
                ASSERT_EQ(sgd_update(w0.get(), g.get(), v0.get(), count,
                                     {step.learning_rate, momentum, true, 0.01F}, given, nullptr),
                          cudaSuccess);
                ASSERT_EQ(sgd_update(w1.get(), g.get(), v1.get(), count,
                                     {0.0F, momentum, true, 0.0F}, read, nullptr),
                          cudaSuccess);
                const double rate = step.learning_rate;
                ASSERT_EQ(adam_update(a0.get(), g.get(), m0.get(), s0.get(), count,
                                      {rate, 0.9, 0.999, 1e-7F, t, 0.01F}, given, nullptr),
                          cudaSuccess);
                ASSERT_EQ(adam_update(a1.get(), g.get(), m1.get(), s1.get(), count,
                                      {0.0, 0.9, 0.999, 1e-7F}, read, nullptr),
                          cudaSuccess);
                ASSERT_EQ(ema_update(e0.get(), w0.get(), count, 0.9F, t, norm.get(), nullptr),
                          cudaSuccess);
                ASSERT_EQ(ema_update(e1.get(), w1.get(), count, 0.9F, 1, norm.get(), nullptr,
                                     values.get()),
                          cudaSuccess);
            }
            EXPECT_EQ(w0.read(), w1.read());
            EXPECT_EQ(a0.read(), a1.read());
            EXPECT_EQ(e0.read(), e1.read());
            EXPECT_NE(w0.read(), start);
        }
}

TEST_P(StepKernel, WindowsAndClipping) {
    for (const std::uint32_t first : {0U, 1U}) {
        StepValues step;
        step.first_in_window = first;
        step.gradient_scale = 0.25;
        step.clip_limit = first == 1 ? 0.5F : 0.0F;
        const DeviceArray<StepValues> values = on_device(step);
        const std::vector<float> before = random_floats(n, 1), g = random_floats(n, 2);
        const DeviceArray<float> sum(before), gradient(g);
        ASSERT_EQ(accumulate_gradient(sum.get(), gradient.get(), count, first == 0, nullptr,
                                      values.get()),
                  cudaSuccess);
        std::vector<float> want = g;
        for (std::size_t i = 0; i < n && first == 0; ++i) want[i] = before[i] + g[i];
        EXPECT_EQ(sum.read(), want);
        const DeviceArray<double> sums(std::vector<double>{1.5, 2.0}),
            part(std::vector<double>{0.25, 1.0});
        ASSERT_EQ(accumulate_sums(sums.get(), part.get(), 2, first == 0, nullptr, values.get()),
                  cudaSuccess);
        EXPECT_EQ(sums.read(),
                  first == 1 ? (std::vector<double>{0.25, 1.0}) : (std::vector<double>{1.75, 3.0}));
        const std::vector<GradientSegment> segments{{0, 100}, {100, count - 100}};
        const DeviceArray<double> scratch(clip_by_norm_workspace_bytes(segments.data(), 2) /
                                          sizeof(double));
        const DeviceArray<float> given(g);
        ASSERT_EQ(clip_by_norm(gradient.get(), segments.data(), 2, 1.0, 0.0, scratch.get(), nullptr,
                               values.get()),
                  cudaSuccess);
        if (first == 1) {
            ASSERT_EQ(
                clip_by_norm(given.get(), segments.data(), 2, 0.25, 0.5, scratch.get(), nullptr),
                cudaSuccess);
        }
        EXPECT_EQ(gradient.read(), given.read());
    }
}

TEST_P(StepKernel, LossScaleAndWindowStatistics) {
    StepValues step;
    step.loss_scale = 128.0F;
    step.samples_before = 6;
    const DeviceArray<StepValues> values = on_device(step);
    const std::vector<float> scores = random_floats(12, 1);
    const DeviceArray<float> in(scores), given(12), read(12);
    const DeviceArray<std::int32_t> labels(std::vector<std::int32_t>{0, 2, 3});
    const DeviceArray<double> loss(1), workspace(3);
    ASSERT_EQ(softmax_cross_entropy({loss.get(), given.get(), 128.0F, nullptr}, in.get(),
                                    labels.get(), {3, 4}, workspace.get(), nullptr),
              cudaSuccess);
    ASSERT_EQ(
        softmax_cross_entropy({loss.get(), read.get(), 1.0F, nullptr, &values.get()->loss_scale},
                              in.get(), labels.get(), {3, 4}, workspace.get(), nullptr),
        cudaSuccess);
    EXPECT_EQ(given.read(), read.read());
    const DeviceArray<float> mean(random_floats(4, 3)), variance(random_floats(4, 4, 0.5F, 1.0F));
    const std::vector<double> mean_before{1.0, 2.0, 3.0, 4.0}, variance_before(4, 0.5);
    const DeviceArray<double> m0(mean_before), m1(mean_before), v0(variance_before),
        v1(variance_before);
    ASSERT_EQ(
        accumulate_statistics(m0.get(), v0.get(), mean.get(), variance.get(), 4, 6, 3, nullptr),
        cudaSuccess);
    ASSERT_EQ(accumulate_statistics(m1.get(), v1.get(), mean.get(), variance.get(), 4, 0, 3,
                                    nullptr, values.get()),
              cudaSuccess);
    EXPECT_EQ(m0.read(), m1.read());
    EXPECT_EQ(v0.read(), v1.read());
}

}  // namespace
}  // namespace strata::kernels
