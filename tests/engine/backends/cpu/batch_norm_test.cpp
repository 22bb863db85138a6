// The CPU backend's batch_norm ops against plain loops in float64.
#include "engine/ops/batch_norm.h"

#include <cmath>
#include <limits>

#include "op_case.h"

namespace strata::test {
namespace {

struct Statistics {
    Doubles mean, variance;
};

Statistics statistics(const Floats& x, std::int64_t rows, std::int64_t c) {
    Statistics s{Doubles(static_cast<std::size_t>(c)), Doubles(static_cast<std::size_t>(c))};
    const auto columns = static_cast<std::size_t>(c);
    for (std::size_t i = 0; i < x.size(); ++i)
        s.mean[i % columns] += static_cast<double>(x[i]) / static_cast<double>(rows);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double d = static_cast<double>(x[i]) - s.mean[i % columns];
        s.variance[i % columns] += d * d / static_cast<double>(rows);
    }
    return s;
}

class BatchNorm : public testing::TestWithParam<Shape> {
protected:
    void SetUp() override {
        x = random_floats(GetParam().elements(), 1, 2.0F, 6.0F);
        gamma = random_floats(c, 2, 0.5F, 2.0F);
        beta = random_floats(c, 3);
        moving_mean = random_floats(c, 4);
        moving_variance = random_floats(c, 5, 0.5F, 1.5F);
        expected = statistics(x, rows, c);
    }
    std::int64_t c = GetParam()[-1];
    std::int64_t rows = GetParam().elements() / c;
    Floats x, gamma, beta, moving_mean, moving_variance;
    Statistics expected;
};

INSTANTIATE_TEST_SUITE_P(Shapes, BatchNorm,
                         testing::Values(Shape{4, 1}, Shape{64, 33}, Shape{3, 5, 4, 7},
                                         Shape{8, 13, 13, 32}, Shape{3000, 16}));

TEST_P(BatchNorm, TrainingNormalisesAndMovesTheAverages) {
    OpCase op{ops::BatchNormTraining{0.9F, 1e-3F}};
    op.input(GetParam(), x).input({c}, gamma).input({c}, beta);
    op.input({c}, moving_mean).input({c}, moving_variance);
    op.output(GetParam()).output({c}).output({c}).run();
    Doubles y, inverse, mean_after, variance_after;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c); ++i) {
        inverse.push_back(1.0 / std::sqrt(expected.variance[i] + 1e-3));
        mean_after.push_back(0.9 * static_cast<double>(moving_mean[i]) + 0.1 * expected.mean[i]);
        variance_after.push_back(0.9 * static_cast<double>(moving_variance[i]) +
                                 0.1 * expected.variance[i]);
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t k = i % static_cast<std::size_t>(c);
        y.push_back((static_cast<double>(x[i]) - expected.mean[k]) * inverse[k] *
                        static_cast<double>(gamma[k]) +
                    static_cast<double>(beta[k]));
    }
    expect_close(op.result(0), y, 1e-5, "y");
    expect_close(op.result(1), expected.mean, 1e-6, "mean");
    expect_close(op.result(2), inverse, 1e-5, "inverse deviation");
    expect_close(op.updated(3), mean_after, 1e-6, "moving mean");
    expect_close(op.updated(4), variance_after, 1e-6, "moving variance");
}

TEST_P(BatchNorm, InferenceUsesTheAverages) {
    OpCase op{ops::BatchNormInference{1e-3F}};
    op.input(GetParam(), x).input({c}, gamma).input({c}, beta);
    op.input({c}, moving_mean).input({c}, moving_variance).output_in_place(0).run();
    Doubles y;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t k = i % static_cast<std::size_t>(c);
        y.push_back((static_cast<double>(x[i]) - static_cast<double>(moving_mean[k])) /
                        std::sqrt(static_cast<double>(moving_variance[k]) + 1e-3) *
                        static_cast<double>(gamma[k]) +
                    static_cast<double>(beta[k]));
    }
    expect_close(op.result(), y, 2e-6);
}

TEST_P(BatchNorm, BackwardOverwritesAllThreeGradients) {
    const Floats dy = random_floats(GetParam().elements(), 6);
    const auto columns = static_cast<std::size_t>(c);
    Doubles inverse(columns), dgamma(columns), dbeta(columns), dx;
    Floats mean_in(columns), inverse_in(columns);
    for (std::size_t k = 0; k < columns; ++k) {
        inverse[k] = 1.0 / std::sqrt(expected.variance[k] + 1e-3);
        mean_in[k] = static_cast<float>(expected.mean[k]);
        inverse_in[k] = static_cast<float>(inverse[k]);
    }
    const auto normal = [&](std::size_t i) {
        return (static_cast<double>(x[i]) - expected.mean[i % columns]) * inverse[i % columns];
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        dbeta[i % columns] += static_cast<double>(dy[i]);
        dgamma[i % columns] += static_cast<double>(dy[i]) * normal(i);
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t k = i % columns;
        const double m = static_cast<double>(rows);
        dx.push_back(static_cast<double>(gamma[k]) * inverse[k] *
                     (static_cast<double>(dy[i]) - dbeta[k] / m - normal(i) * dgamma[k] / m));
    }
    OpCase op{ops::BatchNormBackward{}};
    op.input(GetParam(), dy).input(GetParam(), x).input({c}, gamma).input({c}, mean_in);
    op.input({c}, inverse_in).output(GetParam()).output({c}).output({c}).run({}, 2);
    expect_close(op.result(0), dx, 1e-5, "dx");
    expect_close(op.result(1), dgamma, 2e-5, "dgamma");
    expect_close(op.result(2), dbeta, 2e-5, "dbeta");
}

// The statistics of 3000 rows from parts of 1000, 1900 and 100; the last channel is not finite in
// one of them.
TEST(WindowStatistics, AreThoseOfAllRows) {
    const std::int64_t c = 4;
    Floats x = random_floats(3000 * c, 1, 2.0F, 6.0F);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += 300.0F + 0.01F * static_cast<float>(i / c);
    const Statistics expected = statistics(x, 3000, c);
    Doubles mean(c, std::nan("")), variance(c, std::nan(""));
    std::int64_t done = 0;
    for (const std::int64_t rows : {1000, 1900, 100}) {
        const auto* first = x.data() + done * c;
        const Statistics part = statistics({first, first + rows * c}, rows, c);
        Floats part_mean(part.mean.begin(), part.mean.end());
        Floats part_variance(part.variance.begin(), part.variance.end());
        if (done == 1000) part_variance[3] = std::numeric_limits<float>::infinity();
        OpCase op{ops::AccumulateStatistics{rows}};
        op.input({c}, mean).input({c}, variance).input({c}, part_mean).input({c}, part_variance);
        op.output_in_place(0).output_in_place(1);
        ops::StepScalars scalars;
        scalars.samples_before = done;
        op.run(scalars);
        mean = op.updated<double>(0);
        variance = op.updated<double>(1);
        done += rows;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(mean[i], expected.mean[i], 1e-7 * expected.mean[i]);
        // The parts' means come as float32: their distances are exact to 3e-5 only.
        EXPECT_NEAR(variance[i], expected.variance[i], 1e-5 * expected.variance[i]);
    }
    EXPECT_FALSE(std::isfinite(mean[3]));
    EXPECT_FALSE(std::isfinite(variance[3]));
}

TEST(MovingAverage, FollowsFiniteStatisticsOfFiniteSteps) {
    const Floats average{1.0F, -2.0F, 5.0F};
    const Doubles statistic{3.0, 0.5, std::nan("")};
    for (const double norm : {1.0, std::numeric_limits<double>::infinity()}) {
        OpCase op{ops::MovingAverage{0.75F}};
        op.input({3}, average).input({3}, statistic).input({}, Doubles{norm});
        op.output_in_place(0).run();
        expect_close(op.result(),
                     std::isfinite(norm) ? Doubles{1.5, -1.375, 5.0} : Doubles{1.0, -2.0, 5.0},
                     0.0);
    }
}

}  // namespace
}  // namespace strata::test
