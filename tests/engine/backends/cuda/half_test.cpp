// CPU = CUDA for every op that takes bfloat16 and float16, with results and biases of both that
// type and float32.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/backends/cuda/both.h"

namespace strata::test {
namespace {

using ops::ActivationKind;

// Both compute in float32 and round the result once: they differ where two float32 numbers round
// to neighbours, by one step of the type, 2^-7 of bfloat16's numbers and 2^-10 of float16's.
double step_of(DType type) {
    if (type == DType::float32) return 1e-6;
    return type == DType::bfloat16 ? 0x1p-7 : 0x1p-10;
}

class HalfOnCuda : public ::testing::TestWithParam<DType> {
protected:
    static DType type() { return GetParam(); }
    static double step() { return step_of(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Types, HalfOnCuda, ::testing::Values(DType::bfloat16, DType::float16),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST_P(HalfOnCuda, Casts) {
    const Shape n{1031};
    for (const DType other : {DType::float32, DType::bfloat16, DType::float16}) {
        Both(ops::ScaleShift{})
            .random_input_of(other, n, -9, 9)
            .output_of(type(), n)
            .expect_equal(0.0);
        Both(ops::ScaleShift{})
            .random_input_of(type(), n, -9, 9)
            .output_of(other, n)
            .expect_equal(0.0);
        Both(ops::ScaleShift{0.7F, -2.0F})
            .random_input_of(type(), n, -9, 9)
            .output_of(other, n)
            .expect_equal(std::max(step(), step_of(other)));
    }
    std::vector<std::uint8_t> bytes(256);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
    Both(ops::ScaleShift{1.0F / 255.0F, 0.0F})
        .input({256}, bytes)
        .output_of(type(), {256})
        .expect_equal(step());
}

TEST_P(HalfOnCuda, ElementsAndCopies) {
    const Shape shape{7, 13};
    Both(ops::AddN{})
        .random_input_of(type(), shape)
        .random_input_of(type(), shape)
        .random_input_of(type(), shape)
        .output_in_place(0)
        .expect_equal(step());
    Both(ops::Fill{0.3F}).output_of(type(), shape).expect_equal(0.0);
    for (const std::int64_t width : {3, 8})
        Both(ops::CopyBlock{4, width, 16, 8, 16, 0})
            .random_input_of(type(), {4, 16})
            .output_of(type(), {4, 16})
            .expect_equal(0.0);
    Both(ops::CopyBlock{4, 3, 8, 2, 5, 1})
        .input({4, 8}, std::vector<std::uint8_t>(32, 7))
        .output<std::uint8_t>({4, 5})
        .expect_equal(0.0);
    for (const std::int64_t stride : {1, 3}) {
        const ops::StepScalars scalars{
            .seed = 0x123456789, .step = 40, .first_sample = 3, .sample_stride = stride};
        Both(ops::Dropout{0.3F, 5})
            .random_input_of(type(), {7, 3, 5})
            .output_of(type(), {7, 3, 5})
            .expect_equal(step(), scalars);
    }
}

TEST_P(HalfOnCuda, Activations) {
    for (int k = 0; k <= static_cast<int>(ActivationKind::sparsemax); ++k) {
        const ops::Activation f{static_cast<ActivationKind>(k), 0.2F};
        SCOPED_TRACE(ops::name_of(f.kind));
        Both(ops::ActivationForward{f})
            .random_input_of(type(), {9, 37}, -4, 4)
            .output_of(type(), {9, 37})
            .expect_equal(step());
        Both(ops::ActivationBackward{f})
            .random_input_of(type(), {9, 37})
            .random_input_of(type(), {9, 37}, 0.05F, 0.95F)  // in the range of every kind
            .output_in_place(0)
            .misaligned()
            .expect_equal(step());
    }
}

// Sums of products differ by float32's rounding only.
TEST_P(HalfOnCuda, Matmul) {
    const ops::Activation none, relu{ActivationKind::relu, 1.0F}, tanh{ActivationKind::tanh, 1.0F};
    for (const DType result : {type(), DType::float32})
        for (const DType bias : {type(), DType::float32})
            for (const bool has_bias : {false, true})
                for (const ops::Activation& f : {none, relu, tanh})
                    for (const bool transpose : {false, true}) {
                        Both both(ops::Matmul{transpose, !transpose, has_bias, f});
                        both.random_input_of(type(), transpose ? Shape{21, 17} : Shape{17, 21});
                        both.random_input_of(type(), transpose ? Shape{21, 9} : Shape{9, 21});
                        if (has_bias) both.random_input_of(bias, {9});
                        both.output_of(result, {17, 9}).expect_equal(step());
                    }
    Both(ops::Matmul{false, false, true, relu})
        .random_input_of(type(), {3, 0})
        .random_input_of(type(), {0, 4})
        .random_input_of(type(), {4})
        .output_of(type(), {3, 4})
        .expect_equal(0.0);
    for (const DType result : {type(), DType::float32})
        Both(ops::BiasGradient{})
            .random_input_of(type(), {300, 7})
            .output_of(result, {7})
            .expect_equal(result == DType::float32 ? 1e-5 : step());
}

TEST_P(HalfOnCuda, Convolution) {
    const Shape image{7, 9, 9, 4};
    const ops::Window2D window{3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, one;
    const ops::Activation relu{ActivationKind::relu, 1.0F};
    const std::size_t chunks = 16 * 2 * 81 * 36 * sizeof(float);  // a few images at a time
    for (const ops::Window2D& w : {window, one})
        for (const std::size_t memory : {std::size_t{0}, chunks})
            for (const int groups : {1, 2})
                for (const DType result : {type(), DType::float32}) {
                    const Shape kernel{w.kernel_h, w.kernel_w, 4 / groups, 6}, y{7, 9, 9, 6};
                    Both(ops::Conv2D{w, groups, true, relu})
                        .memory_limit(memory)
                        .random_input_of(type(), image)
                        .random_input_of(type(), kernel)
                        .random_input_of(DType::float32, {6})
                        .output_of(result, y)
                        .expect_equal(step());
                    Both(ops::Conv2DBackwardData{w, groups})
                        .memory_limit(memory)
                        .random_input_of(type(), y)
                        .random_input_of(type(), kernel)
                        .output_of(result, image)
                        .expect_equal(step());
                    Both(ops::Conv2DBackwardWeights{w, groups, true})
                        .memory_limit(memory)
                        .random_input_of(type(), image)
                        .random_input_of(type(), y)
                        .output_of(result, kernel)
                        .output_of(DType::float32, {6})
                        .expect_equal(step());
                }
}

TEST_P(HalfOnCuda, Pooling) {
    const Shape image{2, 7, 6, 5}, result{2, 3, 3, 5};
    const ops::Window2D window{3, 2, 2, 2, 1, 1, 0, 0, 0, 0};
    Both(ops::Pool2D{ops::PoolKind::max, window})
        .random_input_of(type(), image)
        .output_of(type(), result)
        .output<std::uint8_t>(result)
        .expect_equal(0.0);
    Both(ops::Pool2D{ops::PoolKind::average, window})
        .random_input_of(type(), image)
        .output_of(type(), result)
        .expect_equal(step());
    std::vector<std::uint8_t> winners;
    for (int i = 0; i < 90; ++i) winners.push_back(static_cast<std::uint8_t>(i * 7 % 6));
    Both(ops::Pool2DBackward{ops::PoolKind::max, window, true})
        .random_input_of(type(), result)
        .input(result, winners)
        .random_input_of(type(), result)
        .output_of(type(), image)
        .expect_equal(step());
    Both(ops::Pool2DBackward{ops::PoolKind::average, window, false})
        .random_input_of(type(), result)
        .output_of(type(), image)
        .expect_equal(step());
    Both(ops::GlobalAveragePool2D{})
        .random_input_of(type(), image)
        .output_of(type(), {2, 5})
        .expect_equal(step());
    Both(ops::GlobalAveragePool2DBackward{})
        .random_input_of(type(), {2, 5})
        .output_of(type(), image)
        .expect_equal(step());
}

// The operands of BatchNormBackward: dy, x, gamma, mean and 1 / deviation; dx, dgamma and dbeta.
Both& with_gradient(Both& both, DType type, const Shape& x, const Shape& c) {
    return both.random_input_of(type, x)
        .random_input_of(type, x, -2, 3)
        .random_input(c, 0.5F, 2)
        .random_input(c)
        .random_input(c, 0.5F, 2)
        .output_of(type, x)
        .output(c)
        .output(c);
}

// Sums over the batch differ by float32's rounding, and so may what is rounded after them.
TEST_P(HalfOnCuda, BatchNormalization) {
    for (const Shape& x : {Shape{13, 5}, Shape{3, 5, 7, 40}}) {
        const Shape c{x[-1]};
        for (const bool misaligned : {false, true}) {
            const auto with_channels = [&](const ops::Attributes& op) {
                Both both(op);
                if (misaligned) both.misaligned();
                both.random_input_of(type(), x, -2, 3)
                    .random_input(c, 0.5F, 2)
                    .random_input(c)
                    .random_input(c)
                    .random_input(c, 0.5F, 2);
                return both;
            };
            with_channels(ops::BatchNormTraining{0.9F, 1e-3F})
                .output_of(type(), x)
                .output(c)
                .output(c)
                .output(c)
                .expect_equal(step());
            with_channels(ops::BatchNormInference{1e-3F}).output_in_place(0).expect_equal(step());
            Both both(ops::BatchNormBackward{});
            if (misaligned) both.misaligned();
            with_gradient(both, type(), x, c).expect_equal(step());
        }
    }
}

// What replicas add up is float32's sums, of 16-bit rows too.
TEST_P(HalfOnCuda, BatchNormalizationOverReplicas) {
    class Twice final : public ops::ReplicaSums {
    public:
        void add_up(std::span<double> numbers) override {
            for (double& number : numbers) number *= 2.0;
            numbers.front() += 1.0;
            ++calls;
        }
        int calls = 0;
    };
    const Shape x{3, 5, 7, 40}, c{40};
    Twice replicas;
    ops::StepScalars scalars;
    scalars.replicas = &replicas;
    Both(ops::BatchNormTraining{0.9F, 1e-3F, true})
        .random_input_of(type(), x, -2, 3)
        .random_input(c, 0.5F, 2)
        .random_input(c)
        .random_input(c)
        .random_input(c, 0.5F, 2)
        .output_of(type(), x)
        .output(c)
        .output(c)
        .output(c)
        .expect_equal(step(), scalars);
    EXPECT_EQ(replicas.calls, 4) << "twice on each backend";
    Both backward(ops::BatchNormBackward{true});
    with_gradient(backward, type(), x, c).expect_equal(step(), scalars);
    EXPECT_EQ(replicas.calls, 6);
}

}  // namespace
}  // namespace strata::test
