#include "activation_reference.h"

#include <algorithm>
#include <cmath>

namespace strata::test {
namespace {

constexpr double difference_step = 1e-6;

double sigmoid(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

double elu(double x, double alpha) {
    return x > 0.0 ? x : alpha * std::expm1(x);
}

double shrink_plus(double x) {
    if (x <= -1.0) return 0.0;
    return x >= 1.0 ? x : 0.25 * (x + 1.0) * (x + 1.0);
}

}  // namespace

double activation_value(const ops::Activation& activation, double x) {
    using K = ops::ActivationKind;
    const double alpha = static_cast<double>(activation.alpha);
    switch (activation.kind) {
        case K::linear:
            return x;
        case K::relu:
            return std::max(x, 0.0);
        case K::sigmoid:
            return sigmoid(x);
        case K::tanh:
            return std::tanh(x);
        case K::softplus:
            return std::log1p(std::exp(x));
        case K::softsign:
            return x / (1.0 + std::fabs(x));
        case K::elu:
            return elu(x, alpha);
        case K::selu:
            return 1.0507009873554805 * elu(x, 1.6732632423543772);
        case K::exponential:
            return std::exp(x);
        case K::leaky_relu:
            return x > 0.0 ? x : alpha * x;
        case K::relu6:
            return std::clamp(x, 0.0, 6.0);
        case K::silu:
            return x * sigmoid(x);
        case K::hard_silu:
            return x * std::clamp(x / 6.0 + 0.5, 0.0, 1.0);
        case K::gelu:
            return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
        case K::gelu_tanh:
            return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
        case K::hard_sigmoid:
            return std::clamp(x / 6.0 + 0.5, 0.0, 1.0);
        case K::mish:
            return x * std::tanh(std::log1p(std::exp(x)));
        case K::celu:
            return x > 0.0 ? x : alpha * std::expm1(x / alpha);
        case K::hard_tanh:
            return std::clamp(x, -1.0, 1.0);
        case K::hard_shrink:
            return std::fabs(x) > 0.5 ? x : 0.0;
        case K::soft_shrink:
            return x > 0.5 ? x - 0.5 : (x < -0.5 ? x + 0.5 : 0.0);
        case K::tanh_shrink:
            return x - std::tanh(x);
        case K::squareplus:
            return 0.5 * (x + std::sqrt(x * x + 4.0));
        case K::sparse_plus:
            return shrink_plus(x);
        case K::log_sigmoid:
            return -std::log1p(std::exp(-x));
        case K::sparse_sigmoid:
            return std::clamp(0.5 * (x + 1.0), 0.0, 1.0);
        default:
            return std::nan("");
    }
}

double activation_slope(const ops::Activation& activation, double x) {
    return (activation_value(activation, x + difference_step) -
            activation_value(activation, x - difference_step)) /
           (2.0 * difference_step);
}

bool near_kink(const ops::Activation& activation, double x) {
    using K = ops::ActivationKind;
    const auto near = [x](double at) { return std::fabs(x - at) < 1e-3; };
    switch (activation.kind) {
        case K::relu:
        case K::leaky_relu:
        case K::elu:
        case K::selu:
        case K::celu:
            return near(0.0);
        case K::relu6:
            return near(0.0) || near(6.0);
        case K::hard_silu:
        case K::hard_sigmoid:
            return near(-3.0) || near(3.0);
        case K::hard_tanh:
        case K::sparse_sigmoid:
        case K::sparse_plus:
            return near(-1.0) || near(1.0);
        case K::hard_shrink:
        case K::soft_shrink:
            return near(-0.5) || near(0.5);
        default:
            return false;
    }
}

}  // namespace strata::test
