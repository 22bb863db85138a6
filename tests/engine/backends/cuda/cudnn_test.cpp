// CPU = CUDA for convolutions through cuDNN, and when it is used.
#include <cudnn.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/backends/cuda/cudnn_library.h"
#include "tests/engine/backends/cuda/both.h"

namespace strata::test {
namespace {

class CudnnTest : public ::testing::Test {
protected:
    void SetUp() override {
        cuda_emulator::install_cudnn(true);
        cuda_emulator::take_cudnn_calls();
    }
    void TearDown() override {
        cuda_emulator::install_cudnn(false);
        unsetenv("STRATA_CUDNN");
    }
};

struct Case {
    Shape image, result;
    ops::Window2D window;
    int groups = 1;
    Shape kernel() const {
        return {window.kernel_h, window.kernel_w, image[3] / groups, result[3]};
    }
};

const Case plain{{2, 7, 6, 3}, {2, 5, 4, 5}, {3, 3, 1, 1, 1, 1, 0, 0, 0, 0}};
const Case strided{{3, 9, 8, 4}, {3, 5, 4, 6}, {3, 2, 2, 2, 1, 1, 1, 0, 1, 0}, 2};
const Case dilated{{1, 9, 9, 2}, {1, 7, 7, 33}, {3, 3, 1, 1, 2, 2, 1, 1, 1, 1}};

void check_passes(const Case& t, DType type, double tolerance) {
    SCOPED_TRACE(t.image.text() + " with " + t.kernel().text());
    for (const bool has_bias : {false, true}) {
        Both forward(ops::Conv2D{t.window, t.groups, has_bias, {ops::ActivationKind::relu, 1.0F}});
        forward.random_input_of(type, t.image).random_input_of(type, t.kernel());
        if (has_bias) forward.random_input({t.result[3]});
        forward.output_of(type, t.result).expect_equal(tolerance);
        Both weights(ops::Conv2DBackwardWeights{t.window, t.groups, has_bias});
        weights.random_input_of(type, t.image).random_input_of(type, t.result);
        weights.output_of(type, t.kernel());
        if (has_bias) weights.output({t.result[3]});
        weights.expect_equal(tolerance);
    }
    Both(ops::Conv2DBackwardData{t.window, t.groups})
        .random_input_of(type, t.result)
        .random_input_of(type, t.kernel())
        .output_of(type, t.image)
        .expect_equal(tolerance);
}

TEST_F(CudnnTest, ConvolutionsAreTheCpus) {
    for (const Case& t : {plain, strided, dilated}) {
        check_passes(t, DType::float32, 2e-5);
        check_passes(t, DType::bfloat16, 1e-2);
        check_passes(t, DType::float16, 2e-3);
    }
    EXPECT_EQ(cuda_emulator::take_cudnn_calls().convolutions, 3 * 3 * 5);
}

// One query for each of the three passes.
TEST_F(CudnnTest, TheAlgorithmOfAShapeIsAskedForOnce) {
    Case t = plain;
    t.image = {3, 7, 6, 3};
    t.result = {3, 5, 4, 5};
    check_passes(t, DType::float32, 2e-5);
    check_passes(t, DType::float32, 2e-5);
    EXPECT_EQ(cuda_emulator::take_cudnn_calls().queries, 3);
}

// By our own kernels: pads that differ, results of another type, no room for its workspace, and
// where the environment says so.
TEST_F(CudnnTest, WhatIsNotItsOwnIsOurs) {
    const Case uneven{{2, 6, 6, 3}, {2, 3, 3, 4}, {3, 3, 2, 2, 1, 1, 0, 0, 1, 1}};
    check_passes(uneven, DType::float32, 2e-5);
    Both(ops::Conv2DBackwardWeights{plain.window, 1, false})
        .random_input_of(DType::bfloat16, plain.image)
        .random_input_of(DType::bfloat16, plain.result)
        .output_of(DType::float32, plain.kernel())
        .expect_equal(2e-5);
    Both(ops::Conv2DBackwardData{plain.window, 1})
        .memory_limit(100 << 10)
        .random_input(plain.result)
        .random_input(plain.kernel())
        .output(plain.image)
        .expect_equal(2e-5);
    EXPECT_EQ(cuda_emulator::take_cudnn_calls().convolutions, 0);
    EXPECT_EQ(cuda::convolution_library_name(), "cuDNN 9.13");
    setenv("STRATA_CUDNN", "0", 1);
    EXPECT_EQ(cuda::convolution_library_name(), "own kernels");
    check_passes(plain, DType::float32, 2e-5);
    EXPECT_EQ(cuda_emulator::take_cudnn_calls().convolutions, 0);
}

// As one that was made for another version of CUDA: it is loaded, and has all functions.
TEST_F(CudnnTest, ALibraryThatDoesNotStartIsNotUsed) {
    cuda_emulator::install_cudnn(true, CUDNN_STATUS_NOT_INITIALIZED);
    check_passes(plain, DType::float32, 2e-5);
    EXPECT_EQ(cuda_emulator::take_cudnn_calls().convolutions, 0);
    EXPECT_EQ(cuda::convolution_library_name(),
              "own kernels (cuDNN 9.13: CUDNN_STATUS_NOT_INITIALIZED)");
    cuda_emulator::install_cudnn(true);
    cuda::set_cudnn_fault("");
    EXPECT_EQ(cuda::convolution_library_name(), "cuDNN 9.13");
}

// A want of memory, say: the next plan asks again.
TEST_F(CudnnTest, AFaultThatPassesDoesNotTurnItOff) {
    cuda_emulator::install_cudnn(true, CUDNN_STATUS_INTERNAL_ERROR);
    check_passes(plain, DType::float32, 2e-5);
    EXPECT_EQ(cuda_emulator::take_cudnn_calls().convolutions, 0);
    cuda_emulator::install_cudnn(true);
    check_passes(plain, DType::float32, 2e-5);
    EXPECT_EQ(cuda_emulator::take_cudnn_calls().convolutions, 5);
    EXPECT_EQ(cuda::convolution_library_name(), "cuDNN 9.13");
}

TEST(Cudnn, ALibraryThatLacksAFunctionIsNotUsed) {
    cuda::CudnnLibrary library;
    EXPECT_EQ(cuda::cudnn_from([](const char*) -> void* { return nullptr; }, library), nullptr);
}

}  // namespace
}  // namespace strata::test
