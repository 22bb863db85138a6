// Every element-wise activation: values against the formulas in float64, gradients against their
// central differences.
#include "kernels/activation.h"

#include <algorithm>
#include <functional>

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;
using Kind = ActivationKind;

double sigmoid(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}
double softplus(double x) {
    return std::log1p(std::exp(-std::fabs(x))) + std::max(x, 0.0);
}

// Keras 3's definitions, written out once more.
double reference(Activation f, double x) {
    const double a = f.alpha;
    switch (f.kind) {
        case Kind::linear:
            return x;
        case Kind::relu:
            return std::max(x, 0.0);
        case Kind::sigmoid:
            return sigmoid(x);
        case Kind::tanh:
            return std::tanh(x);
        case Kind::softplus:
            return softplus(x);
        case Kind::softsign:
            return x / (1.0 + std::fabs(x));
        case Kind::elu:
            return x > 0 ? x : a * std::expm1(x);
        case Kind::selu:
            return 1.05070098735548049342 * (x > 0 ? x : 1.67326324235437728481 * std::expm1(x));
        case Kind::exponential:
            return std::exp(x);
        case Kind::leaky_relu:
            return x > 0 ? x : a * x;
        case Kind::relu6:
            return std::clamp(x, 0.0, 6.0);
        case Kind::silu:
            return x * sigmoid(x);
        case Kind::hard_silu:
            return x * std::clamp(x + 3.0, 0.0, 6.0) / 6.0;
        case Kind::gelu:
            return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0)));
        case Kind::gelu_tanh:
            return 0.5 * x *
                   (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
        case Kind::hard_sigmoid:
            return std::clamp(x + 3.0, 0.0, 6.0) / 6.0;
        case Kind::mish:
            return x * std::tanh(softplus(x));
        case Kind::celu:
            return x > 0 ? x : a * std::expm1(x / a);
        case Kind::hard_tanh:
            return std::clamp(x, -1.0, 1.0);
        case Kind::hard_shrink:
            return std::fabs(x) > 0.5 ? x : 0.0;
        case Kind::soft_shrink:
            return x > 0.5 ? x - 0.5 : (x < -0.5 ? x + 0.5 : 0.0);
        case Kind::tanh_shrink:
            return x - std::tanh(x);
        case Kind::squareplus:
            return 0.5 * (x + std::sqrt(x * x + 4.0));
        case Kind::sparse_plus:
            return x <= -1 ? 0.0 : (x < 1 ? 0.25 * (x + 1) * (x + 1) : x);
        case Kind::log_sigmoid:
            return -softplus(-x);
        case Kind::sparse_sigmoid:
            return std::clamp(0.5 * (x + 1.0), 0.0, 1.0);
    }
    return NAN;
}

double slope(Activation f, double x) {
    constexpr double h = 1e-5;
    return (reference(f, x + h) - reference(f, x - h)) / (2 * h);
}

// All kinds, with an alpha that is not the default.
std::vector<Activation> all_activations() {
    std::vector<Activation> all;
    for (int k = 0; k < activation_kinds; ++k) {
        const auto kind = static_cast<Kind>(k);
        all.push_back({kind, kind == Kind::leaky_relu ? 0.2F : 1.5F});
    }
    return all;
}

// Random inputs, none within 0.01 of a corner of any activation, where no slope is defined.
std::vector<float> smooth_inputs(std::size_t n) {
    std::vector<float> x = random_floats(n, 3, -7.0F, 7.0F);
    for (float& v : x) {
        for (float corner : {-3.0F, -1.0F, -0.5F, 0.0F, 0.5F, 1.0F, 3.0F, 6.0F}) {
            if (std::fabs(v - corner) < 0.01F) v = corner + 0.02F;
        }
    }
    return x;
}

std::vector<double> mapped(std::span<const float> x, const std::function<double(double)>& f) {
    std::vector<double> y;
    for (float v : x) y.push_back(f(v));
    return y;
}

class ActivationKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, ActivationKernel, both_orders(), order_name);

TEST_P(ActivationKernel, ForwardOfEveryKind) {
    const std::vector<float> x = smooth_inputs(1031);
    for (Activation f : all_activations()) {
        const DeviceArray<float> in(x), out(x.size());
        ASSERT_EQ(activation_forward(out.get(), in.get(), 1031, f, nullptr), cudaSuccess);
        EXPECT_TRUE(near(out.read(), mapped(x, [&](double v) { return reference(f, v); }), 2e-6))
            << "kind " << static_cast<int>(f.kind);
    }
}

TEST_P(ActivationKernel, ForwardOfEverySizeAndAlignmentInPlace) {
    const Activation f{Kind::silu, 1.0F};
    for (std::size_t n : sizes) {
        for (std::size_t skip : {0U, 1U}) {
            const std::vector<float> x = random_floats(n, 4, -3.0F, 3.0F);
            const DeviceArray<float> data(x, skip);
            const auto count = static_cast<std::int64_t>(n);
            ASSERT_EQ(activation_forward(data.get(), data.get(), count, f, nullptr), cudaSuccess);
            const auto want = mapped(x, [&](double v) { return reference(f, v); });
            EXPECT_TRUE(near(data.read(), want, 2e-6)) << n << " elements, skip " << skip;
        }
    }
}

// More packs than threads, some of which have one and some two, and a tail.
TEST_P(ActivationKernel, ForwardOfManyInPlace) {
    constexpr std::size_t n = (1024 * 256 + 100) * 4 + 1;
    const std::vector<float> x = random_floats(n, 1);
    const DeviceArray<float> data(x);
    ASSERT_EQ(
        activation_forward(data.get(), static_cast<const float*>(data.get()),
                           static_cast<std::int64_t>(n), {ActivationKind::relu, 0.0F}, nullptr),
        cudaSuccess);
    std::vector<double> want;
    for (float v : x) want.push_back(v > 0.0F ? v : 0.0F);
    EXPECT_TRUE(near(data.read(), want, 0.0));
}

TEST_P(ActivationKernel, FarInputsStayFiniteAndNanStaysNan) {
    const std::vector<float> x{-1e4F, -100.0F, 100.0F, 1e4F, NAN};
    for (Activation f : all_activations()) {
        if (f.kind == Kind::exponential) continue;  // is inf there, rightly
        const DeviceArray<float> in(x), out(x.size());
        ASSERT_EQ(activation_forward(out.get(), in.get(), 5, f, nullptr), cudaSuccess);
        const auto want = mapped(x, [&](double v) { return std::isnan(v) ? v : reference(f, v); });
        EXPECT_TRUE(near(out.read(), want, 2e-6)) << "kind " << static_cast<int>(f.kind);
    }
}

TEST_P(ActivationKernel, SquareplusKeepsItsDigitsFarBelowZero) {
    const DeviceArray<float> data(std::vector<float>{-1000.0F});
    ASSERT_EQ(activation_forward(data.get(), data.get(), 1, {Kind::squareplus, 1.0F}, nullptr),
              cudaSuccess);
    EXPECT_NEAR(data.value() / 0.000999999, 1.0, 1e-5);  // 2 / (sqrt(x^2 + 4) - x)
}

TEST_P(ActivationKernel, BackwardFromInputAndFromOutput) {
    const std::vector<float> x = smooth_inputs(517);
    const std::vector<float> dy = random_floats(517, 5);
    for (Activation f : all_activations()) {
        std::vector<double> want;
        for (std::size_t i = 0; i < x.size(); ++i) want.push_back(dy[i] * slope(f, x[i]));
        const double tolerance = f.kind == Kind::exponential ? 1e-4 : 1e-5;
        const DeviceArray<float> saved(x), gradient(dy), dx(x.size());
        ASSERT_EQ(activation_backward(dx.get(), gradient.get(), saved.get(), Saved::input, 517, f,
                                      nullptr),
                  cudaSuccess);
        EXPECT_TRUE(near(dx.read(), want, tolerance)) << "kind " << static_cast<int>(f.kind);

        const DeviceArray<float> output(
            floats(mapped(x, [&](double v) { return reference(f, v); })));
        const cudaError_t error = activation_backward(gradient.get(), gradient.get(), output.get(),
                                                      Saved::output, 517, f, nullptr);
        if (!derivative_from_output(f.kind)) {
            EXPECT_EQ(error, cudaErrorInvalidValue) << static_cast<int>(f.kind);
            continue;
        }
        ASSERT_EQ(error, cudaSuccess);
        EXPECT_TRUE(near(gradient.read(), want, tolerance)) << "kind " << static_cast<int>(f.kind);
    }
}

TEST_P(ActivationKernel, GradientAtCorners) {
    const DeviceArray<float> x(std::vector<float>{0.0F}), one(std::vector<float>{1.0F}), dx(1);
    for (Kind kind : {Kind::relu, Kind::relu6}) {
        ASSERT_EQ(activation_backward(dx.get(), one.get(), x.get(), Saved::input, 1, {kind, 1.0F},
                                      nullptr),
                  cudaSuccess);
        EXPECT_EQ(dx.value(), 0.0F);
    }
}

TEST_P(ActivationKernel, BiasWithActivation) {
    const std::pair<std::int64_t, std::int64_t> shapes[] = {{1, 1},   {3, 31}, {33, 10},
                                                            {5, 257}, {9, 32}, {7, 36}};
    for (const auto& [rows, cols] : shapes) {
        for (Activation f : {Activation{}, Activation{Kind::relu, 1.0F}, Activation{Kind::tanh}}) {
            const auto n = static_cast<std::size_t>(rows * cols);
            const std::vector<float> x = random_floats(n, 6);
            const std::vector<float> b = random_floats(static_cast<std::size_t>(cols), 7);
            const DeviceArray<float> data(x), bias(b, cols == 36 ? 1 : 0), plain(x);
            ASSERT_EQ(
                bias_activation_forward(data.get(), data.get(), bias.get(), rows, cols, f, nullptr),
                cudaSuccess);
            ASSERT_EQ((bias_activation_forward<float, float>(plain.get(), plain.get(), nullptr,
                                                             rows, cols, f, nullptr)),
                      cudaSuccess);
            std::vector<double> with, without;
            for (std::size_t i = 0; i < n; ++i) {
                const double sum = double{x[i]} + b[i % static_cast<std::size_t>(cols)];
                with.push_back(reference(f, sum));
                without.push_back(reference(f, x[i]));
            }
            EXPECT_TRUE(near(data.read(), with, 1e-6)) << rows << " x " << cols;
            EXPECT_TRUE(near(plain.read(), without, 1e-6)) << rows << " x " << cols;
        }
    }
}

// A bias of the type's own, at addresses for wide accesses and not.
TEST_P(ActivationKernel, BiasOf16Bits) {
    constexpr std::size_t rows = 5, cols = 24;
    const std::vector<BFloat16> x = narrowed<BFloat16>(random_floats(rows * cols, 6));
    const std::vector<BFloat16> b = narrowed<BFloat16>(random_floats(cols, 7));
    std::vector<float> want;
    for (std::size_t i = 0; i < x.size(); ++i)
        want.push_back(widened(narrowed<BFloat16>(widened(x[i]) + widened(b[i % cols]))));
    for (const std::size_t skip : {0U, 1U, 4U}) {
        const DeviceArray<BFloat16> data(x), bias(b, skip);
        ASSERT_EQ(bias_activation_forward(data.get(), static_cast<const BFloat16*>(data.get()),
                                          static_cast<const BFloat16*>(bias.get()), rows, cols,
                                          Activation{}, nullptr),
                  cudaSuccess);
        EXPECT_EQ(widened(data.read()), want) << "skip " << skip;
    }
}

TEST_P(ActivationKernel, NegativeSizesAreRefused) {
    EXPECT_EQ(activation_forward<float>(nullptr, nullptr, -1, {}, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(
        (bias_activation_forward<float, float>(nullptr, nullptr, nullptr, -1, 3, {}, nullptr)),
        cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
