// Losses: values against the formulas in float64, gradients against their central differences.
#include "kernels/loss.h"

#include <algorithm>
#include <functional>

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;
using Row = std::vector<double>;
using RowLoss = std::function<double(const Row& scores, const Row& targets)>;

double softmax_loss(const Row& z, const Row& t) {
    const double top = *std::max_element(z.begin(), z.end());
    double sum = 0.0;
    for (double v : z) sum += std::exp(v - top);
    double loss = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) loss -= t[i] * (z[i] - top - std::log(sum));
    return loss;
}

double probability_loss(const Row& p, const Row& t) {
    double sum = 0.0;
    for (double v : p) sum += v;
    double loss = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        loss -= t[i] * std::log(std::clamp(p[i] / sum, 1e-7, 1.0 - 1e-7));
    }
    return loss;
}

double binary_logits_loss(const Row& z, const Row& t) {
    double loss = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        loss += std::max(z[i], 0.0) - z[i] * t[i] + std::log1p(std::exp(-std::fabs(z[i])));
    }
    return loss / static_cast<double>(z.size());
}

double binary_loss(const Row& p, const Row& t) {
    double loss = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double q = std::clamp(p[i], 1e-7, 1.0 - 1e-7);
        loss -= t[i] * std::log(q) + (1.0 - t[i]) * std::log(1.0 - q);
    }
    return loss / static_cast<double>(p.size());
}

double squared_error(const Row& p, const Row& t) {
    double loss = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) loss += (p[i] - t[i]) * (p[i] - t[i]);
    return loss / static_cast<double>(p.size());
}

// Rows of every number of lanes, of which the last warp is not full, and of a block each.
constexpr RowShape shapes[] = {{0, 3},   {1, 1},  {5, 10}, {33, 31}, {9, 257}, {300, 3}, {2, 1100},
                               {7, 36},  {77, 1}, {65, 2}, {33, 4},  {35, 5},  {19, 8},  {13, 16},
                               {21, 17}, {9, 21}, {3, 33}, {7, 64},  {5, 100}};

struct Problem {
    std::vector<float> scores, targets;
    std::vector<std::int32_t> labels;
};

// Scores in [low, high], targets whose rows sum to 1, labels.
Problem make_problem(RowShape s, float low, float high) {
    const auto n = static_cast<std::size_t>(s.rows * s.cols);
    Problem p{random_floats(n, 1, low, high), random_floats(n, 2, 0.1F, 1.0F),
              random_labels(static_cast<std::size_t>(s.rows), s.cols, 3)};
    for (std::int64_t r = 0; r < s.rows; ++r) {
        float sum = 0.0F;
        for (std::int64_t c = 0; c < s.cols; ++c) sum += p.targets[std::size_t(r * s.cols + c)];
        for (std::int64_t c = 0; c < s.cols; ++c) p.targets[std::size_t(r * s.cols + c)] /= sum;
    }
    return p;
}

std::vector<float> one_hot(const std::vector<std::int32_t>& labels, std::int64_t cols) {
    std::vector<float> t(labels.size() * static_cast<std::size_t>(cols), 0.0F);
    for (std::size_t r = 0; r < labels.size(); ++r) {
        t[r * static_cast<std::size_t>(cols) + static_cast<std::size_t>(labels[r])] = 1.0F;
    }
    return t;
}

// Loss and gradient (times scale) of all rows.
struct Expected {
    double loss = 0.0;
    std::vector<double> gradient;
};
Expected expect_of(const RowLoss& loss, const std::vector<float>& scores,
                   const std::vector<float>& targets, RowShape s, double scale) {
    Expected all;
    for (std::int64_t r = 0; r < s.rows; ++r) {
        Row z(scores.begin() + r * s.cols, scores.begin() + (r + 1) * s.cols);
        const Row t(targets.begin() + r * s.cols, targets.begin() + (r + 1) * s.cols);
        all.loss += loss(z, t);
        for (double& v : z) {
            constexpr double h = 1e-6;
            const double at = v;
            v = at + h;
            const double above = loss(z, t);
            v = at - h;
            all.gradient.push_back(scale * (above - loss(z, t)) / (2 * h));
            v = at;
        }
    }
    return all;
}

using Launcher = std::function<cudaError_t(LossOutputs, const float* scores, void* workspace)>;

// The launcher with a gradient of its own, one over the scores, and none.
void check(const Launcher& launch, const Expected& want, const std::vector<float>& scores,
           RowShape s, double tolerance) {
    SCOPED_TRACE(std::to_string(s.rows) + " x " + std::to_string(s.cols));
    const DeviceArray<float> in(scores), gradient(scores.size());
    const DeviceArray<double> loss(1), alone(1);
    const DeviceArray<char> workspace(loss_workspace_bytes(s.rows));
    ASSERT_EQ(launch({alone.get(), nullptr, 8.0F, nullptr}, in.get(), workspace.get()),
              cudaSuccess);
    EXPECT_NEAR(alone.value(), want.loss, tolerance * std::max(1.0, std::fabs(want.loss)));
    ASSERT_EQ(launch({loss.get(), gradient.get(), 8.0F, nullptr}, in.get(), workspace.get()),
              cudaSuccess);
    EXPECT_EQ(loss.value(), alone.value());
    EXPECT_TRUE(near(gradient.read(), want.gradient, tolerance));
    ASSERT_EQ(launch({loss.get(), in.get(), 8.0F, nullptr}, in.get(), workspace.get()),
              cudaSuccess);
    EXPECT_EQ(in.read(), gradient.read());
    EXPECT_EQ(loss.value(), alone.value());
}

class LossKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, LossKernel, both_orders(), order_name);

TEST_P(LossKernel, SoftmaxCrossEntropyOfLabelsAndTargets) {
    for (RowShape s : shapes) {
        const Problem p = make_problem(s, -4.0F, 4.0F);
        const DeviceArray<std::int32_t> labels(p.labels);
        const DeviceArray<float> targets(p.targets);
        check(
            [&](LossOutputs out, const float* z, void* workspace) {
                return softmax_cross_entropy(out, z, labels.get(), s, workspace, nullptr);
            },
            expect_of(softmax_loss, p.scores, one_hot(p.labels, s.cols), s, 8.0), p.scores, s,
            1e-5);
        check(
            [&](LossOutputs out, const float* z, void* workspace) {
                return softmax_cross_entropy(out, z, targets.get(), s, workspace, nullptr);
            },
            expect_of(softmax_loss, p.scores, p.targets, s, 8.0), p.scores, s, 1e-5);
    }
}

TEST_P(LossKernel, SoftmaxProbabilitiesOnTheSide) {
    const RowShape s{7, 13};
    const Problem p = make_problem(s, -4.0F, 4.0F);
    const DeviceArray<float> logits(p.scores), probabilities(p.scores.size());
    const DeviceArray<std::int32_t> labels(p.labels);
    const DeviceArray<double> loss(1);
    const DeviceArray<char> workspace(loss_workspace_bytes(s.rows));
    ASSERT_EQ(softmax_cross_entropy({loss.get(), nullptr, 1.0F, probabilities.get()}, logits.get(),
                                    labels.get(), s, workspace.get(), nullptr),
              cudaSuccess);
    std::vector<double> want;
    for (std::size_t r = 0; r < 7; ++r) {
        double sum = 0.0;
        for (std::size_t c = 0; c < 13; ++c) sum += std::exp(double{p.scores[r * 13 + c]});
        for (std::size_t c = 0; c < 13; ++c) {
            want.push_back(std::exp(double{p.scores[r * 13 + c]}) / sum);
        }
    }
    EXPECT_TRUE(near(probabilities.read(), want, 1e-6));
}

TEST_P(LossKernel, CrossEntropyFromProbabilities) {
    for (RowShape s : shapes) {
        const Problem p = make_problem(s, 0.2F, 0.9F);  // rows do not sum to 1
        const DeviceArray<std::int32_t> labels(p.labels);
        const DeviceArray<float> targets(p.targets);
        check(
            [&](LossOutputs out, const float* q, void* workspace) {
                return cross_entropy(out, q, labels.get(), s, workspace, nullptr);
            },
            expect_of(probability_loss, p.scores, one_hot(p.labels, s.cols), s, 8.0), p.scores, s,
            1e-5);
        check(
            [&](LossOutputs out, const float* q, void* workspace) {
                return cross_entropy(out, q, targets.get(), s, workspace, nullptr);
            },
            expect_of(probability_loss, p.scores, p.targets, s, 8.0), p.scores, s, 1e-5);
    }
}

TEST_P(LossKernel, LossesOfIndependentColumns) {
    for (RowShape s : shapes) {
        const Problem logits = make_problem(s, -5.0F, 5.0F);
        const Problem shares = make_problem(s, 0.05F, 0.95F);
        const DeviceArray<float> targets(logits.targets);
        const auto with = [&](auto launcher) {
            return [&, launcher](LossOutputs out, const float* scores, void* workspace) {
                return launcher(out, scores, targets.get(), s, workspace, nullptr);
            };
        };
        check(with(binary_cross_entropy_from_logits),
              expect_of(binary_logits_loss, logits.scores, logits.targets, s, 8.0), logits.scores,
              s, 1e-5);
        check(with(binary_cross_entropy),
              expect_of(binary_loss, shares.scores, logits.targets, s, 8.0), shares.scores, s,
              2e-5);
        check(with(mean_squared_error),
              expect_of(squared_error, logits.scores, logits.targets, s, 8.0), logits.scores, s,
              1e-5);
    }
}

TEST_P(LossKernel, ClippedProbabilitiesHaveNoGradient) {
    const std::vector<float> p{0.0F, 1.0F, 0.5F};
    const DeviceArray<float> in(p), targets(std::vector<float>{1.0F, 0.0F, 1.0F}), gradient(3);
    const DeviceArray<double> loss(1);
    const DeviceArray<char> workspace(loss_workspace_bytes(1));
    ASSERT_EQ(binary_cross_entropy({loss.get(), gradient.get(), 1.0F, nullptr}, in.get(),
                                   targets.get(), {1, 3}, workspace.get(), nullptr),
              cudaSuccess);
    EXPECT_TRUE(near(gradient.read(), std::vector<double>{0.0, 0.0, -2.0 / 3.0}, 1e-6));
    // 1 - 1e-7 is 1 - 1.19e-7 in float32, hence the slack.
    EXPECT_NEAR(loss.value(), (-std::log(1e-7) - std::log(1e-7) + std::log(2.0)) / 3.0, 0.1);
}

TEST_P(LossKernel, ALabelOutsideMakesItsRowNan) {
    const RowShape s{3, 4};
    const Problem p = make_problem(s, 0.2F, 0.9F);
    for (std::int32_t bad : {-1, 4}) {
        for (bool logits : {true, false}) {
            const DeviceArray<float> scores(p.scores), gradient(12);
            const DeviceArray<std::int32_t> labels(std::vector<std::int32_t>{0, bad, 2});
            const DeviceArray<double> loss(1);
            const DeviceArray<char> workspace(loss_workspace_bytes(3));
            const LossOutputs out{loss.get(), gradient.get(), 1.0F, nullptr};
            ASSERT_EQ(logits ? softmax_cross_entropy(out, scores.get(), labels.get(), s,
                                                     workspace.get(), nullptr)
                             : cross_entropy(out, scores.get(), labels.get(), s, workspace.get(),
                                             nullptr),
                      cudaSuccess);
            EXPECT_TRUE(std::isnan(loss.value()));
            const std::vector<float> g = gradient.read();
            for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(std::isnan(g[i]), i / 4 == 1) << i;
        }
    }
}

// More than one block adds up, and no more than they may be.
TEST_P(LossKernel, ManyRows) {
    EXPECT_EQ(loss_partial_sums(4096), 0);
    EXPECT_EQ(loss_partial_sums(std::int64_t{1} << 40), 1024);
    for (const RowShape s : {RowShape{4096, 2}, RowShape{4097, 1}, RowShape{20003, 1}}) {
        const Problem p = make_problem(s, 0.05F, 0.95F);
        std::vector<float> bits = p.targets;
        double right = 0.0;
        for (std::size_t i = 0; i < bits.size(); ++i) {
            bits[i] = i % 3 == 0 ? 1.0F : 0.0F;
            right += (p.scores[i] > 0.4F) == (bits[i] == 1.0F) ? 1.0 : 0.0;
        }
        double square = 0.0;
        for (std::size_t i = 0; i < bits.size(); ++i)
            square += std::pow(double{p.scores[i]} - p.targets[i], 2);
        const auto cols = static_cast<double>(s.cols);
        const DeviceArray<float> scores(p.scores), targets(p.targets), truth(bits);
        const DeviceArray<double> loss(1), count(1);
        const DeviceArray<char> workspace(loss_workspace_bytes(s.rows));
        ASSERT_EQ(mean_squared_error({loss.get(), nullptr, 1.0F, nullptr}, scores.get(),
                                     targets.get(), s, workspace.get(), nullptr),
                  cudaSuccess);
        EXPECT_NEAR(loss.value(), square / cols, 1e-6 * square) << s.rows;
        ASSERT_EQ(binary_accuracy(count.get(), scores.get(), truth.get(), s, 0.4F, workspace.get(),
                                  nullptr),
                  cudaSuccess);
        EXPECT_NEAR(count.value(), right / cols, 1e-9) << s.rows;
    }
}

TEST_P(LossKernel, RowsWithoutColumnsCountNothing) {
    const DeviceArray<double> loss(1), count(1);
    const DeviceArray<char> workspace(loss_workspace_bytes(3));
    ASSERT_EQ(mean_squared_error({loss.get(), nullptr, 1.0F, nullptr}, nullptr, nullptr, {3, 0},
                                 workspace.get(), nullptr),
              cudaSuccess);
    ASSERT_EQ(categorical_accuracy(count.get(), nullptr, nullptr, {3, 0}, workspace.get(), nullptr),
              cudaSuccess);
    EXPECT_EQ(loss.value(), 0.0);
    EXPECT_EQ(count.value(), 0.0);
}

TEST_P(LossKernel, Accuracies) {
    for (RowShape s : shapes) {
        Problem p = make_problem(s, 0.0F, 1.0F);
        const auto cols = static_cast<std::size_t>(s.cols);
        double sparse = 0.0, categorical = 0.0, binary = 0.0;
        std::vector<float> bits = p.targets;
        for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = i % 3 == 0 ? 1.0F : 0.0F;
        for (std::size_t r = 0; r < static_cast<std::size_t>(s.rows); ++r) {
            float* row = p.scores.data() + r * cols;
            row[cols - 1] = row[0];  // equals: the first wins
            const float* target = p.targets.data() + r * cols;
            const auto guess = std::max_element(row, row + cols) - row;
            if (r % 2 == 0) p.labels[r] = static_cast<std::int32_t>(guess);
            sparse += guess == p.labels[r] ? 1.0 : 0.0;
            categorical += guess == std::max_element(target, target + cols) - target ? 1.0 : 0.0;
            double right = 0.0;
            for (std::size_t c = 0; c < cols; ++c) {
                right += (row[c] > 0.4F) == (bits[r * cols + c] == 1.0F) ? 1.0 : 0.0;
            }
            binary += right / static_cast<double>(cols);
        }
        const DeviceArray<float> scores(p.scores), targets(p.targets), truth(bits);
        const DeviceArray<std::int32_t> labels(p.labels);
        const DeviceArray<double> count(1);
        const DeviceArray<char> workspace(loss_workspace_bytes(s.rows));
        ASSERT_EQ(sparse_categorical_accuracy(count.get(), scores.get(), labels.get(), s,
                                              workspace.get(), nullptr),
                  cudaSuccess);
        EXPECT_EQ(count.value(), sparse) << s.rows << " x " << s.cols;
        ASSERT_EQ(categorical_accuracy(count.get(), scores.get(), targets.get(), s, workspace.get(),
                                       nullptr),
                  cudaSuccess);
        EXPECT_EQ(count.value(), categorical) << s.rows << " x " << s.cols;
        ASSERT_EQ(binary_accuracy(count.get(), scores.get(), truth.get(), s, 0.4F, workspace.get(),
                                  nullptr),
                  cudaSuccess);
        EXPECT_NEAR(count.value(), binary, 1e-9) << s.rows << " x " << s.cols;
    }
}

// The first of them is the guess, however the row is dealt out to lanes.
TEST_P(LossKernel, AccuraciesOfRowsWithNan) {
    for (const std::int64_t cols : {3, 16, 20, 40}) {
        const RowShape s{6, cols};
        const auto count_of = static_cast<std::size_t>(s.rows * cols);
        std::vector<float> scores(count_of + 1, 0.5F);  // from the second on: not aligned
        std::vector<std::int32_t> labels;
        for (std::int64_t r = 0; r < s.rows; ++r) {
            const std::int64_t first = r % (cols - 1);
            labels.push_back(static_cast<std::int32_t>(first));
            for (const std::int64_t c : {first, cols - 1})
                scores[static_cast<std::size_t>(r * cols + c) + 1] = NAN;
        }
        const std::vector<float> aligned(scores.begin() + 1, scores.end());
        const DeviceArray<float> wide(aligned), narrow(scores);
        const DeviceArray<std::int32_t> truth(labels);
        const DeviceArray<double> count(1);
        const DeviceArray<char> workspace(loss_workspace_bytes(s.rows));
        for (const float* row :
             {static_cast<const float*>(wide.get()), static_cast<const float*>(narrow.get()) + 1}) {
            ASSERT_EQ(sparse_categorical_accuracy(count.get(), row, truth.get(), s, workspace.get(),
                                                  nullptr),
                      cudaSuccess);
            EXPECT_EQ(count.value(), 6.0) << cols;
        }
    }
}

}  // namespace
}  // namespace strata::kernels
