// The CPU backend's optimizer ops against plain loops in float64.
#include "engine/ops/optimizer.h"

#include <cmath>
#include <limits>

#include "op_case.h"

namespace strata::test {
namespace {

// Fewer than a vector, an odd number, and the classic model's size.
const std::vector<std::int64_t> all_sizes{1, 19, 1003, 101770};
constexpr double lr = 0.01, gradient_scale = 1.0 / 64.0;

ops::StepScalars scalars_at(std::int64_t update) {
    ops::StepScalars scalars;
    scalars.learning_rate = static_cast<float>(lr);
    scalars.gradient_scale = gradient_scale;
    scalars.update = update;
    return scalars;
}

class Sgd : public testing::TestWithParam<ops::SgdUpdate> {};

INSTANTIATE_TEST_SUITE_P(Kinds, Sgd,
                         testing::Values(ops::SgdUpdate{0.0F, false}, ops::SgdUpdate{0.9F, false},
                                         ops::SgdUpdate{0.9F, true}));

TEST_P(Sgd, ThreeUpdates) {
    const double momentum = static_cast<double>(GetParam().momentum);
    for (std::int64_t n : all_sizes) {
        const Floats w = random_floats(n, 1), g = random_floats(n, 2, -64.0F, 64.0F);
        Doubles weights = to_doubles(w), velocity(weights.size());
        for (int step = 0; step < 3; ++step) {
            for (std::size_t i = 0; i < weights.size(); ++i) {
                const double change = lr * static_cast<double>(g[i]) * gradient_scale;
                velocity[i] = momentum * velocity[i] - change;
                weights[i] += momentum == 0.0       ? -change
                              : GetParam().nesterov ? momentum * velocity[i] - change
                                                    : velocity[i];
            }
        }
        OpCase op(GetParam());
        op.input({n}, w).input({n}, g);
        if (momentum > 0.0) op.input({n}, Floats(w.size()));
        op.input<double>({}, {1.0});
        op.run(scalars_at(1), 3);
        expect_close(op.updated(0), weights, 5e-7, "weights");
        if (momentum > 0.0) expect_close(op.updated(2), velocity, 5e-7, "velocity");
    }
}

TEST(Adam, FollowsThePaperInKerasForm) {
    for (std::int64_t n : all_sizes) {
        Floats w = random_floats(n, 3), m(w.size()), v(w.size());
        Doubles weights = to_doubles(w), first(w.size()), second(w.size());
        for (std::int64_t t = 1; t <= 4; ++t) {
            const Floats g = random_floats(n, static_cast<unsigned>(10 + t), -64.0F, 64.0F);
            const double b1 = static_cast<double>(0.9F), b2 = static_cast<double>(0.999F);
            const double step = static_cast<double>(t);
            const double alpha =
                lr * std::sqrt(1.0 - std::pow(b2, step)) / (1.0 - std::pow(b1, step));
            for (std::size_t i = 0; i < weights.size(); ++i) {
                const double gradient = static_cast<double>(g[i]) * gradient_scale;
                first[i] += (gradient - first[i]) * (1.0 - b1);
                second[i] += (gradient * gradient - second[i]) * (1.0 - b2);
                weights[i] -= alpha * first[i] / (std::sqrt(second[i]) + 1e-7);
            }
            OpCase op{ops::AdamUpdate{}};
            op.input({n}, w).input({n}, g).input({n}, m).input({n}, v).input<double>({}, {1.0});
            op.run(scalars_at(t));
            w = op.updated(0);
            m = op.updated(2);
            v = op.updated(3);
        }
        expect_close(w, weights, 2e-6, "weights");
        expect_close(m, first, 1e-6, "first moment");
        expect_close(v, second, 1e-6, "second moment");
    }
}

TEST(SumOfSquares, IsAccumulatedInFloat64) {
    for (std::int64_t n : all_sizes) {
        const Floats x = random_floats(n, 4, -3.0F, 3.0F);
        double expected = 0.0;
        for (float value : x) expected += static_cast<double>(value) * static_cast<double>(value);
        OpCase op{ops::SumOfSquares{}};
        op.input({n}, x).output<double>({}).run();
        EXPECT_NEAR(op.result<double>(0)[0], expected, 1e-12 * expected);
    }
}

TEST(SumOfSquares, ShowsInfAndNaN) {
    for (float bad : {std::numeric_limits<float>::infinity(), NAN}) {
        Floats x(70000, 1.0F);
        x[69999] = bad;
        OpCase op{ops::SumOfSquares{}};
        op.input({70000}, x).output<double>({}).run();
        EXPECT_FALSE(std::isfinite(op.result<double>(0)[0]));
    }
    OpCase large{ops::SumOfSquares{}};
    large.input({2}, Floats{1e30F, 1e30F}).output<double>({}).run();
    EXPECT_NEAR(large.result<double>(0)[0], 2e60, 1e54);
}

}  // namespace
}  // namespace strata::test
