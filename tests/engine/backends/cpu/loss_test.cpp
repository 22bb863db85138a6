// The CPU backend's loss ops against plain loops in float64.
#include "engine/ops/loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "op_case.h"

namespace strata::test {
namespace {

using Labels = std::vector<std::int32_t>;

struct Sizes {
    std::int64_t m, c;
};
const std::vector<Sizes> all_sizes{{1, 1}, {1, 10}, {64, 10}, {5, 37}, {400, 100}};
constexpr float scale = 4.0F;

Labels labels_for(Sizes s) {
    Labels labels;
    for (std::int64_t i = 0; i < s.m; ++i) labels.push_back(static_cast<std::int32_t>(i * 7 % s.c));
    return labels;
}

// Rows that sum to 1.
Floats distributions(Sizes s, unsigned seed) {
    Floats t = random_floats(s.m * s.c, seed, 0.01F, 1.0F);
    for (std::int64_t r = 0; r < s.m; ++r) {
        float sum = 0.0F;
        for (std::int64_t i = 0; i < s.c; ++i) sum += t[static_cast<std::size_t>(r * s.c + i)];
        for (std::int64_t i = 0; i < s.c; ++i) t[static_cast<std::size_t>(r * s.c + i)] /= sum;
    }
    return t;
}

Floats one_hot(Sizes s, const Labels& labels) {
    Floats t(static_cast<std::size_t>(s.m * s.c));
    for (std::size_t r = 0; r < labels.size(); ++r)
        t[r * static_cast<std::size_t>(s.c) + static_cast<std::size_t>(labels[r])] = 1.0F;
    return t;
}

// Loss of one row as a function of its scores, in float64; gradients by central differences.
using RowLoss = double (*)(const Doubles& scores, const double* targets);

double softmax_row(const Doubles& z, const double* t) {
    const double top = *std::max_element(z.begin(), z.end());
    double sum = 0.0, loss = 0.0;
    for (double v : z) sum += std::exp(v - top);
    for (std::size_t i = 0; i < z.size(); ++i) loss -= t[i] * (z[i] - top - std::log(sum));
    return loss;
}

double probability_row(const Doubles& p, const double* t) {
    double sum = 0.0, loss = 0.0;
    for (double v : p) sum += v;
    for (std::size_t i = 0; i < p.size(); ++i)
        loss -= t[i] * std::log(std::clamp(p[i] / sum, 1e-7, 1.0 - 1e-7));
    return loss;
}

double binary_logits_row(const Doubles& z, const double* t) {
    double loss = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i)
        loss += std::max(z[i], 0.0) - z[i] * t[i] + std::log1p(std::exp(-std::fabs(z[i])));
    return loss / static_cast<double>(z.size());
}

double binary_probability_row(const Doubles& p, const double* t) {
    double loss = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double q = std::clamp(p[i], 1e-7, 1.0 - 1e-7);
        loss -= t[i] * std::log(q) + (1.0 - t[i]) * std::log(1.0 - q);
    }
    return loss / static_cast<double>(p.size());
}

double squared_row(const Doubles& p, const double* t) {
    double loss = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) loss += (p[i] - t[i]) * (p[i] - t[i]);
    return loss / static_cast<double>(p.size());
}

struct Reference {
    double loss = 0.0;
    Doubles gradient;  // times the loss scale
};

Reference reference(Sizes s, const Floats& scores, const Floats& targets, RowLoss row) {
    Reference r;
    const auto c = static_cast<std::size_t>(s.c);
    const Doubles t = to_doubles(targets);
    for (std::size_t first = 0; first < scores.size(); first += c) {
        Doubles z(scores.begin() + static_cast<std::ptrdiff_t>(first),
                  scores.begin() + static_cast<std::ptrdiff_t>(first + c));
        r.loss += row(z, &t[first]);
        for (double& v : z) {
            constexpr double h = 1e-6;
            v += h;
            const double above = row(z, &t[first]);
            v -= 2.0 * h;
            const double below = row(z, &t[first]);
            v += h;
            r.gradient.push_back(static_cast<double>(scale) * (above - below) / (2.0 * h));
        }
    }
    return r;
}

template <typename T>
void check(const ops::Attributes& op, Sizes s, const Floats& scores, const Shape& target_shape,
           const std::vector<T>& targets, const Reference& expected, bool in_place = false) {
    const ops::StepScalars scalars{.loss_scale = scale};
    const Shape shape{s.m, s.c};
    OpCase training(op);
    training.input(shape, scores).input(target_shape, targets).template output<double>({});
    in_place ? training.output_in_place(0) : training.output(shape);
    training.run(scalars);
    const double near = 2e-6 * (1.0 + std::fabs(expected.loss));
    EXPECT_NEAR(training.template result<double>(0)[0], expected.loss, near);
    expect_close(training.result(1), expected.gradient, 2e-5, "gradient");
    OpCase evaluation(op);
    evaluation.input(shape, scores).input(target_shape, targets).template output<double>({});
    EXPECT_NEAR(evaluation.run(scalars).template result<double>(0)[0], expected.loss, near);
}

TEST(SoftmaxCrossEntropy, SparseLabels) {
    for (const Sizes& s : all_sizes) {
        const Floats z = random_floats(s.m * s.c, 1, -5.0F, 5.0F);
        const Labels labels = labels_for(s);
        const Reference r = reference(s, z, one_hot(s, labels), softmax_row);
        check(ops::SoftmaxCrossEntropy{}, s, z, {s.m}, labels, r);
        check(ops::SoftmaxCrossEntropy{}, s, z, {s.m}, labels, r, true);
    }
}

TEST(SoftmaxCrossEntropy, IsStableForLargeLogits) {
    OpCase op{ops::SoftmaxCrossEntropy{}};
    op.input({2, 3}, Floats{1000, 0, -1000, -2000, 0, 2000}).input({2}, Labels{1, 2});
    op.output<double>({}).output({2, 3}).run();
    EXPECT_DOUBLE_EQ(op.result<double>(0)[0], 1000.0);
    expect_close(op.result(1), {1, -1, 0, 0, 0, 0}, 1e-6);
}

TEST(SoftmaxCrossEntropy, ALabelOutsideGivesNaNAndReadsNothing) {
    OpCase op{ops::SoftmaxCrossEntropy{}};
    op.input({2, 3}, Floats(6)).input({2}, Labels{0, 3}).output<double>({}).run();
    EXPECT_TRUE(std::isnan(op.result<double>(0)[0]));
}

TEST(SoftmaxCrossEntropy, SoftTargets) {
    for (const Sizes& s : all_sizes) {
        const Floats z = random_floats(s.m * s.c, 2, -5.0F, 5.0F);
        const Floats t = distributions(s, 3);
        check(ops::SoftmaxCrossEntropySoft{}, s, z, {s.m, s.c}, t, reference(s, z, t, softmax_row));
    }
}

TEST(CrossEntropyFromProbabilities, DividesByTheSum) {
    for (const Sizes& s : all_sizes) {
        if (s.c == 1) continue;  // p / sum is 1: clipped, no gradient
        const Floats p = random_floats(s.m * s.c, 4, 0.05F, 1.0F);
        const Labels labels = labels_for(s);
        check(ops::CrossEntropyFromProbabilities{true}, s, p, {s.m}, labels,
              reference(s, p, one_hot(s, labels), probability_row));
        const Floats t = distributions(s, 5);
        check(ops::CrossEntropyFromProbabilities{false}, s, p, {s.m, s.c}, t,
              reference(s, p, t, probability_row));
    }
}

TEST(CrossEntropyFromProbabilities, ClipsAtKerasEpsilon) {
    OpCase op{ops::CrossEntropyFromProbabilities{true}};
    op.input({1, 2}, Floats{0.0F, 1.0F}).input({1}, Labels{0}).output<double>({}).run();
    EXPECT_NEAR(op.result<double>(0)[0], -std::log(1e-7), 1e-5);
}

TEST(BinaryCrossEntropy, FromLogitsAndProbabilities) {
    for (const Sizes& s : all_sizes) {
        const Floats t = random_floats(s.m * s.c, 6, 0.0F, 1.0F);
        const Floats z = random_floats(s.m * s.c, 7, -6.0F, 6.0F);
        check(ops::BinaryCrossEntropy{true}, s, z, {s.m, s.c}, t,
              reference(s, z, t, binary_logits_row));
        const Floats p = random_floats(s.m * s.c, 8, 0.05F, 0.95F);
        check(ops::BinaryCrossEntropy{false}, s, p, {s.m, s.c}, t,
              reference(s, p, t, binary_probability_row));
    }
}

TEST(MeanSquaredError, MeanOfTheLastAxis) {
    for (const Sizes& s : all_sizes) {
        const Floats p = random_floats(s.m * s.c, 9), t = random_floats(s.m * s.c, 10);
        check(ops::MeanSquaredError{}, s, p, {s.m, s.c}, t, reference(s, p, t, squared_row));
    }
}

TEST(Accuracy, CountsTheFirstOfTheLargest) {
    OpCase sparse{ops::Accuracy{ops::AccuracyKind::sparse_categorical}};
    sparse.input({3, 3}, Floats{1, 5, 5, 2, 2, 1, 0, 0, 9}).input({3}, Labels{1, 1, 2});
    EXPECT_EQ(sparse.output<double>({}).run().result<double>(0)[0], 2.0);
    OpCase categorical{ops::Accuracy{ops::AccuracyKind::categorical}};
    categorical.input({2, 3}, Floats{0, 1, 0, 0, 0, 1});
    categorical.input({2, 3}, Floats{.1F, .8F, .1F, .6F, .1F, .3F});
    EXPECT_EQ(categorical.output<double>({}).run().result<double>(0)[0], 1.0);
}

// torch.argmax of these rows is 1, 0, 2 and 1.
TEST(Accuracy, NaNIsTheLargest) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    OpCase op{ops::Accuracy{ops::AccuracyKind::sparse_categorical}};
    op.input({4, 3}, Floats{1, nan, 5, nan, 2, nan, 0, 1, nan, 5, nan, nan});
    op.input({4}, Labels{1, 0, 2, 1});
    EXPECT_EQ(op.output<double>({}).run().result<double>(0)[0], 4.0);
}

TEST(Accuracy, BinaryIsTheShareOfRightColumns) {
    OpCase op{ops::Accuracy{ops::AccuracyKind::binary, 0.5F}};
    op.input({2, 4}, Floats{.6F, .4F, .5F, .9F, .1F, .2F, .7F, .3F});
    op.input({2, 4}, Floats{1, 0, 1, 1, 0, 0, 0, 1});
    EXPECT_DOUBLE_EQ(op.output<double>({}).run().result<double>(0)[0], 0.75 + 0.5);
}

}  // namespace
}  // namespace strata::test
