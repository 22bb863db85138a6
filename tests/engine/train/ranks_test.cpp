// A run of several ranks is the run of one: the same losses, the same decisions, the same files.
#include "tests/engine/train/ranks.h"

#include <cmath>
#include <filesystem>
#include <set>

namespace strata::train {
namespace {

TEST_F(RanksRun, TrainsAsOneProcess) {
    Recorder one;
    Json json = cut(8, 1);
    json["training"]["ema"] = {{"momentum", 0.9}};
    ASSERT_EQ(train_as(json, "one", one).state, RunState::finished);
    for (int ranks : {2, 4}) {
        Json parts = cut(8, ranks);
        parts["training"]["ema"] = {{"momentum", 0.9}};
        const Ended many = train_ranks(parts, ranks, "ranks-" + std::to_string(ranks));
        many.expect(RunState::finished);
        expect_same_steps(one.all<StepEvent>(), many.lead().all<StepEvent>());
        const auto p = one.all<EpochEvent>(), q = many.lead().all<EpochEvent>();
        ASSERT_EQ(p.size(), q.size());
        for (std::size_t i = 0; i < p.size(); ++i) {
            EXPECT_NEAR(p[i].loss, q[i].loss, 1e-5);
            EXPECT_NEAR(*p[i].val_loss, *q[i].val_loss, 1e-5);
            EXPECT_EQ(p[i].val_metrics, q[i].val_metrics);
        }
        EXPECT_EQ(one.all<EndEvent>()[0].test_metrics, many.ends[0].test_metrics);
        for (int r = 1; r < ranks; ++r) {
            EXPECT_TRUE(many.recorders[static_cast<std::size_t>(r)].events.empty())
                << "rank 0 alone tells of the run";
            EXPECT_EQ(many.ends[static_cast<std::size_t>(r)].test_metrics,
                      many.ends[0].test_metrics);
        }
    }
}

// 52 samples, 51 at a time: the second batch has one, of rank 0.
TEST_F(RanksRun, ARankWithoutSamplesTakesPart) {
    Recorder one;
    ASSERT_EQ(train_as(cut(51, 1), "one", one).state, RunState::finished);
    ASSERT_EQ(one.all<PlanEvent>()[0].train_samples, 52);
    const Ended many = train_ranks(cut(51, 3), 3, "many");
    many.expect(RunState::finished);
    expect_same_steps(one.all<StepEvent>(), many.lead().all<StepEvent>());
}

TEST_F(RanksRun, AccumulatesOverRanksAndMicroBatches) {
    Recorder one;
    ASSERT_EQ(train_as(cut(24, 1), "one", one).state, RunState::finished);
    Json json = cut(8, 2);
    json["training"]["gradient_accumulation_steps"] = 3;
    const Ended many = train_ranks(json, 2, "many");
    many.expect(RunState::finished);
    expect_same_steps(one.all<StepEvent>(), many.lead().all<StepEvent>());
}

TEST_F(RanksRun, ReplicasWithinRanks) {
    Recorder one;
    ASSERT_EQ(train_as(cut(8, 1), "one", one).state, RunState::finished);
    Json json = cut(8, 4);
    json["placement"] = {{"threads", 1}, {"replicas", 2}};
    const Ended many = train_ranks(json, 2, "many");
    many.expect(RunState::finished);
    expect_same_steps(one.all<StepEvent>(), many.lead().all<StepEvent>());
}

// ---- decisions

TEST_F(RanksRun, AnyRankMayBeAskedToStop) {
    const Ended ended =
        train_ranks(cut(8, 4), 4, "run", {.watch = [](int rank, Recorder&, Control& control) {
                        if (rank == 2) control.stop();
                    }});
    ended.expect(RunState::stopped);
    EXPECT_TRUE(ended.lead().all<StepEvent>().empty());
    EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / "last.h5"));
}

TEST_F(RanksRun, AllStopEarlyTogether) {
    Json json = cut(8, 2);
    json["training"]["epochs"] = 50;
    json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 0.0}}}};
    json["training"]["early_stopping"] = {
        {"monitor", "val_loss"}, {"patience", 2}, {"restore_best_weights", true}};
    const Ended ended = train_ranks(json, 2, "run");
    ended.expect(RunState::finished);
    EXPECT_EQ(ended.lead().all<EpochEvent>().size(), 3U);
    EXPECT_EQ(ended.ends[1].reason, ended.ends[0].reason);
    EXPECT_EQ(*ended.ends[1].test_loss, *ended.ends[0].test_loss);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "run" / "early_stopping.h5"));
}

TEST_F(RanksRun, SettingsOfRankZeroAreThoseOfAll) {
    Json json = cut(8, 2);
    Recorder one;
    const auto change = [](Recorder& recorder, Control& control) {
        recorder.on_step = [&control](const StepEvent& step) {
            if (step.update == 3) control.set_learning_rate(0.03125);
            if (step.update == 5) control.set_clip_limit(0.125);
            if (step.update == 7) {
                control.pause();
                control.step();
            }
            if (step.update == 8) control.resume();
        };
    };
    auto control = std::make_shared<Control>();
    change(one, *control);
    ASSERT_EQ(train_as(cut(8, 1), "one", one, false, control).state, RunState::finished);
    const Ended many =
        train_ranks(json, 2, "many", {.watch = [&](int rank, Recorder& recorder, Control& c) {
                        if (rank == 0) change(recorder, c);
                    }});
    many.expect(RunState::finished);
    expect_same_steps(one.all<StepEvent>(), many.lead().all<StepEvent>());
    EXPECT_EQ(many.lead().all<StepEvent>()[4].learning_rate, 0.03125);
}

// What is due after an update is saved before the next one; at an epoch's end, too.
TEST_F(RanksRun, SavesWhenOneProcessWould) {
    const auto files = [&](const std::string& name) {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / name))
            if (entry.path().extension() == ".h5") names.insert(entry.path().filename().string());
        return names;
    };
    const Json rule = {
        {"save_freq", 7}, {"keep_last", 100}, {"filename", "at-{update}-{epoch}.h5"}};
    Json json = cut(8, 1), parts = cut(8, 2);
    json["training"]["checkpoint"] = parts["training"]["checkpoint"] = rule;
    Recorder one;
    ASSERT_EQ(train_as(json, "one", one).state, RunState::finished);
    train_ranks(parts, 2, "many").expect(RunState::finished);
    EXPECT_EQ(files("one"), files("many"));
    EXPECT_TRUE(files("many").contains("at-7-1.h5"));
    const auto a = state_in("one", "at-14-2.h5"), b = state_in("many", "at-14-2.h5");
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < a[i].values.size(); ++k)
            EXPECT_NEAR(a[i].values[k], b[i].values[k], 1e-5F) << a[i].role << a[i].slot;
}

// ---- faults

// Sample 65 of 66 is gone: rank 1 alone meets it, in the last batch of the first epoch.
TEST_F(RanksRun, LostDataOfOneRankAreTheFaultOfAll) {
    Json json = cut(8, 2);
    json["data"]["validation_split"] = 0.0;
    json["data"]["pipeline"] = {{{"stage", "batch"}, {"batch_size", 4}}};
    const Ended ended = train_ranks(
        json, 2, "run", {.watch = [&](int rank, Recorder& recorder, Control&) {
            if (rank != 0) return;
            recorder.on_step = [&](const StepEvent& step) {
                const auto images = folder_ / "train-images";
                if (step.update == 1)
                    std::filesystem::resize_file(images, std::filesystem::file_size(images) - 16);
            };
        }});
    ended.expect(RunState::failed);
    EXPECT_NE(ended.ends[1].error->where().find("train-images"), std::string::npos);
    EXPECT_NE(ended.ends[0].error->message().find("rank 1: "), std::string::npos);
    EXPECT_EQ(ended.lead().all<StepEvent>().size(), 8U);
    EXPECT_EQ(place_in("run").update, 8);
    EXPECT_EQ(place_in("run").samples, 64);
    EXPECT_TRUE(ended.told_elsewhere[0]) << "rank 1 tells it";
    EXPECT_FALSE(ended.told_elsewhere[1]);
}

TEST_F(RanksRun, DifferentProjectsAreRefused) {
    const Ended ended = train_ranks(cut(8, 2), 2, "run", {.project = [](int rank, Json& project) {
                                        project["training"]["seed"] = 5 + rank;
                                    }});
    ended.expect(RunState::failed);
    EXPECT_FALSE(ended.told_elsewhere[1]) << "rank 1 alone knows what differs";
}

TEST_F(RanksRun, AProjectMayNameItsNumberOfRanks) {
    Json json = cut(8, 2);
    json.erase("placement");
    json["training"]["epochs"] = 1;
    train_ranks(json, 2, "none").expect(RunState::finished);
    json["placement"]["ranks"] = 2;
    train_ranks(json, 2, "run").expect(RunState::finished);
    json["placement"]["ranks"] = 3;
    const Ended ended = train_ranks(json, 2, "other");
    ended.expect(RunState::failed);
    for (const EndEvent& end : ended.ends) EXPECT_EQ(end.error->where(), "placement.ranks");
    EXPECT_TRUE(ended.told_elsewhere[1]);
    EXPECT_FALSE(ended.told_elsewhere[0]);
}

}  // namespace
}  // namespace strata::train
