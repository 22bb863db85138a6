// Runs that go on with other replicas, batches or windows: where in the data, and where in the
// learning rate's schedule.
#include <cmath>

#include "tests/engine/train/resumed_run.h"

namespace strata::train {
namespace {

// Stopped after 3 batches of 8, at sample 24.
TEST_F(ResumedRun, OtherReplicasAreToldAsSuchWithWhatToDo) {
    Recorder first;
    stop_after(project(), "run", 3, first);
    const auto resumed = [&](int replicas, int batch_size, int window) {
        Json json = project();
        json["placement"]["replicas"] = replicas;
        json["data"]["pipeline"][1]["batch_size"] = batch_size;
        json["training"]["gradient_accumulation_steps"] = window;
        Recorder recorder;
        auto control = std::make_shared<Control>();
        recorder.on_step = [control](const StepEvent&) { control->stop(); };
        return train_as(json, "run", recorder, true, control);
    };
    EndEvent end = resumed(2, 8, 1);
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->where(), "placement.replicas");
    EXPECT_EQ(end.error->message(),
              "the run stands after sample 24 of the epoch, and batches of 16 samples would see "
              "some of them twice");
    EXPECT_EQ(end.error->hint(),
              "It can go on with: --set placement.replicas=1; --set placement.replicas=3; --set "
              "data.pipeline.batch.batch_size=4");
    end = resumed(1, 4, 1);
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->where(), "data.pipeline.batch");
    EXPECT_EQ(end.error->message(),
              "the run took 8 samples at a time, and 1 replica of 4 would take 4");
    EXPECT_EQ(end.error->hint(),
              "It can go on with: --set placement.replicas=2; --set "
              "data.pipeline.batch.batch_size=8; --set training.gradient_accumulation_steps=2");
    EXPECT_FALSE(resumed(1, 4, 2).error) << "what the hint says works";
    EXPECT_FALSE(resumed(2, 4, 1).error);
}

// 2 replicas of 8 to 1 and to 3, where a batch of theirs begins at the sample that comes next.
TEST_F(ResumedRun, FewerOrMoreReplicasSeeEachSampleOnce) {
    for (const int replicas : {1, 3}) {
        const std::string name = "to_" + std::to_string(replicas);
        Json json = project();
        json["training"]["epochs"] = 1;
        json["placement"]["replicas"] = 2;
        Recorder first, second;
        stop_after(json, name, replicas == 1 ? 1 : 3, first);
        json["placement"]["replicas"] = replicas;
        ASSERT_EQ(train_as(json, name, second, true).state, RunState::finished);
        EXPECT_TRUE(contains(warnings(second), "The run took 16 samples at a time, and now takes " +
                                                   std::to_string(8 * replicas)));
        Recorder whole;
        ASSERT_EQ(train_as(json, name + "_whole", whole, false).state, RunState::finished);
        EXPECT_EQ(second.all<StepEvent>().back().samples, whole.all<StepEvent>().back().samples);
    }
}

// The cosine of the whole run goes on at its place: 52 samples an epoch, 4 epochs; with n replicas
// of 8, ceil(52 / 8n) updates each.
TEST_F(ResumedRun, TheLearningRateGoesOnWhereItStood) {
    struct Case {
        int before, after, stopped, clock, total;
    };
    for (const Case& one : {Case{1, 2, 14, 8, 16},    // of 7 and 4, after 2 epochs
                            Case{2, 1, 8, 14, 28},    // and back
                            Case{4, 1, 6, 21, 28},    // of 2 and 7, after 3
                            Case{1, 3, 3, 1, 12}}) {  // 3 of 7 are 1.29 of 3
        Json json = project();
        json["training"]["epochs"] = 4;
        json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 0.125}}}};
        json["training"]["learning_rate_schedule"] = {{"type", "CosineDecay"}};
        json["placement"]["replicas"] = one.before;
        const std::string name = std::to_string(one.before) + "_" + std::to_string(one.after);
        Recorder first, second, third;
        stop_after(json, name, static_cast<std::size_t>(one.stopped), first);
        json["placement"]["replicas"] = one.after;
        auto control = std::make_shared<Control>();
        second.on_step = [control](const StepEvent&) { control->stop(); };
        ASSERT_EQ(train_as(json, name, second, true, control).state, RunState::stopped);
        ASSERT_EQ(train_as(json, name, third, true).state, RunState::finished);
        std::vector<StepEvent> steps = second.all<StepEvent>();
        for (const StepEvent& step : third.all<StepEvent>()) steps.push_back(step);
        ASSERT_EQ(static_cast<int>(steps.size()), one.total - one.clock) << name;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            EXPECT_EQ(steps[i].update, one.stopped + 1 + static_cast<int>(i));
            const double share = static_cast<double>(one.clock + static_cast<int>(i)) / one.total;
            EXPECT_NEAR(steps[i].learning_rate, 0.0625 * (1.0 + std::cos(M_PI * share)), 1e-8)
                << name << ", update " << steps[i].update;
        }
    }
}

// What lasts a number of updates does not depend on their size: 1 replica, 8 updates, then 2.
TEST_F(ResumedRun, LengthsInUpdatesStayWhereTheyWere) {
    const Json schedules[] = {
        {{"type", "PiecewiseConstantDecay"},
         {"config", {{"boundaries", {5}}, {"values", {0.5, 0.25}}}}},
        {{"type", "Constant"}, {"warmup", {{"updates", 6}, {"start_factor", 0.1}}}},
        {{"type", "CosineDecay"}, {"config", {{"decay_steps", 9}}}}};
    const double expected[] = {0.25, 0.25, 0.125 * (1.0 + std::cos(M_PI * 8.0 / 9.0))};
    for (std::size_t i = 0; i < std::size(schedules); ++i) {
        Json json = project();
        json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 0.25}}}};
        json["training"]["learning_rate_schedule"] = schedules[i];
        const std::string name = "length_" + std::to_string(i);
        Recorder first, second;
        stop_after(json, name, 8, first);  // in the second epoch, at sample 8
        json["placement"]["replicas"] = 2;
        json["data"]["pipeline"][1]["batch_size"] = 4;
        json["training"]["gradient_accumulation_steps"] = 2;
        auto control = std::make_shared<Control>();
        second.on_step = [control](const StepEvent&) { control->stop(); };
        ASSERT_EQ(train_as(json, name, second, true, control).state, RunState::stopped);
        EXPECT_NEAR(second.all<StepEvent>().at(0).learning_rate, expected[i], 1e-7) << name;
    }
}

// 4 copies, then 2, in the first of 2 epochs of warm-up; and with a longer window.
TEST_F(ResumedRun, WarmUpGoesOnWhereItStood) {
    Json json = project();
    json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 0.125}}}};
    json["training"]["scale_lr"] = "linear";
    json["training"]["warmup_epochs"] = 2;
    json["placement"]["replicas"] = 4;
    Recorder first, second, third;
    stop_after(json, "run", 2, first);  // an epoch: half of the warm-up
    json["placement"]["replicas"] = 2;
    auto control = std::make_shared<Control>();
    second.on_step = [control](const StepEvent&) { control->stop(); };
    ASSERT_EQ(train_as(json, "run", second, true, control).state, RunState::stopped);
    // Of 2 epochs of 4 updates the fifth: lr0 (done (copies - 1) + 1).
    EXPECT_NEAR(second.all<StepEvent>().at(0).learning_rate, 0.125 * (5.0 / 8.0 + 1.0), 1e-9);
    EXPECT_TRUE(contains(warnings(second),
                         "The learning rate is scaled for 2 replicas now; "
                         "before, for 4"));
    json["training"]["gradient_accumulation_steps"] = 3;
    ASSERT_EQ(train_as(json, "run", third, true).state, RunState::finished);
    // An epoch has 2 updates now; 5 of 8 are 2.5 of 4, rounded 3: the fourth ends the warm-up.
    EXPECT_NEAR(third.all<StepEvent>().at(0).learning_rate, 0.25, 1e-9);
    EXPECT_FALSE(contains(warnings(third), "is scaled for"));
}

TEST_F(ResumedRun, NoReplicasAreNamedWhereTheDevicesAre) {
    Recorder first, second;
    stop_after(project(), "run", 3, first);
    Json json = project();
    json["placement"]["replicas"] = 2;
    json["placement"]["devices"] = {"cpu:0", "cpu:1"};
    const EndEvent end = train_as(json, "run", second, true);
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->where(), "placement.replicas");
    EXPECT_EQ(end.error->hint(), "It can go on with: --set data.pipeline.batch.batch_size=4");
}

}  // namespace
}  // namespace strata::train
