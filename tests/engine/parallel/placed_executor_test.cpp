// A model on several devices trains as it does on one: SEMANTICS "Data parallelism" and "Model and
// pipeline parallelism".
#include "engine/parallel/placed_executor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/core/reference.h"
#include "tests/engine/graph/models.h"

namespace strata::parallel {
namespace {

using graph::Executor;
using graph::HostTensor;
using graph::Model;
using graph::TrainingSetup;
using graph::testing::batchless;
using graph::testing::classic;
using graph::testing::cnn;
using graph::testing::options_of;
using graph::testing::scalars_of;
using graph::testing::setup_of;
using strata::testing::random_values;

// Layer by layer in file order, `per` of them on each device in turn.
Model placed(Model model, int devices, std::size_t per) {
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        model.layers[i].device =
            "cpu:" + std::to_string(i / per % static_cast<std::size_t>(devices));
    return model;
}

struct Data {
    std::vector<float> inputs;
    std::vector<std::int32_t> labels;
};

Data data_for(const Model& model, std::int64_t n, unsigned seed) {
    const graph::ModelReport report = graph::require_valid(model);
    const auto floats = report.layers[static_cast<std::size_t>(report.input)].output->elements();
    const auto classes = (*report.layers[static_cast<std::size_t>(report.output)].output)[-1];
    Data data;
    data.inputs = random_values(n * floats, seed);
    for (std::int64_t i = 0; i < n; ++i)
        data.labels.push_back(static_cast<std::int32_t>((i * 7 + seed) % classes));
    return data;
}

constexpr std::int64_t batch = 12;
constexpr int steps = 20;

// Loss of each of 20 steps, the 7th with a short batch; dropout draws from the sample's number.
template <typename Runner>
std::vector<double> losses_of(Runner& runner, const Model& model) {
    std::vector<double> losses;
    runner.initialize(5);
    for (int step = 0; step < steps; ++step) {
        const std::int64_t n = step == 6 ? 5 : batch;
        const Data data = data_for(model, n, static_cast<unsigned>(step % 4));
        ops::StepScalars scalars = scalars_of(0.05, step + 1);
        scalars.seed = 3;
        scalars.step = static_cast<std::uint32_t>(step);
        scalars.first_sample = step * batch;
        losses.push_back(
            runner.train_step(data.inputs.data(), data.labels.data(), n, scalars).loss_sum /
            static_cast<double>(n));
    }
    return losses;
}

void expect_close(const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], 1e-5 * std::abs(b[i])) << "step " << i;
}

void expect_close(const std::vector<HostTensor>& a, const std::vector<HostTensor>& b,
                  double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].layer + a[i].role + a[i].slot, b[i].layer + b[i].role + b[i].slot);
        for (std::size_t e = 0; e < a[i].values.size(); ++e)
            ASSERT_NEAR(a[i].values[e], b[i].values[e], tolerance) << a[i].layer << a[i].role;
    }
}

struct Case {
    std::string name;
    Model model;
    PlacementOptions placement;
};

PlacementOptions replicas(int count) {
    PlacementOptions options;
    options.replicas = count;
    return options;
}

PlacementOptions pipeline(ScheduleKind schedule, int micro_batches, int replicas = 1) {
    PlacementOptions options;
    options.schedule = schedule;
    options.micro_batches = micro_batches;
    options.replicas = replicas;
    return options;
}

std::vector<Case> cases() {
    std::vector<Case> cases;
    for (int r : {1, 2, 4}) {
        cases.push_back({"branches_r" + std::to_string(r), batchless(), replicas(r)});
        cases.push_back({"cnn_r" + std::to_string(r), cnn(), replicas(r)});
    }
    for (auto kind : {ScheduleKind::naive, ScheduleKind::gpipe, ScheduleKind::one_f_one_b})
        for (int m : {1, 3, 4}) {
            const std::string name = std::string(name_of(kind)) + "_m" + std::to_string(m);
            cases.push_back({"classic_p2_" + name, placed(classic(), 2, 3), pipeline(kind, m)});
            cases.push_back({"cnn_p4_" + name, placed(cnn(), 4, 2), pipeline(kind, m)});
            cases.push_back({"branches_p3_" + name, placed(batchless(), 3, 3), pipeline(kind, m)});
        }
    cases.push_back({"cnn_2x2", placed(cnn(), 2, 4), pipeline(ScheduleKind::one_f_one_b, 3, 2)});
    cases.push_back(
        {"branches_2x2", placed(batchless(), 2, 5), pipeline(ScheduleKind::gpipe, 2, 2)});
    for (int m : {2, 4, 6})
        cases.push_back({"cnn_interleaved_m" + std::to_string(m), placed(cnn(), 2, 2),
                         pipeline(ScheduleKind::interleaved, m)});
    return cases;
}

class PlacedExecutorTest : public ::testing::TestWithParam<Case> {};

TEST_P(PlacedExecutorTest, TrainsAsOneDeviceDoes) {
    const Case& entry = GetParam();
    TrainingSetup setup = setup_of("Adam");
    Model single = entry.model;
    for (graph::LayerNode& node : single.layers) node.device = "cpu:0";
    Executor one(single, &setup, options_of(batch));
    PlacedExecutor many(entry.model, &setup, options_of(batch), entry.placement);
    expect_close(losses_of(many, entry.model), losses_of(one, entry.model));
    expect_close(many.snapshot(true), one.snapshot(true), 2e-4);

    const Data data = data_for(entry.model, 7, 9);
    const auto a = many.evaluate(data.inputs.data(), data.labels.data(), 7);
    const auto b = one.evaluate(data.inputs.data(), data.labels.data(), 7);
    EXPECT_NEAR(a.loss_sum, b.loss_sum, 1e-4 * b.loss_sum);
    EXPECT_EQ(a.metric_sums, b.metric_sums);

    // Two batches at once come out in their order, as each did alone.
    many.begin_evaluate(data.inputs.data(), data.labels.data(), 7);
    many.begin_evaluate(data.inputs.data(), data.labels.data(), 3);
    EXPECT_EQ(many.finish_evaluate().loss_sum, a.loss_sum);
    const double last = many.finish_evaluate().loss_sum;
    EXPECT_EQ(last, many.evaluate(data.inputs.data(), data.labels.data(), 3).loss_sum);
    EXPECT_NE(last, a.loss_sum);
}

std::string name_of_case(const ::testing::TestParamInfo<Case>& entry) {
    return entry.param.name;
}

INSTANTIATE_TEST_SUITE_P(Cases, PlacedExecutorTest, ::testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace strata::parallel
