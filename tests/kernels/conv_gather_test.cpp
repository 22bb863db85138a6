// The gather of a convolution's windows and its transpose, with groups; and that gather and product
// together are the convolution.
#include "kernels/conv_gather.h"

#include "tests/kernels/kernel_test.h"
#include "tests/kernels/windows.h"

namespace strata::kernels {
namespace {

using namespace testing;

// columns (groups, positions, kernel_h * kernel_w, channels of a group).
std::size_t column_index(const WindowCase& t, int groups, int n, int oh, int ow, int tap, int c) {
    const int width = t.image.channels / groups;
    const std::int64_t positions = conv_positions(t.image, t.window);
    const std::int64_t position = (std::int64_t{n} * output_height(t.image, t.window) + oh) *
                                      output_width(t.image, t.window) +
                                  ow;
    const int taps = t.window.kernel_h * t.window.kernel_w;
    return static_cast<std::size_t>(((c / width * positions + position) * taps + tap) * width +
                                    c % width);
}

std::size_t columns_size(const WindowCase& t, int groups) {
    return conv_columns_elements(t.image, t.window, groups);
}

std::vector<int> groups_of(const WindowCase& t) {
    std::vector<int> groups{1};
    if (t.image.channels % 2 == 0) groups.push_back(2);
    if (t.image.channels > 2) groups.push_back(t.image.channels);
    return groups;
}

class ConvGatherKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, ConvGatherKernel, both_orders(), order_name);

TEST_P(ConvGatherKernel, GatherAndItsTranspose) {
    for (const WindowCase& t : window_cases()) {
        for (int groups : groups_of(t)) {
            for (std::size_t skip : {0U, 1U}) {
                const std::vector<float> x = random_floats(t.cells(), 1);
                const std::vector<float> d = random_floats(columns_size(t, groups), 2);
                std::vector<double> want_columns(d.size(), 0.0), want_dx(t.cells(), 0.0);
                for_each_tap(
                    t.image, t.window, [&](int n, int oh, int ow, int kh, int kw, int h, int w) {
                        const int tap = kh * t.window.kernel_w + kw;
                        for (int c = 0; c < t.image.channels && is_inside(t.image, h, w); ++c) {
                            const std::size_t i = cell_index(t.image, n, h, w, c);
                            const std::size_t k = column_index(t, groups, n, oh, ow, tap, c);
                            want_columns[k] = x[i];
                            want_dx[i] += d[k];
                        }
                    });
                const DeviceArray<float> in(x, skip), columns(d.size()), gradient(d),
                    dx(t.cells(), skip);
                ASSERT_EQ(
                    conv_gather(columns.get(), in.get(), t.image, t.window, groups, 4, nullptr),
                    cudaSuccess);
                ASSERT_EQ(conv_gather_backward(dx.get(), gradient.get(), t.image, t.window, groups,
                                               nullptr),
                          cudaSuccess);
                EXPECT_TRUE(near(columns.read(), want_columns, 0.0)) << groups << " groups";
                EXPECT_TRUE(near(dx.read(), want_dx, 1e-6)) << groups << " groups";
            }
        }
    }
}

TEST_P(ConvGatherKernel, GatherAndProductAreTheConvolution) {
    const WindowCase t{{2, 7, 6, 4}, {3, 2, 2, 1, 1, 2, 1, 1, 0, 1}};
    constexpr int groups = 2;
    constexpr std::size_t filters = 6;
    const auto depth = static_cast<std::size_t>(conv_depth(t.image, t.window, groups));
    const auto positions = static_cast<std::size_t>(conv_positions(t.image, t.window));
    const std::vector<float> x = random_floats(t.cells(), 1);
    const std::vector<float> kernel = random_floats(depth * filters, 2);
    std::vector<double> direct(positions * filters, 0.0);
    for_each_tap(t.image, t.window, [&](int n, int oh, int ow, int kh, int kw, int h, int w) {
        if (!is_inside(t.image, h, w)) return;
        const auto p = static_cast<std::size_t>(
            (n * output_height(t.image, t.window) + oh) * output_width(t.image, t.window) + ow);
        const auto tap = static_cast<std::size_t>(kh * t.window.kernel_w + kw);
        for (std::size_t f = 0; f < filters; ++f) {
            for (std::size_t c = 0; c < 2; ++c) {
                const auto channel = static_cast<int>(f / 3 * 2 + c);
                direct[p * filters + f] += double{x[cell_index(t.image, n, h, w, channel)]} *
                                           kernel[(tap * 2 + c) * filters + f];
            }
        }
    });
    const DeviceArray<float> in(x), columns(columns_size(t, groups));
    ASSERT_EQ(conv_gather(columns.get(), in.get(), t.image, t.window, groups, 4, nullptr),
              cudaSuccess);
    const std::vector<float> m = columns.read();
    std::vector<float> product;
    for (std::size_t p = 0; p < positions; ++p) {
        for (std::size_t f = 0; f < filters; ++f) {
            double sum = 0.0;
            for (std::size_t k = 0; k < depth; ++k) {
                sum += double{m[(f / 3 * positions + p) * depth + k]} * kernel[k * filters + f];
            }
            product.push_back(static_cast<float>(sum));
        }
    }
    EXPECT_TRUE(near(product, direct, 1e-6));
}

TEST_P(ConvGatherKernel, GroupsMustDivideTheChannels) {
    EXPECT_EQ(conv_gather(nullptr, nullptr, {1, 4, 4, 6}, {}, 4, 4, nullptr),
              cudaErrorInvalidValue);
    EXPECT_EQ(conv_gather_backward<float>(nullptr, nullptr, {1, 4, 4, 6}, {}, 0, nullptr),
              cudaErrorInvalidValue);
}

TEST(ConvGather, OneByOneWindowsNeedNoColumns) {
    EXPECT_TRUE(conv_columns_are_images({}, 1));
    EXPECT_FALSE(conv_columns_are_images({}, 2));
    EXPECT_FALSE(conv_columns_are_images({1, 1, 2, 1, 1, 1, 0, 0, 0, 0}, 1));
    EXPECT_FALSE(conv_columns_are_images({1, 1, 1, 1, 1, 1, 0, 0, 1, 0}, 1));
}

}  // namespace
}  // namespace strata::kernels
