// BatchNormalization over the samples of all replicas, SEMANTICS "Data parallelism".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/parallel/equality.h"

namespace strata::parallel {
namespace {

using graph::Executor;
using graph::HostTensor;
using graph::Model;
using graph::TrainingSetup;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using testing::layout;
using testing::Layout;

Model with_norm() {
    return testing::synchronized(graph::testing::branches());
}

TrainingSetup setup_of() {
    return graph::testing::setup_of();
}

// One device normalises each whole batch by its own statistics; so do replicas together.
TEST(SynchronizedNorm, EqualsOneDevice) {
    const TrainingSetup setup = setup_of();
    Executor one(with_norm(), &setup, testing::one_thread(12));
    const testing::Course course = testing::course_of(one);
    const std::vector<HostTensor> state = one.snapshot(false);
    for (const Layout& way :
         {layout(2, 1, ScheduleKind::naive, 1), layout(4, 1, ScheduleKind::naive, 1),
          layout(2, 2, ScheduleKind::one_f_one_b, 1), layout(3, 4, ScheduleKind::gpipe, 1)}) {
        SCOPED_TRACE(way.name);
        PlacedExecutor many(testing::placed(with_norm(), way), &setup, testing::one_thread(12),
                            way.placement);
        testing::expect_same(testing::course_of(many), course);
        testing::expect_close(many.snapshot(false), state, 1e-4);
    }
}

TEST(SynchronizedNorm, LocalStatisticsAreOtherOnes) {
    const TrainingSetup setup = setup_of();
    Executor one(graph::testing::branches(), &setup, testing::one_thread(12));
    PlacedExecutor many(graph::testing::branches(), &setup, testing::one_thread(12),
                        layout(2, 1, ScheduleKind::naive, 1).placement);
    const double expected = testing::course_of(one, {.steps = 1}).losses[0];
    EXPECT_GT(std::abs(testing::course_of(many, {.steps = 1}).losses[0] - expected),
              1e-4 * expected);
}

// The replicas' micro-batches of the same number share their statistics; with a short batch some
// have fewer of them than others.
TEST(SynchronizedNorm, MicroBatchesAreThoseOfReplicasTogether) {
    const Layout pipeline = layout(2, 2, ScheduleKind::one_f_one_b, 2);
    using graph::testing::layer;
    const Model model = graph::testing::model_of(
        {layer("input", "InputLayer", {{"shape", {4, 4, 2}}}),
         layer("stem", "Conv2D", {{"filters", 4}, {"kernel_size", 3}}),
         layer("norm", "BatchNormalization", {{"synchronized", true}}),
         layer("act", "Activation", {{"activation", "tanh"}}), layer("flatten", "Flatten"),
         layer("hidden", "Dense", {{"units", 6}}),
         layer("norm_2", "BatchNormalization", {{"synchronized", true}}),
         layer("output", "Dense", {{"units", 3}, {"activation", "softmax"}})});
    TrainingSetup setup = graph::testing::setup_of();
    setup.accumulates = true;
    PlacedExecutor many(testing::placed(model, pipeline), &setup, testing::one_thread(12),
                        pipeline.placement);
    Executor one(model, &setup, testing::one_thread(12));
    many.initialize(5);
    one.initialize(5);
    for (const std::int64_t n : {12, 8, 3, 1, 12}) {
        const testing::Batch data = testing::batch_for(one.model(), n, 4);
        // Replica 0 has the first half of the samples, cut in two; replica 1 the second.
        const std::int64_t first = (n + 1) / 2;
        std::vector<std::vector<std::int64_t>> micro(2);
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t own = i < first ? first : n - first;
            const std::int64_t place = i < first ? i : i - first;
            micro[own > 1 && place >= (own + 1) / 2 ? 1 : 0].push_back(i);
        }
        ops::StepScalars scalars = graph::testing::scalars_of(0.01F);
        const std::size_t bytes = data.inputs.size() / static_cast<std::size_t>(n);
        for (const auto& rows : micro) {
            if (rows.empty()) continue;
            testing::Batch part;
            for (std::int64_t row : rows) {
                const auto from = data.inputs.begin() + row * static_cast<std::ptrdiff_t>(bytes);
                part.inputs.insert(part.inputs.end(), from,
                                   from + static_cast<std::ptrdiff_t>(bytes));
                part.labels.push_back(data.labels[static_cast<std::size_t>(row)]);
            }
            scalars.first_in_window = &rows == micro.data();
            one.accumulate(part.inputs.data(), part.labels.data(),
                           static_cast<std::int64_t>(rows.size()), scalars);
        }
        const graph::UpdateResult updated = one.update(n, scalars);
        const double loss = updated.loss_sum, norm = updated.gradient_norm;
        const graph::BatchResult result = many.train_step(data.inputs.data(), data.labels.data(), n,
                                                          graph::testing::scalars_of(0.01F));
        EXPECT_NEAR(result.loss_sum, loss, 1e-5 * loss) << n;
        EXPECT_NEAR(result.gradient_norm, norm, 1e-4 * norm) << n;
    }
    testing::expect_close(many.snapshot(false), one.snapshot(false), 1e-4);
}

class SynchronizedNormIn : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(SynchronizedNorm, SynchronizedNormIn,
                         ::testing::Values("float32", "mixed_bfloat16", "mixed_float16"),
                         [](const auto& test) { return test.param; });

// [0,0,0] and [4] have mean 1 and biased variance 3; momentum 0 shows both. Statistics are float32
// in every precision.
TEST_P(SynchronizedNormIn, UnevenReplicas) {
    const Model model = graph::testing::model_of(
        {{{"name", "input"}, {"type", "InputLayer"}, {"config", {{"shape", {1}}}}},
         {{"name", "norm"},
          {"type", "BatchNormalization"},
          {"config", {{"momentum", 0.0}, {"synchronized", true}}}},
         {{"name", "output"},
          {"type", "Dense"},
          {"config", {{"units", 2}, {"activation", "softmax"}}}}});
    TrainingSetup setup = graph::testing::setup_of();
    setup.precision = GetParam();
    const auto statistics = [&](std::vector<float> values, int replicas) {
        PlacedExecutor many(model, &setup, testing::one_thread(8),
                            layout(replicas, 1, ScheduleKind::naive, 1).placement);
        many.initialize(1);
        const std::vector<std::int32_t> labels(values.size(), 1);
        many.train_step(values.data(), labels.data(), static_cast<std::int64_t>(values.size()),
                        graph::testing::scalars_of(0.0F));
        std::vector<float> result;
        for (const HostTensor& tensor : many.snapshot(false))
            if (tensor.role.starts_with("moving")) result.push_back(tensor.values[0]);
        return result;
    };
    EXPECT_THAT(statistics({0, 0, 0, 4}, 2), ElementsAre(1.0F, 3.0F));
    EXPECT_THAT(statistics({0, 0, 4}, 2),
                ElementsAre(FloatNear(4.0F / 3.0F, 1e-6F), FloatNear(32.0F / 9.0F, 1e-6F)));
    // Two of four have no sample.
    EXPECT_THAT(statistics({-1, 5}, 4), ElementsAre(2.0F, 9.0F));
}

}  // namespace
}  // namespace strata::parallel
