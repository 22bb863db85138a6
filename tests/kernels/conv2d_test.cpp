// Convolutions that gather in shared memory, all three passes, against plain loops in float64:
// strides, dilation, pads, groups, every way to multiply, operands that lie badly.
#include "kernels/conv2d.h"

#include "tests/kernels/kernel_test.h"
#include "tests/kernels/windows.h"

namespace strata::kernels {
namespace {

using namespace testing;

struct Case {
    ImageShape image;
    Window2D window;
    int filters;
    int groups = 1;

    ConvShape shape() const { return {image, window, filters, groups}; }
    std::size_t cells() const { return WindowCase{image, window}.cells(); }
    std::size_t weights() const { return static_cast<std::size_t>(shape().weights()); }
    std::size_t results() const {
        return static_cast<std::size_t>(shape().positions()) * static_cast<std::size_t>(filters);
    }
};

// Channels and filters by whole accesses and not, wider than a tile of columns, deeper than a tile
// of rows, more positions than a tile; each remainder of a stride with its own taps, and with none.
const std::vector<Case>& cases() {
    static const std::vector<Case> all{{{2, 7, 6, 3}, {3, 3, 1, 1, 1, 1, 0, 0, 0, 0}, 5},
                                       {{3, 8, 8, 8}, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, 16},
                                       {{1, 5, 6, 16}, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, 72},
                                       {{2, 9, 7, 2}, {2, 3, 2, 2, 1, 1, 0, 1, 1, 1}, 3},
                                       {{1, 10, 11, 4}, {3, 3, 1, 1, 2, 2, 2, 2, 2, 2}, 6},
                                       {{2, 9, 8, 4}, {4, 3, 4, 3, 2, 2, 3, 2, 1, 0}, 4},
                                       {{5, 5, 4, 6}, {1, 1, 2, 2, 1, 1, 0, 0, 0, 0}, 7},
                                       {{2, 6, 6, 8}, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, 16, 2},
                                       {{1, 6, 5, 3}, {3, 2, 2, 1, 1, 1, 1, 0, 1, 1}, 6, 3},
                                       {{1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 0, 0, 0, 0}, 1}};
    return all;
}

// visit(index of x, of the kernel, of y) for each product of the convolution.
template <class Visit>
void for_each_product(const Case& t, const Visit& visit) {
    const int group_channels = t.image.channels / t.groups, group_filters = t.filters / t.groups;
    ImageShape result = t.image;
    result.channels = t.filters;
    for_each_tap(t.image, t.window, [&](int n, int oh, int ow, int kh, int kw, int h, int w) {
        if (!is_inside(t.image, h, w)) return;
        const auto tap = static_cast<std::size_t>(kh * t.window.kernel_w + kw);
        for (int f = 0; f < t.filters; ++f) {
            const std::size_t y = output_index(result, t.window, n, oh, ow, f);
            for (int c = 0; c < group_channels; ++c) {
                const std::size_t k =
                    (tap * static_cast<std::size_t>(group_channels) + static_cast<std::size_t>(c)) *
                        static_cast<std::size_t>(t.filters) +
                    static_cast<std::size_t>(f);
                visit(cell_index(t.image, n, h, w, f / group_filters * group_channels + c), k, y);
            }
        }
    });
}

template <class T>
class Passes {
public:
    Passes(const Case& t, bool tensor_cores, std::size_t skip, bool float_results)
        : t_(t),
          tensor_(tensor_cores),
          float_results_(float_results || std::is_same_v<T, float>),
          x_(narrowed<T>(random_floats(t.cells(), 1))),
          kernel_(narrowed<T>(random_floats(t.weights(), 2))),
          dy_(narrowed<T>(random_floats(t.results(), 3))),
          x(x_, skip),
          kernel(kernel_, skip),
          dy(dy_, skip) {}

    // Operands of TF32 have 11 bits, results of the type its own.
    double tolerance(double depth) const {
        const double results = float_results_ ? 0.0 : std::is_same_v<T, BFloat16> ? 4e-3 : 5e-4;
        const double operands = tensor_ && std::is_same_v<T, float> ? 1e-3 : 1e-6;
        return results + operands * std::sqrt(depth);
    }
    void forward(bool has_bias) const {
        const std::vector<float> bias = random_floats(static_cast<std::size_t>(t_.filters), 4);
        std::vector<double> want(t_.results());
        for (std::size_t i = 0; i < want.size(); ++i)
            want[i] = has_bias ? bias[i % bias.size()] : 0.0;
        for_each_product(t_, [&](std::size_t i, std::size_t k, std::size_t o) {
            want[o] += double{widened(x_[i])} * double{widened(kernel_[k])};
        });
        for (double& v : want) v = std::max(v, 0.0);
        const DeviceArray<float> device_bias(bias);
        expect(want, t_.shape().taps() * t_.shape().group_channels(), [&](ConvTarget y) {
            return conv_forward(y, x.get(), kernel.get(),
                                {has_bias ? device_bias.get() : nullptr, true}, t_.shape(),
                                {ActivationKind::relu, 1.0F}, tensor_, nullptr);
        });
    }
    void backward_data() const {
        std::vector<double> want(t_.cells(), 0.0);
        for_each_product(t_, [&](std::size_t i, std::size_t k, std::size_t o) {
            want[i] += double{widened(dy_[o])} * double{widened(kernel_[k])};
        });
        expect(want, t_.shape().taps() * t_.shape().group_filters(), [&](ConvTarget dx) {
            return conv_backward_data(dx, dy.get(), kernel.get(), t_.shape(), tensor_, nullptr);
        });
    }
    void backward_weights(bool has_bias) const {
        std::vector<double> want(t_.weights(), 0.0);
        std::vector<double> bias(static_cast<std::size_t>(t_.filters), 0.0);
        for_each_product(t_, [&](std::size_t i, std::size_t k, std::size_t o) {
            want[k] += double{widened(x_[i])} * double{widened(dy_[o])};
        });
        for (std::size_t o = 0; o < dy_.size(); ++o) bias[o % bias.size()] += widened(dy_[o]);
        const DeviceArray<float> dbias(bias.size());
        const DeviceArray<char> workspace(conv_backward_weights_workspace_bytes(t_.shape()));
        const auto positions = static_cast<double>(t_.shape().positions());
        expect(want, positions, [&](ConvTarget dkernel) {
            return conv_backward_weights(dkernel, {has_bias ? dbias.get() : nullptr, true}, x.get(),
                                         dy.get(), t_.shape(), tensor_, workspace.get(), nullptr);
        });
        if (has_bias) {
            EXPECT_TRUE(near(dbias.read(), bias, tolerance(positions)));
        }
    }

private:
    template <class Run>
    void expect(const std::vector<double>& want, double depth, const Run& run) const {
        const auto check = [&](auto zero) {
            using Result = decltype(zero);
            const DeviceArray<Result> out(want.size());
            ASSERT_EQ(run({out.get(), float_results_}), cudaSuccess);
            EXPECT_TRUE(near(widened(out.read()), want, tolerance(depth)));
        };
        if (float_results_)
            check(float{});
        else
            check(T{});
    }

    Case t_;
    bool tensor_, float_results_;
    std::vector<T> x_, kernel_, dy_;
    DeviceArray<T> x, kernel, dy;
};

class Conv2DKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, Conv2DKernel, both_orders(), order_name);

template <class T>
void check_all(bool tensor_cores) {
    for (const Case& t : cases()) {
        SCOPED_TRACE(std::to_string(t.image.channels) + " channels, " + std::to_string(t.filters) +
                     " filters, " + std::to_string(t.groups) + " groups");
        const Passes<T> passes(t, tensor_cores, 0, false);
        passes.forward(true);
        passes.backward_data();
        passes.backward_weights(true);
    }
    const Passes<T> misaligned(cases()[1], tensor_cores, 1, true);
    misaligned.forward(false);
    misaligned.backward_data();
    misaligned.backward_weights(false);
}

TEST_P(Conv2DKernel, Float32) {
    check_all<float>(false);
}
TEST_P(Conv2DKernel, Float32OnTensorCores) {
    check_all<float>(true);
}
TEST_P(Conv2DKernel, BFloat16) {
    check_all<BFloat16>(true);
}
TEST_P(Conv2DKernel, BFloat16WithoutTensorCores) {
    check_all<BFloat16>(false);
}
TEST_P(Conv2DKernel, Float16) {
    check_all<Float16>(true);
}

// Several chunks of positions, with a shorter last one.
TEST_P(Conv2DKernel, ManyPositions) {
    const Case t{{4, 21, 20, 4}, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, 4};
    ASSERT_GT(conv_backward_weights_workspace_bytes(t.shape()), 2 * 148 * sizeof(float));
    Passes<float>(t, false, 0, false).backward_weights(true);
}

TEST_P(Conv2DKernel, WhatItRefuses) {
    ConvShape s{{1, 4, 4, 6}, {}, 6, 4};
    EXPECT_FALSE(conv_takes(s));
    EXPECT_EQ(conv_forward<float>({}, nullptr, nullptr, {}, s, {}, false, nullptr),
              cudaErrorInvalidValue);
    s.groups = 3;
    EXPECT_TRUE(conv_takes(s));
    s.x.batch = 0;
    EXPECT_FALSE(conv_takes(s));
    s.x = {1 << 20, 64, 64, 3};
    EXPECT_FALSE(conv_takes(s));
    EXPECT_EQ(conv_backward_weights<float>({}, {}, nullptr, nullptr, s, false, nullptr, nullptr),
              cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
