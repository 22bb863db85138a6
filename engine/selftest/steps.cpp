#include "engine/selftest/steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/random.h"

namespace strata::selftest {
namespace {

using graph::BatchResult;
using graph::HostTensor;

constexpr float learning_rate = 0.05F;
constexpr float float16_loss_scale = 256.0F;

ops::StepScalars scalars_of(int step, const std::string& precision, const Steps& steps) {
    ops::StepScalars scalars;
    scalars.seed = 1;
    scalars.learning_rate = learning_rate;
    scalars.update = step + 1;
    scalars.step = static_cast<std::uint32_t>(step);
    scalars.loss_scale = precision == "mixed_float16" ? float16_loss_scale : 1.0F;
    scalars.clip_limit = steps.clip_limit;
    scalars.weight_decay = steps.weight_decay;
    scalars.first_sample = step * steps.batch;
    return scalars;
}

// Of a tensor, or of the difference of two.
double length(const HostTensor& a, const HostTensor* b = nullptr) {
    double squares = 0.0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double other = b == nullptr ? 0.0 : static_cast<double>(b->values[i]);
        squares += std::pow(static_cast<double>(a.values[i]) - other, 2);
    }
    return std::sqrt(squares);
}

Difference over(double error, double allowed, double whole, std::string what) {
    Difference made;
    made.what = std::move(what);
    // NaN on one side alone is as far as can be.
    made.share = std::isnan(error) ? std::numeric_limits<double>::infinity() : 0.0;
    if (error > 0.0) made.share = error / allowed;
    made.error = std::isnan(error) || whole <= 0.0 ? error : error / whole;
    return made;
}

double apart(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) ? 0.0 : std::fabs(a - b);
}

void keep(Difference& largest, const Difference& other) {
    if (other.share > largest.share || largest.what.empty()) largest = other;
}

Difference refused(std::string what) {
    Difference made;
    made.share = std::numeric_limits<double>::infinity();
    made.error = made.share;
    made.what = std::move(what);
    return made;
}

}  // namespace

const std::vector<std::string>& precisions() {
    static const std::vector<std::string> all{"float32", "mixed_bfloat16", "mixed_float16"};
    return all;
}

double tolerance_of(const std::string& precision) {
    if (precision == "mixed_bfloat16") return 8 * 0x1p-8;
    return precision == "mixed_float16" ? 8 * 0x1p-11 : 1e-4;
}

Problem problem_for(const graph::Model& model, std::int64_t samples) {
    const graph::ModelReport report = graph::require_valid(model);
    const auto elements = [&](int layer) {
        return report.layers[static_cast<std::size_t>(layer)].output->elements();
    };
    const auto uniform = [](std::uint32_t stream, std::int64_t i) {
        return random::uniform(random::draw(21, stream, 0, static_cast<std::uint64_t>(i))[0]);
    };
    Problem problem;
    for (std::int64_t i = 0; i < samples * elements(report.input); ++i)
        problem.inputs.push_back(2.0F * uniform(1, i) - 1.0F);
    const std::int64_t outputs = elements(report.output);
    for (std::int64_t i = 0; i < samples * outputs; ++i)
        problem.targets.push_back(uniform(2, i) < 0.4F ? 1.0F : 0.0F);
    for (std::int64_t i = 0; i < samples; ++i)
        problem.labels.push_back(static_cast<std::int32_t>((7 * i + 2) % outputs));
    return problem;
}

History history_on(graph::ExecutorOptions options, const graph::Model& model,
                   const graph::TrainingSetup& setup, const Steps& steps) {
    options.batch = steps.batch;
    options.input_dtype = DType::float32;
    graph::Executor executor(model, &setup, options);
    executor.initialize(3);
    const Problem problem = problem_for(model, steps.batch);
    const bool by_label = setup.loss->target == losses::TargetKind::class_index;
    const void* targets = by_label ? static_cast<const void*>(problem.labels.data())
                                   : static_cast<const void*>(problem.targets.data());
    History history;
    for (int step = 0; step < steps.count; ++step) {
        history.results.push_back(executor.train_step(problem.inputs.data(), targets, steps.batch,
                                                      scalars_of(step, setup.precision, steps)));
        if (step == 0) history.gradients = executor.gradients();
    }
    history.state = executor.snapshot(true);
    history.evaluation = executor.evaluate(problem.inputs.data(), targets, steps.batch);
    return history;
}

Difference difference(const std::vector<HostTensor>& a, const std::vector<HostTensor>& b,
                      double tolerance, const std::string& what) {
    if (a.size() != b.size()) return refused("number of tensors (" + what + ")");
    double largest = 0.0;
    for (const HostTensor& tensor : b) largest = std::max(largest, length(tensor));
    Difference worst;
    for (std::size_t k = 0; k < b.size(); ++k) {
        const std::string name = what + " of " + b[k].layer + "/" + b[k].role +
                                 (b[k].slot.empty() ? "" : " " + b[k].slot);
        if (a[k].values.size() != b[k].values.size()) return refused("shape (" + name + ")");
        const double whole =
            std::max(length(b[k]), (b[k].shape.rank() == 1 ? 1.0 : 1e-2) * largest);
        keep(worst, over(length(a[k], &b[k]), tolerance * whole, whole, name));
    }
    return worst;
}

Difference difference(const BatchResult& a, const BatchResult& b, double tolerance,
                      std::int64_t batch) {
    Difference worst;
    const auto compare = [&](double x, double y, double allowed, double whole, const char* name) {
        keep(worst, over(apart(x, y), allowed, whole, name));
    };
    const double loss = 1.0 + std::abs(b.loss_sum), norm = 0.01 + b.gradient_norm;
    compare(a.loss_sum, b.loss_sum, tolerance * loss, loss, "loss");
    compare(a.gradient_norm, b.gradient_norm, tolerance * norm, norm, "gradient norm");
    if (a.applied != b.applied) return refused("whether the step was skipped");
    if (a.metric_sums.size() != b.metric_sums.size()) return refused("number of metrics");
    // A tie may fall to either side where results are rounded.
    const auto samples = static_cast<double>(batch);
    for (std::size_t i = 0; i < b.metric_sums.size(); ++i)
        compare(a.metric_sums[i], b.metric_sums[i], tolerance < 1e-3 ? 1e-9 : 0.25 * samples,
                samples, "metric");
    return worst;
}

Difference difference(const History& a, const History& b, double tolerance, std::int64_t batch) {
    if (a.results.size() != b.results.size()) return refused("number of steps");
    Difference worst;
    for (std::size_t i = 0; i < b.results.size(); ++i) {
        Difference step = difference(a.results[i], b.results[i], tolerance, batch);
        step.what += " of step " + std::to_string(i + 1);
        keep(worst, step);
    }
    Difference evaluation = difference(a.evaluation, b.evaluation, tolerance, batch);
    evaluation.what += " of the evaluation";
    keep(worst, evaluation);
    keep(worst, difference(a.gradients, b.gradients, tolerance, "gradient"));
    keep(worst, difference(a.state, b.state, tolerance, "state"));
    return worst;
}

}  // namespace strata::selftest
