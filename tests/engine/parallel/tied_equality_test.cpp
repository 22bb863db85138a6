// Weights that layers of several devices share: each device keeps a copy, and all copies follow the
// sum of their gradients.
#include <gtest/gtest.h>

#include "tests/engine/parallel/equality.h"

namespace strata::parallel {
namespace {

using graph::Model;
using graph::TrainingSetup;
using graph::testing::setup_of;
using graph::testing::tied;
using testing::Course;
using testing::Layout;
using testing::layout;

// The uses of "mid" on three devices, its owner on none of the first.
Model spread(int devices) {
    Model model = testing::on_one_device(tied());
    const auto place = [&](const char* name, int device) {
        model.layers[static_cast<std::size_t>(model.index_of(name))].device =
            testing::device_name(device % devices);
    };
    place("conv_again", 1);
    place("mid", 2);
    place("mid_again", 3);
    for (const char* name : {"gate", "mid_beside", "sum", "output"}) place(name, 1);
    return model;
}

TrainingSetup with(const char* name) {
    TrainingSetup setup = setup_of("SGD", {{"momentum", 0.9}});
    const std::string technique = name;
    if (technique == "Adam") setup = setup_of("Adam");
    if (technique == "clipnorm") setup.clip_by_variable = true;
    if (technique == "global_clipnorm") setup.clip = ops::ClipKind::global_norm;
    if (technique == "ema") setup.ema_momentum = 0.9F;
    if (technique == "accumulates") setup.accumulates = true;
    return setup;
}

std::vector<Layout> layouts() {
    std::vector<Layout> all = testing::all_layouts();
    Layout whole = layout(2, 2, ScheduleKind::one_f_one_b, 3);
    whole.placement.sharded_optimizer = false;
    whole.name += "_whole_optimizer";
    all.push_back(whole);
    return all;
}

class TiedOnManyDevices : public ::testing::TestWithParam<const char*> {
protected:
    static void expect_as_on_one(const Model& model, const Layout& way) {
        SCOPED_TRACE(way.name);
        const TrainingSetup setup = with(GetParam());
        testing::Run run;
        run.learning_rate = std::string(GetParam()) == "Adam" ? 0.005F : 0.1F;
        graph::Executor one(testing::on_one_device(model), &setup, testing::one_thread(run.batch));
        PlacedExecutor many(model, &setup, testing::one_thread(run.batch), way.placement);
        testing::expect_same(testing::course_of(many, run), testing::course_of(one, run));
        testing::expect_close(many.snapshot(true), one.snapshot(true), 2e-5);
        EXPECT_EQ(many.gradients().size(), one.gradients().size());
        const auto found = many.gradient_norms(1.0), expected = one.gradient_norms(1.0);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(found[i].layer, expected[i].layer);
            EXPECT_NEAR(found[i].norm, expected[i].norm, 1e-4 * (expected[i].norm + 1e-3));
        }
    }
};

TEST_P(TiedOnManyDevices, TrainAsOnOne) {
    for (const Layout& way : layouts()) expect_as_on_one(testing::placed(tied(), way), way);
}

TEST_P(TiedOnManyDevices, TrainAsOnOneInBranches) {
    using enum ScheduleKind;
    for (const Layout& way : {layout(1, 2, naive, 3), layout(1, 3, one_f_one_b, 2),
                              layout(1, 4, gpipe, 4), layout(2, 4, one_f_one_b, 3)})
        expect_as_on_one(spread(way.devices), way);
}

INSTANTIATE_TEST_SUITE_P(Techniques, TiedOnManyDevices,
                         ::testing::Values("plain", "Adam", "clipnorm", "global_clipnorm", "ema",
                                           "accumulates"),
                         [](const auto& use) { return std::string(use.param); });

// A pipeline's micro-batches in several batches, before the update and with it.
TEST(TiedEquality, WindowsOfSeveralBatches) {
    TrainingSetup setup = setup_of("SGD", {{"momentum", 0.9}});
    setup.accumulates = true;
    for (const Layout& way : testing::all_layouts())
        for (const bool early : {false, true}) {
            SCOPED_TRACE(way.name + (early ? ", added up in the last batch" : ""));
            graph::Executor one(tied(), &setup, testing::one_thread(12));
            PlacedExecutor many(testing::placed(tied(), way), &setup, testing::one_thread(12),
                                way.placement);
            for (graph::ModelExecutor* executor : {static_cast<graph::ModelExecutor*>(&one),
                                                   static_cast<graph::ModelExecutor*>(&many)}) {
                executor->initialize(4);
                for (int step = 0; step < 6; ++step) {
                    ops::StepScalars scalars = graph::testing::scalars_of(0.1F, step + 1);
                    std::int64_t samples = 0;
                    for (const std::int64_t n : {12, 1, 7}) {
                        const testing::Batch data =
                            testing::batch_for(tied(), n, static_cast<std::uint64_t>(step));
                        scalars.first_in_window = samples == 0;
                        scalars.last_in_window = early && n == 7;
                        executor->accumulate(data.inputs.data(), data.labels.data(), n, scalars);
                        samples += n;
                    }
                    executor->update(samples, scalars);
                }
            }
            testing::expect_close(many.snapshot(true), one.snapshot(true), 2e-5);
        }
}

// Two uses on one device, in stages of which neither waits for the other: which goes backward first
// is the schedule's matter.
TEST(TiedEquality, StagesThatDoNotWaitForEachOther) {
    using graph::testing::layer;
    using graph::testing::sharing;
    const Json tanh{{"units", 6}, {"activation", "tanh"}};
    Model model = graph::testing::model_of(
        {layer("input", "InputLayer", {{"shape", {6}}}), layer("h", "Dense", tanh),
         layer("a", "Dense", tanh, {"h"}), layer("b", "Dense", tanh, {"h"}),
         sharing("d", "Dense", "a", "b"), layer("e", "Dense", tanh, {"d"}),
         layer("sum", "Add", Json::object(), {"a", "e"}),
         layer("out", "Dense", {{"units", 3}, {"activation", "softmax"}}, {"sum"})});
    model = testing::on_one_device(model);
    for (const char* name : {"a", "d"})
        model.layers[static_cast<std::size_t>(model.index_of(name))].device =
            testing::device_name(1);
    for (const char* name : {"b", "e"})
        model.layers[static_cast<std::size_t>(model.index_of(name))].device =
            testing::device_name(2);
    using enum ScheduleKind;
    for (const char* technique : {"plain", "accumulates"})
        for (const Layout& way : {layout(1, 3, naive, 2), layout(1, 3, gpipe, 1),
                                  layout(1, 3, gpipe, 4), layout(1, 3, one_f_one_b, 1),
                                  layout(1, 3, one_f_one_b, 4), layout(2, 3, one_f_one_b, 3)}) {
            SCOPED_TRACE(way.name + " " + technique);
            const TrainingSetup setup = with(technique);
            const testing::Run run;
            graph::Executor one(testing::on_one_device(model), &setup, testing::one_thread(12));
            PlacedExecutor many(model, &setup, testing::one_thread(12), way.placement);
            testing::expect_same(testing::course_of(many, run), testing::course_of(one, run));
            testing::expect_close(many.snapshot(true), one.snapshot(true), 2e-5);
        }
}

// What one device saved goes on with several, and back.
TEST(TiedEquality, StateMovesBetweenPlacements) {
    const TrainingSetup setup = setup_of("Adam");
    const Layout way = layout(2, 2, ScheduleKind::one_f_one_b, 2);
    graph::Executor one(tied(), &setup, testing::one_thread(12));
    PlacedExecutor many(testing::placed(tied(), way), &setup, testing::one_thread(12),
                        way.placement);
    testing::course_of(one);
    many.initialize(9);
    many.restore(one.snapshot(true), true);
    testing::expect_equal(many.snapshot(true), one.snapshot(true));
    const testing::Batch data = testing::batch_for(tied(), 12, 3);
    for (int step = 0; step < 4; ++step) {
        const ops::StepScalars scalars = graph::testing::scalars_of(0.01F, 21 + step);
        const auto a = one.train_step(data.inputs.data(), data.labels.data(), 12, scalars);
        const auto b = many.train_step(data.inputs.data(), data.labels.data(), 12, scalars);
        EXPECT_NEAR(a.loss_sum, b.loss_sum, 1e-5 * a.loss_sum);
    }
    one.restore(many.snapshot(true), true);
    testing::expect_equal(one.snapshot(true), many.snapshot(true));
}

}  // namespace
}  // namespace strata::parallel
