// The CPU backend's conv2d ops against plain loops in float64.
#include "engine/ops/conv2d.h"

#include <cmath>

#include "engine/core/error.h"
#include "op_case.h"

namespace strata::test {
namespace {

struct ConvCase {
    const char* name;
    std::int64_t n, h, w, c, f;
    ops::Window2D window;
    int groups = 1;

    std::int64_t oh() const {
        return extent(h, window.kernel_h, window.stride_h, window.dilation_h,
                      window.pad_top + window.pad_bottom);
    }
    std::int64_t ow() const {
        return extent(w, window.kernel_w, window.stride_w, window.dilation_w,
                      window.pad_left + window.pad_right);
    }
    static std::int64_t extent(std::int64_t in, int kernel, int stride, int dilation, int pad) {
        return (in + pad - dilation * (kernel - 1) - 1) / stride + 1;
    }
    Shape image() const { return {n, h, w, c}; }
    Shape result() const { return {n, oh(), ow(), f}; }
    Shape kernel() const { return {window.kernel_h, window.kernel_w, c / groups, f}; }
};

// {kernel h, w, stride h, w, dilation h, w, pad top, left, bottom, right}
const ConvCase cases[] = {
    {"first_of_fashion_mnist", 3, 28, 28, 1, 32, {3, 3, 1, 1, 1, 1, 0, 0, 0, 0}},
    {"second_of_fashion_mnist", 2, 13, 13, 32, 64, {3, 3, 1, 1, 1, 1, 0, 0, 0, 0}},
    {"one_pixel_kernel", 2, 5, 7, 16, 24, {1, 1, 1, 1, 1, 1, 0, 0, 0, 0}},
    {"batch_of_one_same", 1, 9, 9, 3, 5, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"stride_2_same_even", 2, 8, 8, 4, 8, {3, 3, 2, 2, 1, 1, 0, 0, 1, 1}},
    {"stride_leaves_a_rest", 2, 10, 9, 3, 6, {3, 2, 3, 2, 1, 1, 0, 0, 0, 0}},
    {"stride_unequal", 2, 11, 7, 2, 3, {2, 3, 1, 2, 1, 1, 0, 1, 1, 1}},
    {"dilated_valid", 2, 12, 12, 5, 7, {3, 3, 1, 1, 2, 2, 0, 0, 0, 0}},
    {"dilated_same_unequal", 1, 11, 13, 4, 4, {3, 3, 1, 1, 2, 3, 2, 3, 2, 3}},
    {"kernel_as_large_as_image", 3, 4, 6, 2, 9, {4, 6, 1, 1, 1, 1, 0, 0, 0, 0}},
    {"five_by_five_one_channel", 2, 14, 15, 1, 6, {5, 5, 1, 1, 1, 1, 2, 2, 2, 2}},
    {"one_channel_33_filters", 2, 9, 10, 1, 33, {3, 3, 2, 1, 1, 1, 1, 1, 1, 1}},
    {"two_channels_same_48_filters", 2, 7, 8, 2, 48, {3, 3, 2, 1, 1, 1, 1, 1, 1, 1}},
    {"three_channels_16_filters", 3, 6, 9, 3, 16, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"one_channel_dilated", 2, 9, 9, 1, 16, {2, 2, 1, 2, 3, 2, 0, 1, 0, 1}},
    {"one_filter", 2, 9, 10, 3, 1, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"many_channels_same", 3, 7, 6, 13, 12, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"many_channels_stride_2", 2, 8, 9, 16, 40, {3, 3, 2, 2, 1, 1, 0, 1, 1, 1}},
    {"many_channels_dilated", 2, 9, 10, 35, 9, {3, 2, 1, 1, 2, 2, 2, 0, 2, 2}},
    {"long_runs", 2, 6, 8, 40, 10, {2, 5, 1, 1, 1, 1, 0, 2, 1, 2}},
    {"two_groups", 2, 7, 7, 8, 6, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, 2},
    {"depthwise", 2, 7, 6, 8, 8, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, 8},
};

class Conv2D : public testing::TestWithParam<ConvCase> {};

INSTANTIATE_TEST_SUITE_P(Shapes, Conv2D, testing::ValuesIn(cases),
                         [](const auto& tested) { return std::string(tested.param.name); });

// use(image index, kernel index, result index) of every product in the convolution.
template <typename Use>
void each_product(const ConvCase& k, const Use& use) {
    const ops::Window2D& w = k.window;
    const std::int64_t group_c = k.c / k.groups, group_f = k.f / k.groups;
    for (std::int64_t n = 0; n < k.n; ++n)
        for (std::int64_t y = 0; y < k.oh(); ++y)
            for (std::int64_t x = 0; x < k.ow(); ++x)
                for (std::int64_t i = 0; i < w.kernel_h; ++i)
                    for (std::int64_t j = 0; j < w.kernel_w; ++j) {
                        const std::int64_t row = y * w.stride_h - w.pad_top + i * w.dilation_h;
                        const std::int64_t column = x * w.stride_w - w.pad_left + j * w.dilation_w;
                        if (row < 0 || row >= k.h || column < 0 || column >= k.w) continue;
                        for (std::int64_t c = 0; c < group_c; ++c)
                            for (std::int64_t f = 0; f < k.f; ++f)
                                use(static_cast<std::size_t>(((n * k.h + row) * k.w + column) *
                                                                 k.c +
                                                             f / group_f * group_c + c),
                                    static_cast<std::size_t>(
                                        ((i * w.kernel_w + j) * group_c + c) * k.f + f),
                                    static_cast<std::size_t>(((n * k.oh() + y) * k.ow() + x) * k.f +
                                                             f));
                    }
}

double tolerance(std::int64_t terms) {
    return 1e-6 * std::sqrt(static_cast<double>(terms) + 4.0);
}

void check_forward(const ConvCase& k, bool has_bias, const ops::Activation& activation) {
    const Floats x = random_floats(k.image().elements(), 1);
    const Floats kernel = random_floats(k.kernel().elements(), 2);
    const Floats bias = random_floats(k.f, 3);
    Doubles expected(static_cast<std::size_t>(k.result().elements()));
    each_product(k, [&](std::size_t image, std::size_t weight, std::size_t result) {
        expected[result] += static_cast<double>(x[image]) * static_cast<double>(kernel[weight]);
    });
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (has_bias) expected[i] += static_cast<double>(bias[i % static_cast<std::size_t>(k.f)]);
        if (activation.kind == ops::ActivationKind::relu) expected[i] = std::max(expected[i], 0.0);
        if (activation.kind == ops::ActivationKind::tanh) expected[i] = std::tanh(expected[i]);
    }
    OpCase op{ops::Conv2D{k.window, k.groups, has_bias, activation}};
    op.input(k.image(), x).input(k.kernel(), kernel);
    if (has_bias) op.input({k.f}, bias);
    op.output(k.result()).run({}, 2);
    expect_close(op.result(), expected,
                 tolerance(k.window.kernel_h * k.window.kernel_w * k.c / k.groups));
}

TEST_P(Conv2D, ForwardIsTheSumOfProducts) {
    check_forward(GetParam(), false, {});
}

TEST_P(Conv2D, ForwardWithBiasAndRelu) {
    check_forward(GetParam(), true, {ops::ActivationKind::relu});
}

TEST_P(Conv2D, ForwardWithAnotherFusedActivation) {
    check_forward(GetParam(), true, {ops::ActivationKind::tanh});
}

// Keeps one in `every` of dy's elements, as max pooling does; 0 keeps none.
Floats gradient(const ConvCase& k, unsigned seed, unsigned every) {
    Floats dy = random_floats(k.result().elements(), seed);
    for (std::size_t i = 0; i < dy.size(); ++i)
        if (every == 0 || (i * 2654435761U >> 7) % every != 0) dy[i] = 0.0F;
    return dy;
}

void check_backward_data(const ConvCase& k, unsigned every) {
    const Floats dy = gradient(k, 4, every);
    const Floats kernel = random_floats(k.kernel().elements(), 5);
    Doubles expected(static_cast<std::size_t>(k.image().elements()));
    each_product(k, [&](std::size_t image, std::size_t weight, std::size_t result) {
        expected[image] += static_cast<double>(dy[result]) * static_cast<double>(kernel[weight]);
    });
    OpCase op{ops::Conv2DBackwardData{k.window, k.groups}};
    op.input(k.result(), dy).input(k.kernel(), kernel).output(k.image()).run({}, 2);
    expect_close(op.result(), expected,
                 tolerance(k.window.kernel_h * k.window.kernel_w * k.f / k.groups));
}

TEST_P(Conv2D, BackwardDataIsTheTransposedSum) {
    check_backward_data(GetParam(), 1);
}

TEST_P(Conv2D, BackwardDataOfAGradientOfMostlyZeros) {
    check_backward_data(GetParam(), 5);
    check_backward_data(GetParam(), 0);
}

void check_backward_weights(const ConvCase& k, unsigned every) {
    const Floats x = random_floats(k.image().elements(), 6);
    const Floats dy = gradient(k, 7, every);
    Doubles dkernel(static_cast<std::size_t>(k.kernel().elements()));
    each_product(k, [&](std::size_t image, std::size_t weight, std::size_t result) {
        dkernel[weight] += static_cast<double>(x[image]) * static_cast<double>(dy[result]);
    });
    Doubles dbias(static_cast<std::size_t>(k.f));
    for (std::size_t i = 0; i < dy.size(); ++i)
        dbias[i % static_cast<std::size_t>(k.f)] += static_cast<double>(dy[i]);
    for (bool has_bias : {false, true}) {
        OpCase op{ops::Conv2DBackwardWeights{k.window, k.groups, has_bias}};
        op.input(k.image(), x).input(k.result(), dy).output(k.kernel());
        if (has_bias) op.output({k.f});
        op.run({}, 2);
        expect_close(op.result(0), dkernel, tolerance(k.n * k.oh() * k.ow()), "dkernel");
        if (has_bias) expect_close(op.result(1), dbias, tolerance(k.n * k.oh() * k.ow()), "dbias");
    }
}

TEST_P(Conv2D, BackwardWeightsIsTheCorrelation) {
    check_backward_weights(GetParam(), 1);
}

TEST_P(Conv2D, BackwardWeightsOfAGradientOfMostlyZeros) {
    check_backward_weights(GetParam(), 5);
    check_backward_weights(GetParam(), 0);
}

TEST(Conv2DChecks, AKernelThatDoesNotFitIsRefused) {
    OpCase op{ops::Conv2D{{3, 3}, 1, false, {}}};
    op.input({1, 5, 5, 2}, Floats(50)).input({3, 3, 3, 4}, Floats(108)).output({1, 3, 3, 4});
    EXPECT_THROW(op.run(), Error);
}

TEST(Conv2DChecks, AResultThatDoesNotFollowIsRefused) {
    OpCase op{ops::Conv2D{{3, 3}, 1, false, {}}};
    op.input({1, 5, 5, 2}, Floats(50)).input({3, 3, 2, 4}, Floats(72)).output({1, 4, 3, 4});
    EXPECT_THROW(op.run(), Error);
}

TEST(Conv2DChecks, AnEmptyBatchGivesZeroGradients) {
    OpCase op{ops::Conv2DBackwardWeights{{3, 3}, 1, true}};
    op.input({0, 5, 5, 2}, Floats{}).input({0, 3, 3, 4}, Floats{}).output({3, 3, 2, 4}).output({4});
    op.run();
    EXPECT_EQ(op.result(0), Floats(72, 0.0F));
    EXPECT_EQ(op.result(1), Floats(4, 0.0F));
}

}  // namespace
}  // namespace strata::test
