// Pooling of both passes with paddings, strides and dilation; references go window by window.
#include "kernels/pooling.h"

#include "tests/kernels/kernel_test.h"
#include "tests/kernels/windows.h"

namespace strata::kernels {
namespace {

using namespace testing;

struct MaxReference {
    std::vector<double> y;
    std::vector<std::uint8_t> argmax;
};

MaxReference max_reference(const std::vector<float>& x, const WindowCase& t) {
    MaxReference r{std::vector<double>(t.outputs(), -INFINITY),
                   std::vector<std::uint8_t>(t.outputs(), 0)};
    for_each_tap(t.image, t.window, [&](int n, int oh, int ow, int kh, int kw, int h, int w) {
        if (!is_inside(t.image, h, w)) return;
        for (int c = 0; c < t.image.channels; ++c) {
            const std::size_t o = output_index(t.image, t.window, n, oh, ow, c);
            const double value = x[cell_index(t.image, n, h, w, c)];
            if (value <= r.y[o]) continue;
            r.y[o] = value;
            r.argmax[o] = static_cast<std::uint8_t>(kh * t.window.kernel_w + kw);
        }
    });
    return r;
}

std::vector<double> cells_inside(const WindowCase& t) {
    std::vector<double> count(t.outputs(), 0.0);
    for_each_tap(t.image, t.window, [&](int n, int oh, int ow, int, int, int h, int w) {
        for (int c = 0; c < t.image.channels && is_inside(t.image, h, w); ++c)
            count[output_index(t.image, t.window, n, oh, ow, c)] += 1.0;
    });
    return count;
}

std::string text(const WindowCase& t) {
    return std::to_string(t.image.height) + " x " + std::to_string(t.image.width) + " x " +
           std::to_string(t.image.channels) + ", window " + std::to_string(t.window.kernel_h);
}

class PoolingKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, PoolingKernel, both_orders(), order_name);

TEST_P(PoolingKernel, MaxForward) {
    for (const WindowCase& t : window_cases()) {
        SCOPED_TRACE(text(t));
        // Few distinct values: many equals, of which the first must win.
        std::vector<float> x = random_floats(t.cells(), 1, -4.0F, 4.0F);
        for (float& v : x) v = std::round(v);
        const MaxReference want = max_reference(x, t);
        const DeviceArray<float> in(x), y(t.outputs()), alone(t.outputs());
        const DeviceArray<std::uint8_t> argmax(t.outputs());
        ASSERT_EQ(max_pool_forward(y.get(), argmax.get(), in.get(), t.image, t.window, nullptr),
                  cudaSuccess);
        ASSERT_EQ(max_pool_forward(alone.get(), nullptr, in.get(), t.image, t.window, nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(y.read(), want.y, 0.0));
        EXPECT_TRUE(near(alone.read(), want.y, 0.0));
        EXPECT_EQ(argmax.read(), want.argmax);
    }
}

TEST_P(PoolingKernel, MaxBackwardWithAndWithoutRelu) {
    for (const WindowCase& t : window_cases()) {
        SCOPED_TRACE(text(t));
        const std::vector<float> x = random_floats(t.cells(), 1, -2.0F, 1.0F);
        const std::vector<float> dy = random_floats(t.outputs(), 2);
        const MaxReference forward = max_reference(x, t);
        std::vector<double> plain(t.cells(), 0.0), masked(t.cells(), 0.0);
        for_each_tap(t.image, t.window, [&](int n, int oh, int ow, int kh, int kw, int h, int w) {
            for (int c = 0; c < t.image.channels && is_inside(t.image, h, w); ++c) {
                const std::size_t o = output_index(t.image, t.window, n, oh, ow, c);
                if (forward.argmax[o] != kh * t.window.kernel_w + kw) continue;
                plain[cell_index(t.image, n, h, w, c)] += dy[o];
                if (forward.y[o] > 0) masked[cell_index(t.image, n, h, w, c)] += dy[o];
            }
        });
        const DeviceArray<float> gradient(dy), y(floats(forward.y)), dx(t.cells());
        const DeviceArray<std::uint8_t> argmax(forward.argmax);
        ASSERT_EQ(max_pool_backward<float>(dx.get(), gradient.get(), argmax.get(), nullptr, t.image,
                                           t.window, nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(dx.read(), plain, 1e-6));
        ASSERT_EQ(max_pool_backward<float>(dx.get(), gradient.get(), argmax.get(), y.get(), t.image,
                                           t.window, nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(dx.read(), masked, 1e-6));
    }
}

TEST_P(PoolingKernel, MaxKeepsNan) {
    const DeviceArray<float> x(std::vector<float>{1.0F, NAN, 3.0F, 2.0F}), y(1);
    const DeviceArray<std::uint8_t> argmax(1);
    ASSERT_EQ(max_pool_forward(y.get(), argmax.get(), x.get(), {1, 2, 2, 1},
                               {2, 2, 2, 2, 1, 1, 0, 0, 0, 0}, nullptr),
              cudaSuccess);
    EXPECT_TRUE(std::isnan(y.value()));
    EXPECT_EQ(argmax.value(), 1);
}

TEST_P(PoolingKernel, AverageOfBothPasses) {
    for (const WindowCase& t : window_cases()) {
        SCOPED_TRACE(text(t));
        const std::vector<float> x = random_floats(t.cells(), 1);
        const std::vector<float> dy = random_floats(t.outputs(), 2);
        const std::vector<double> count = cells_inside(t);
        std::vector<double> want_y(t.outputs(), 0.0), want_dx(t.cells(), 0.0);
        for_each_tap(t.image, t.window, [&](int n, int oh, int ow, int, int, int h, int w) {
            for (int c = 0; c < t.image.channels && is_inside(t.image, h, w); ++c) {
                const std::size_t o = output_index(t.image, t.window, n, oh, ow, c);
                const std::size_t i = cell_index(t.image, n, h, w, c);
                want_y[o] += x[i] / count[o];
                want_dx[i] += dy[o] / count[o];
            }
        });
        const DeviceArray<float> in(x), gradient(dy), y(t.outputs()), dx(t.cells());
        ASSERT_EQ(average_pool_forward(y.get(), in.get(), t.image, t.window, nullptr), cudaSuccess);
        ASSERT_EQ(average_pool_backward(dx.get(), gradient.get(), t.image, t.window, nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(y.read(), want_y, 1e-6));
        EXPECT_TRUE(near(dx.read(), want_dx, 1e-6));
    }
}

TEST_P(PoolingKernel, GlobalAverageOfBothPasses) {
    for (ImageShape s : {ImageShape{1, 1, 1, 1}, ImageShape{3, 5, 7, 33}, ImageShape{2, 12, 9, 100},
                         ImageShape{0, 3, 3, 4}}) {
        const auto pooled = static_cast<std::size_t>(s.batch * s.channels);
        const auto area = static_cast<std::size_t>(s.height * s.width);
        const auto channels = static_cast<std::size_t>(s.channels);
        const std::vector<float> x = random_floats(pooled * area, 1);
        const std::vector<float> dy = random_floats(pooled, 2);
        std::vector<double> want_y(pooled, 0.0), want_dx;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t o = i / (area * channels) * channels + i % channels;
            want_y[o] += x[i] / static_cast<double>(area);
            want_dx.push_back(dy[o] / static_cast<double>(area));
        }
        const DeviceArray<float> in(x), gradient(dy), y(pooled), dx(x.size());
        ASSERT_EQ(global_average_pool_forward(y.get(), in.get(), s, nullptr), cudaSuccess);
        ASSERT_EQ(global_average_pool_backward(dx.get(), gradient.get(), s, nullptr), cudaSuccess);
        EXPECT_TRUE(near(y.read(), want_y, 1e-6));
        EXPECT_TRUE(near(dx.read(), want_dx, 1e-6));
    }
}

TEST_P(PoolingKernel, ImpossibleWindowsAreRefused) {
    const Window2D no_stride{2, 2, 0, 1, 1, 1, 0, 0, 0, 0};
    const Window2D large{16, 16, 1, 1, 1, 1, 0, 0, 0, 0};
    std::uint8_t argmax = 0;
    EXPECT_EQ(max_pool_forward<float>(nullptr, nullptr, nullptr, {1, 4, 4, 1}, no_stride, nullptr),
              cudaErrorInvalidValue);
    EXPECT_EQ(max_pool_forward<float>(nullptr, &argmax, nullptr, {1, 20, 20, 1}, large, nullptr),
              cudaErrorInvalidValue);
    EXPECT_EQ(average_pool_forward<float>(nullptr, nullptr, {1, -4, 4, 1}, {}, nullptr),
              cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
