// The CPU backend's activation ops against plain loops in float64.
#include "engine/ops/activation.h"

#include <algorithm>
#include <cmath>

#include "activation_reference.h"
#include "op_case.h"

namespace strata::test {
namespace {

using ops::Activation;
using ops::ActivationKind;

class ElementwiseActivation : public testing::TestWithParam<int> {
protected:
    Activation activation() const {
        Activation a =
            ops::activation_from_name(ops::name_of(static_cast<ActivationKind>(GetParam())));
        if (a.kind == ActivationKind::elu) a.alpha = 0.7F;
        if (a.kind == ActivationKind::celu) a.alpha = 1.3F;
        return a;
    }
};

INSTANTIATE_TEST_SUITE_P(All, ElementwiseActivation,
                         testing::Range(0, static_cast<int>(ActivationKind::softmax)),
                         [](const auto& tested) {
                             return std::string(
                                 ops::name_of(static_cast<ActivationKind>(tested.param)));
                         });

TEST_P(ElementwiseActivation, ForwardMatchesItsDefinition) {
    const Activation a = activation();
    for (std::int64_t n : {1, 17, 10007}) {
        const Floats x = random_floats(n, 3, -8.0F, 8.0F);
        Doubles expected;
        for (float v : x) expected.push_back(activation_value(a, static_cast<double>(v)));
        OpCase op{ops::ActivationForward{a}};
        op.input({n}, x).output({n}).run({}, 2);
        expect_close(op.result(), expected, 2e-6, "forward");
        OpCase in_place{ops::ActivationForward{a}};
        in_place.input({n}, x).output_in_place(0).run();
        EXPECT_EQ(in_place.result(), op.result());
    }
}

TEST_P(ElementwiseActivation, BackwardMatchesTheSlope) {
    const Activation a = activation();
    constexpr std::int64_t n = 10007;
    Floats x = random_floats(n, 4, -6.5F, 6.5F);
    for (float& v : x)
        if (near_kink(a, static_cast<double>(v))) v += 0.01F;
    const Floats dy = random_floats(n, 5);
    Floats kept = x;
    if (ops::derivative_from_output(a.kind))
        std::transform(x.begin(), x.end(), kept.begin(), [&](float v) {
            return static_cast<float>(activation_value(a, static_cast<double>(v)));
        });
    Doubles expected;
    for (std::size_t i = 0; i < x.size(); ++i)
        expected.push_back(static_cast<double>(dy[i]) *
                           activation_slope(a, static_cast<double>(x[i])));
    OpCase op{ops::ActivationBackward{a}};
    op.input({n}, dy).input({n}, kept).output_in_place(0).run();
    expect_close(op.result(), expected, 2e-5, "backward");
}

TEST(ElementwiseActivationSpecials, NaNStaysNaN) {
    for (auto kind : {ActivationKind::relu, ActivationKind::sigmoid, ActivationKind::tanh,
                      ActivationKind::gelu, ActivationKind::exponential, ActivationKind::relu6}) {
        OpCase op{ops::ActivationForward{{kind}}};
        op.input({3}, Floats{NAN, 1.0F, NAN}).output({3}).run();
        EXPECT_TRUE(std::isnan(op.result()[0])) << ops::name_of(kind);
        EXPECT_FALSE(std::isnan(op.result()[1])) << ops::name_of(kind);
    }
}

TEST(ElementwiseActivationSpecials, LargeArgumentsDoNotOverflow) {
    const Floats x{-1000.0F, -90.0F, 90.0F, 1000.0F};
    OpCase sigmoid{ops::ActivationForward{{ActivationKind::sigmoid}}};
    sigmoid.input({4}, x).output({4}).run();
    expect_close(sigmoid.result(), {0.0, 0.0, 1.0, 1.0}, 1e-7);
    OpCase softplus{ops::ActivationForward{{ActivationKind::softplus}}};
    softplus.input({4}, x).output({4}).run();
    expect_close(softplus.result(), {0.0, 0.0, 90.0, 1000.0}, 1e-6);
}

Doubles softmax(const Floats& x, std::size_t from, std::size_t c) {
    const double top = static_cast<double>(*std::max_element(&x[from], &x[from] + c));
    Doubles y(c);
    double sum = 0.0;
    for (std::size_t i = 0; i < c; ++i)
        sum += y[i] = std::exp(static_cast<double>(x[from + i]) - top);
    for (double& v : y) v /= sum;
    return y;
}

// Martins and Astudillo 2016, by bisection on the threshold tau: sum max(z - tau, 0) = 1.
Doubles sparsemax(const Floats& x, std::size_t from, std::size_t c) {
    double low = -100.0, high = 100.0;
    for (int i = 0; i < 200; ++i) {
        const double tau = 0.5 * (low + high);
        double sum = 0.0;
        for (std::size_t k = 0; k < c; ++k)
            sum += std::max(static_cast<double>(x[from + k]) - tau, 0.0);
        (sum > 1.0 ? low : high) = tau;
    }
    Doubles y(c);
    for (std::size_t k = 0; k < c; ++k)
        y[k] = std::max(static_cast<double>(x[from + k]) - low, 0.0);
    return y;
}

// y of a row, and dx = J^T dy from the closed form of the Jacobian.
struct RowReference {
    Doubles y, dx;
};

RowReference row_reference(ActivationKind kind, const Floats& x, const Floats& dy, std::size_t from,
                           std::size_t c) {
    RowReference r{softmax(x, from, c), Doubles(c)};
    if (kind == ActivationKind::sparsemax) r.y = sparsemax(x, from, c);
    double dot = 0.0, sum = 0.0, support_sum = 0.0, support = 0.0;
    for (std::size_t i = 0; i < c; ++i) {
        const double g = static_cast<double>(dy[from + i]);
        dot += g * r.y[i];
        sum += g;
        support_sum += r.y[i] > 0.0 ? g : 0.0;
        support += r.y[i] > 0.0 ? 1.0 : 0.0;
    }
    for (std::size_t i = 0; i < c; ++i) {
        const double g = static_cast<double>(dy[from + i]);
        if (kind == ActivationKind::softmax) r.dx[i] = r.y[i] * (g - dot);
        if (kind == ActivationKind::log_softmax) r.dx[i] = g - r.y[i] * sum;
        if (kind == ActivationKind::sparsemax)
            r.dx[i] = r.y[i] > 0.0 ? g - support_sum / support : 0.0;
    }
    if (kind == ActivationKind::log_softmax)
        for (double& v : r.y) v = std::log(v);
    return r;
}

class RowActivation : public testing::TestWithParam<ActivationKind> {};

INSTANTIATE_TEST_SUITE_P(All, RowActivation,
                         testing::Values(ActivationKind::softmax, ActivationKind::log_softmax,
                                         ActivationKind::sparsemax));

TEST_P(RowActivation, BothPassesMatchTheDefinition) {
    for (const auto& [rows, c] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {1, 1}, {3, 10}, {64, 10}, {5, 37}, {700, 64}}) {
        const Floats x = random_floats(rows * c, 6, -4.0F, 4.0F);
        const Floats dy = random_floats(rows * c, 7);
        Doubles y, dx;
        for (std::int64_t r = 0; r < rows; ++r) {
            const RowReference row = row_reference(
                GetParam(), x, dy, static_cast<std::size_t>(r * c), static_cast<std::size_t>(c));
            y.insert(y.end(), row.y.begin(), row.y.end());
            dx.insert(dx.end(), row.dx.begin(), row.dx.end());
        }
        OpCase forward{ops::ActivationForward{{GetParam()}}};
        forward.input({rows, c}, x).output({rows, c}).run();
        expect_close(forward.result(), y, 2e-6, "forward");
        OpCase backward{ops::ActivationBackward{{GetParam()}}};
        backward.input({rows, c}, dy).input({rows, c}, forward.result()).output_in_place(0).run();
        expect_close(backward.result(), dx, 5e-6, "backward");
    }
}

}  // namespace
}  // namespace strata::test
