// Accumulation of gradients of every type and clipping by each variable's norm.
#include "kernels/gradient.h"

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

class GradientKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, GradientKernel, both_orders(), order_name);

// first, then twice more: the sum of three, rounded to float32 each time.
template <class T>
void expect_sums(const std::vector<T>& values) {
    const DeviceArray<T> gradient(values, 1);
    const DeviceArray<float> sum(values.size());  // reads as NaN
    std::vector<float> want(values.size());
    for (int k = 0; k < 3; ++k) {
        ASSERT_EQ(accumulate_gradient(sum.get(), gradient.get(),
                                      static_cast<std::int64_t>(values.size()), k == 0, nullptr),
                  cudaSuccess);
        for (std::size_t i = 0; i < values.size(); ++i)
            want[i] = (k == 0 ? 0.0F : want[i]) + widened(values[i]);
    }
    const std::vector<double> expected = doubles(want);
    EXPECT_TRUE(near(sum.read(), expected, 0.0)) << values.size() << " elements";
}

TEST_P(GradientKernel, AccumulatesEveryType) {
    for (std::size_t n : sizes) {
        const std::vector<float> g = random_floats(n, 3, -4.0F, 4.0F);
        std::vector<BFloat16> wide;
        std::vector<Float16> half;
        for (float x : g) {
            wide.push_back(narrowed<BFloat16>(x));
            half.push_back(narrowed<Float16>(x * 1e-3F));
        }
        expect_sums(g);
        expect_sums(wide);
        expect_sums(half);
    }
}

TEST_P(GradientKernel, ReadsEvery16BitNumber) {
    std::vector<BFloat16> wide;
    std::vector<Float16> half;
    for (int bits = 0; bits < 65536; ++bits) {
        wide.push_back({static_cast<std::uint16_t>(bits)});
        half.push_back({static_cast<std::uint16_t>(bits)});
    }
    expect_sums(wide);
    expect_sums(half);
}

// Segments of many sizes, more than one launch takes, with gaps between them.
TEST_P(GradientKernel, ClipsEachSegmentByItsNorm) {
    std::vector<GradientSegment> segments;
    std::int64_t n = 2;
    for (std::int64_t i = 0; i < 70; ++i) {
        segments.push_back({n, i == 40 ? 20011 : (i * 37) % 101});
        n += segments.back().count + i % 2;
    }
    const std::vector<float> g = random_floats(static_cast<std::size_t>(n), 1, -3.0F, 3.0F);
    const DeviceArray<float> gradient(g);
    const DeviceArray<double> scratch(
        clip_by_norm_workspace_bytes(segments.data(), segments.size()) / sizeof(double));
    const double scale = 0.25, limit = 1.5;
    ASSERT_EQ(clip_by_norm(gradient.get(), segments.data(), segments.size(), scale, limit,
                           scratch.get(), nullptr),
              cudaSuccess);
    std::vector<double> want = doubles(g);
    int clipped = 0;
    for (const GradientSegment& segment : segments) {
        const auto begin = static_cast<std::size_t>(segment.offset);
        const auto end = begin + static_cast<std::size_t>(segment.count);
        double sum = 0.0;
        for (std::size_t i = begin; i < end; ++i) sum += want[i] * want[i];
        const double norm = std::sqrt(sum) * scale;
        clipped += norm > limit ? 1 : 0;
        for (std::size_t i = begin; i < end; ++i) want[i] *= limit / std::fmax(norm, limit);
    }
    EXPECT_GT(clipped, 20);
    EXPECT_LT(clipped, 70);
    EXPECT_TRUE(near(gradient.read(), want, 1e-6));
}

TEST_P(GradientKernel, LeavesSegmentsWithoutAFiniteNorm) {
    std::vector<float> g(600, 1e19F);
    g[200] = INFINITY;
    g[450] = NAN;
    for (std::size_t i = 500; i < 600; ++i) g[i] = 0.0F;
    const std::vector<GradientSegment> segments{{0, 128}, {128, 200}, {328, 172}, {500, 100}};
    const DeviceArray<float> gradient(g);
    const DeviceArray<double> scratch(
        clip_by_norm_workspace_bytes(segments.data(), segments.size()) / sizeof(double));
    ASSERT_EQ(clip_by_norm(gradient.get(), segments.data(), segments.size(), 1.0, 1.0,
                           scratch.get(), nullptr),
              cudaSuccess);
    std::vector<double> want = doubles(g);
    for (std::size_t i = 0; i < 128; ++i) want[i] = std::sqrt(1.0 / 128);
    EXPECT_TRUE(near(gradient.read(), want, 1e-6));
    EXPECT_EQ(clip_by_norm(gradient.get(), segments.data(), 4, 1.0, 0.0, scratch.get(), nullptr),
              cudaErrorInvalidValue);
    EXPECT_EQ(clip_by_norm(gradient.get(), nullptr, 0, 1.0, 1.0, nullptr, nullptr), cudaSuccess);
}

}  // namespace
}  // namespace strata::kernels
