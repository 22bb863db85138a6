// CPU = CUDA for every op but those of windows: the same operands, shapes that fit no block, in
// place and at addresses that allow no wide access.
#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <variant>

#include "engine/backends/cuda/kernel.h"
#include "tests/engine/backends/cuda/both.h"

namespace strata::test {
namespace {

// A new op needs a case in one of this folder's files, and its number here.
static_assert(std::variant_size_v<ops::Attributes> == 35);

using ops::ActivationKind;

std::vector<ops::Activation> all_activations() {
    std::vector<ops::Activation> all;
    for (int k = 0; k <= static_cast<int>(ActivationKind::sparsemax); ++k) {
        const auto kind = static_cast<ActivationKind>(k);
        all.push_back({kind, kind == ActivationKind::leaky_relu ? 0.2F : 1.5F});
    }
    return all;
}

TEST(CpuIsCuda, KernelsAndOpsAgreeOnWhatBackwardNeeds) {
    for (int k = 0; k < kernels::activation_kinds; ++k)
        EXPECT_EQ(kernels::derivative_from_output(static_cast<kernels::ActivationKind>(k)),
                  ops::derivative_from_output(static_cast<ActivationKind>(k)))
            << ops::name_of(static_cast<ActivationKind>(k));
}

TEST(CpuIsCuda, ActivationsForward) {
    for (const ops::Activation& f : all_activations()) {
        SCOPED_TRACE(ops::name_of(f.kind));
        Both(ops::ActivationForward{f}).random_input({9, 37}, -4, 4).output({9, 37}).expect_equal();
        Both(ops::ActivationForward{f})
            .random_input({3, 5}, -4, 4)
            .output_in_place(0)
            .misaligned()
            .expect_equal();
    }
}

// What the backward pass is given: x, or y = f(x) as the CPU computes it.
std::vector<float> saved(const ops::Activation& f, const Shape& shape) {
    std::vector<float> values = random_floats(shape.elements(), 3, -4, 4);
    if (!ops::is_row_wise(f.kind) && !ops::derivative_from_output(f.kind)) return values;
    const auto device = cpu_backend().open(0, {});
    const Tensor tensor{values.data(), DType::float32, shape};
    const std::vector<Tensor> one{tensor};
    const auto kernel = cpu_backend().prepare(*device, ops::ActivationForward{f}, one, one);
    kernel->bind(one, one, nullptr);
    kernel->run({});
    return values;
}

TEST(CpuIsCuda, ActivationsBackward) {
    for (const ops::Activation& f : all_activations()) {
        SCOPED_TRACE(ops::name_of(f.kind));
        for (const Shape& shape : {Shape{5, 43}, Shape{4, 3, 2}})
            Both(ops::ActivationBackward{f})
                .random_input(shape)
                .input(shape, saved(f, shape))
                .output_in_place(0)
                .expect_equal();
    }
}

TEST(CpuIsCuda, Matmul) {
    const ops::Activation none, relu{ActivationKind::relu, 1.0F}, tanh{ActivationKind::tanh, 1.0F};
    for (bool ta : {false, true})
        for (bool tb : {false, true})
            for (bool bias : {false, true})
                for (const ops::Activation& f : {none, relu, tanh})
                    for (bool misaligned : {false, true}) {
                        SCOPED_TRACE(std::to_string(ta) + std::to_string(tb) +
                                     std::to_string(bias) + ops::name_of(f.kind));
                        Both both(ops::Matmul{ta, tb, bias, f});
                        both.random_input(ta ? Shape{21, 17} : Shape{17, 21});
                        both.random_input(tb ? Shape{9, 21} : Shape{21, 9});
                        if (bias) both.random_input({9});
                        if (misaligned) both.misaligned();
                        both.output({17, 9}).expect_equal();
                    }
}

TEST(CpuIsCuda, MatmulOfOneRowOneColumnAndNothing) {
    const ops::Activation sigmoid{ActivationKind::sigmoid, 1.0F};
    Both(ops::Matmul{}).random_input({1, 300}).random_input({300, 1}).output({1, 1}).expect_equal();
    Both(ops::Matmul{})
        .random_input({2, 3, 8})
        .random_input({8, 5})
        .output({2, 3, 5})
        .expect_equal();
    Both(ops::Matmul{false, false, true, sigmoid})
        .random_input({3, 0})
        .random_input({0, 4})
        .random_input({4})
        .output({3, 4})
        .expect_equal();
    Both(ops::Matmul{}).random_input({0, 3}).random_input({3, 4}).output({0, 4}).expect_equal();
}

TEST(CpuIsCuda, BiasGradient) {
    for (const Shape& dy : {Shape{1, 1}, Shape{300, 7}, Shape{5, 4, 3, 33}})
        Both(ops::BiasGradient{}).random_input(dy).output({dy[-1]}).expect_equal();
}

TEST(CpuIsCuda, Elementwise) {
    const std::vector<std::uint8_t> bytes{0, 1, 2, 127, 128, 255, 9, 3, 77};
    Both(ops::ScaleShift{1.0F / 255.0F, -0.5F}).input({9}, bytes).output({9}).expect_equal();
    Both(ops::ScaleShift{3.0F, 1.0F}).random_input({7, 11}).output_in_place(0).expect_equal();
    for (int count : {2, 3, 6}) {
        Both both(ops::AddN{});
        for (int k = 0; k < count; ++k) both.random_input({5, 13});
        both.output_in_place(0).expect_equal();
    }
    Both(ops::Fill{-2.5F}).output({3, 5}).misaligned().expect_equal();
    const ops::CopyBlock block{4, 3, 8, 2, 5, 1};
    Both(block).random_input({4, 8}).output({4, 5}).expect_equal();
    Both(ops::CopyBlock{2, 4, 4, 0, 8, 4}).random_input({2, 4}).output({2, 8}).expect_equal();
    Both(block).input({4, 8}, std::vector<double>(32, 0.75)).output<double>({4, 5}).expect_equal();
}

TEST(CpuIsCuda, DropoutOfTheSameElements) {
    ops::StepScalars scalars;
    scalars.seed = 0x123456789;
    scalars.step = 40;
    for (const auto& [first, stride] :
         {std::pair<std::int64_t, std::int64_t>{0, 1}, {1, 1}, {33, 1}, {2, 4}, {1, 7}}) {
        scalars.first_sample = first;
        scalars.sample_stride = stride;
        Both(ops::Dropout{0.3F, 5})
            .random_input({7, 3, 5})
            .output({7, 3, 5})
            .expect_equal(1e-6, scalars);
        Both(ops::Dropout{0.3F, 5})
            .random_input({7, 3})
            .output_in_place(0)
            .misaligned()
            .expect_equal(1e-6, scalars);
    }
    Both(ops::Dropout{0.0F, 5}).random_input({0, 3}).output({0, 3}).expect_equal();
}

TEST(CpuIsCuda, WindowStatistics) {
    const Shape c{70};
    const std::vector<double> before(70, 0.25);
    for (const std::int64_t samples_before : {0, 12}) {
        ops::StepScalars scalars;
        scalars.samples_before = samples_before;
        Both(ops::AccumulateStatistics{5})
            .input(c, before)
            .input(c, before)
            .random_input(c)
            .random_input(c, 0.5F, 2)
            .output_in_place(0)
            .output_in_place(1)
            .expect_equal(1e-7, scalars);
    }
    for (const double norm : {2.0, std::numeric_limits<double>::infinity()})
        Both(ops::MovingAverage{0.9F})
            .random_input(c)
            .input(c, before)
            .input({}, std::vector<double>{norm})
            .output_in_place(0)
            .expect_equal(1e-6);
}

// x with four numbers a channel: gamma and beta, or mean and variance.
Both with_channels(ops::Attributes op, const Shape& x) {
    Both both(std::move(op));
    const Shape c{x[-1]};
    both.random_input(x, -2, 3)
        .random_input(c, 0.5F, 2)
        .random_input(c)
        .random_input(c)
        .random_input(c, 0.5F, 2);
    return both;
}

// outputs: y and as many numbers a channel as are asked for.
void expect_training(const Shape& x, const ops::BatchNormTraining& op, int numbers,
                     const ops::StepScalars& scalars = {}) {
    Both both = with_channels(op, x);
    both.output(x);
    for (int i = 0; i < numbers; ++i) both.output(Shape{x[-1]});
    both.expect_equal(2e-5, scalars);
}

void expect_backward(const Shape& x, const ops::BatchNormBackward& op,
                     const ops::StepScalars& scalars = {}) {
    const Shape c{x[-1]};
    Both(op)
        .random_input(x)
        .random_input(x, -2, 3)
        .random_input(c, 0.5F, 2)
        .random_input(c)
        .random_input(c, 0.5F, 2)
        .output(x)
        .output(c)
        .output(c)
        .expect_equal(5e-5, scalars);
}

TEST(CpuIsCuda, BatchNormalization) {
    for (const Shape& x : {Shape{13, 5}, Shape{3, 5, 7, 9}}) {
        expect_training(x, ops::BatchNormTraining{0.9F, 1e-3F}, 2);
        expect_training(x, ops::BatchNormTraining{1.0F, 1e-3F}, 3);
        with_channels(ops::BatchNormInference{1e-3F}, x).output_in_place(0).expect_equal(2e-5);
        expect_backward(x, ops::BatchNormBackward{});
    }
}

// Stands for a replica of four rows, whose sums are all 3.
class OtherReplica final : public ops::ReplicaSums {
public:
    void add_up(std::span<double> numbers) override {
        for (double& number : numbers) number += 3.0;
        numbers.back() += 1.0;
        ++calls;
    }
    int calls = 0;
};

TEST(CpuIsCuda, BatchNormalizationOverReplicas) {
    for (const Shape& x : {Shape{13, 5}, Shape{3, 5, 7, 40}}) {
        OtherReplica other;
        ops::StepScalars scalars;
        scalars.replicas = &other;
        for (const bool synchronized : {true, false}) {
            other.calls = 0;
            expect_training(x, ops::BatchNormTraining{0.9F, 1e-3F, synchronized}, 3, scalars);
            EXPECT_EQ(other.calls, synchronized ? 4 : 0) << "twice on each backend";
            other.calls = 0;
            expect_backward(x, ops::BatchNormBackward{synchronized}, scalars);
            EXPECT_EQ(other.calls, synchronized ? 2 : 0);
        }
    }
}

// With and without gradient, and with the gradient over the scores.
void check_loss(const ops::Attributes& loss, bool labels, float low, float high) {
    ops::StepScalars scalars;
    scalars.loss_scale = 4.0F;
    for (const Shape& shape : {Shape{1, 1}, Shape{33, 10}, Shape{3, 1100}}) {
        const auto operands = [&] {
            Both both(loss);
            both.random_input(shape, low, high);
            if (labels) {
                both.input({shape[0]}, labels_below(shape[0], static_cast<int>(shape[1])));
            } else {
                both.random_input(shape, 0.0F, 1.0F);
            }
            both.output<double>({});
            return both;
        };
        SCOPED_TRACE(std::string(ops::name_of(loss)) + " of " + shape.text());
        operands().expect_equal(1e-5, scalars);
        operands().output(shape).expect_equal(3e-5, scalars);
        operands().output_in_place(0).expect_equal(3e-5, scalars);
    }
}

TEST(CpuIsCuda, Losses) {
    check_loss(ops::SoftmaxCrossEntropy{}, true, -5, 5);
    check_loss(ops::SoftmaxCrossEntropySoft{}, false, -5, 5);
    check_loss(ops::CrossEntropyFromProbabilities{true}, true, 0.05F, 1);
    check_loss(ops::CrossEntropyFromProbabilities{false}, false, 0.05F, 1);
    check_loss(ops::BinaryCrossEntropy{true}, false, -5, 5);
    check_loss(ops::BinaryCrossEntropy{false}, false, 0.05F, 0.95F);
    check_loss(ops::MeanSquaredError{}, false, -3, 3);
}

TEST(CpuIsCuda, Accuracies) {
    using Kind = ops::AccuracyKind;
    Both(ops::Accuracy{Kind::sparse_categorical, 0.5F})
        .random_input({45, 10})
        .input({45}, labels_below(45, 10))
        .output<double>({})
        .expect_equal(0.0);
    Both(ops::Accuracy{Kind::categorical, 0.5F})
        .random_input({45, 3})
        .random_input({45, 3})
        .output<double>({})
        .expect_equal(0.0);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Both(ops::Accuracy{Kind::sparse_categorical, 0.5F})
        .input({4, 3}, std::vector<float>{1, nan, 5, nan, 2, nan, 0, 1, nan, 5, nan, nan})
        .input({4}, std::vector<std::int32_t>{1, 0, 2, 1})
        .output<double>({})
        .expect_equal(0.0);
    std::vector<float> bits;
    for (int i = 0; i < 45; ++i) bits.push_back(i % 3 == 0 ? 1.0F : 0.0F);
    Both(ops::Accuracy{Kind::binary, 0.1F})
        .random_input({9, 5})
        .input({9, 5}, bits)
        .output<double>({})
        .expect_equal(1e-9);
}

}  // namespace
}  // namespace strata::test
