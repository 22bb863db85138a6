// CPU = CUDA for convolutions and pooling: paddings, strides, dilation, groups, and a batch that
// goes through the workspace in chunks.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/backends/cuda/both.h"

namespace strata::test {
namespace {

struct ConvCase {
    Shape image;
    std::int64_t filters;
    ops::Window2D window;
    int groups = 1;

    Shape kernel() const { return {window.kernel_h, window.kernel_w, image[3] / groups, filters}; }
    Shape result() const {
        const auto extent = [](std::int64_t size, int pad, int kernel, int stride, int dilation) {
            return (size + pad - dilation * (kernel - 1) - 1) / stride + 1;
        };
        return {image[0],
                extent(image[1], window.pad_top + window.pad_bottom, window.kernel_h,
                       window.stride_h, window.dilation_h),
                extent(image[2], window.pad_left + window.pad_right, window.kernel_w,
                       window.stride_w, window.dilation_w),
                filters};
    }
};

const std::vector<ConvCase>& conv_cases() {
    static const std::vector<ConvCase> cases{{{2, 7, 6, 3}, 5, {3, 3, 1, 1, 1, 1, 0, 0, 0, 0}},
                                             {{3, 8, 8, 4}, 8, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
                                             {{2, 9, 7, 2}, 3, {2, 3, 2, 2, 1, 1, 0, 1, 1, 1}},
                                             {{1, 10, 11, 4}, 6, {3, 3, 1, 1, 2, 2, 2, 2, 2, 2}},
                                             {{5, 4, 3, 6}, 7, {1, 1, 1, 1, 1, 1, 0, 0, 0, 0}},
                                             {{2, 6, 6, 4}, 6, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, 2},
                                             {{2, 6, 5, 3}, 6, {3, 2, 2, 1, 1, 1, 1, 0, 1, 1}, 3},
                                             {{0, 6, 5, 3}, 6, {3, 2, 2, 1, 1, 1, 1, 0, 1, 1}}};
    return cases;
}

// All three passes. The relu's output is not compared at the corner: both see the same x.
void check(const ConvCase& t, std::size_t memory = 0, double tolerance = 1e-5) {
    SCOPED_TRACE(t.image.text() + " with " + t.kernel().text());
    const ops::Activation none, relu{ops::ActivationKind::relu, 1.0F},
        sigmoid{ops::ActivationKind::sigmoid, 1.0F};
    for (const ops::Activation& f : {none, relu, sigmoid})
        for (bool bias : {false, true}) {
            Both both(ops::Conv2D{t.window, t.groups, bias, f});
            both.memory_limit(memory).random_input(t.image).random_input(t.kernel());
            if (bias) both.random_input({t.filters});
            both.output(t.result()).expect_equal(tolerance);
        }
    Both(ops::Conv2DBackwardData{t.window, t.groups})
        .memory_limit(memory)
        .random_input(t.result())
        .random_input(t.kernel())
        .output(t.image)
        .expect_equal(tolerance);
    for (bool bias : {false, true}) {
        Both both(ops::Conv2DBackwardWeights{t.window, t.groups, bias});
        both.memory_limit(memory).random_input(t.image).random_input(t.result());
        both.output(t.kernel());
        if (bias) both.output({t.filters});
        both.expect_equal(std::max(tolerance, 2e-5));
    }
}

TEST(CpuIsCuda, Convolutions) {
    for (const ConvCase& t : conv_cases()) check(t);
}

// Wide and deep enough to be gathered into columns, which may take a sixteenth of the device: here
// three images of the seven at a time, and all of them.
TEST(CpuIsCuda, ConvolutionsInChunks) {
    const ConvCase wide{{7, 8, 8, 32}, 256, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}};
    check(wide, 16 * 3 * 64 * 288 * sizeof(float), 5e-5);
    check(wide, 0, 5e-5);
    check({{5, 4, 4, 64}, 512, {3, 3, 2, 2, 1, 1, 1, 1, 1, 1}, 2}, 0, 5e-5);
}

TEST(CpuIsCuda, Pooling) {
    for (ConvCase t : conv_cases()) {
        t.filters = t.image[3];
        SCOPED_TRACE(t.image.text());
        for (auto kind : {ops::PoolKind::max, ops::PoolKind::average})
            Both(ops::Pool2D{kind, t.window})
                .random_input(t.image)
                .output(t.result())
                .expect_equal(1e-6);
        Both(ops::Pool2D{ops::PoolKind::max, t.window})
            .random_input(t.image)
            .output(t.result())
            .output<std::uint8_t>(t.result())
            .expect_equal(0.0);
        Both(ops::Pool2DBackward{ops::PoolKind::average, t.window, false})
            .random_input(t.result())
            .output(t.image)
            .expect_equal(1e-6);
    }
}

// Winners that lie inside the image, as a forward pass names them.
TEST(CpuIsCuda, MaxPoolingBackward) {
    const Shape image{2, 7, 6, 5}, result{2, 3, 3, 5};
    const ops::Window2D window{3, 2, 2, 2, 1, 1, 0, 0, 0, 0};
    std::vector<std::uint8_t> winners;
    for (int i = 0; i < 90; ++i) winners.push_back(static_cast<std::uint8_t>(i * 7 % 6));
    for (bool mask : {false, true}) {
        Both both(ops::Pool2DBackward{ops::PoolKind::max, window, mask});
        both.random_input(result).input(result, winners);
        if (mask) both.random_input(result);
        both.output(image).expect_equal(1e-6);
    }
}

TEST(CpuIsCuda, GlobalAveragePooling) {
    for (const Shape& image : {Shape{3, 5, 7, 33}, Shape{1, 1, 1, 1}}) {
        const Shape pooled{image[0], image[3]};
        Both(ops::GlobalAveragePool2D{}).random_input(image).output(pooled).expect_equal(1e-6);
        Both(ops::GlobalAveragePool2DBackward{})
            .random_input(pooled)
            .output(image)
            .expect_equal(1e-6);
    }
}

}  // namespace
}  // namespace strata::test
