// A run of several ranks that goes on with another number of them: each sample once, as if nothing
// had changed.
#include <cstdlib>

#include "tests/engine/train/ranks.h"

namespace strata::train {
namespace {

class RanksResume : public RanksRun {
protected:
    RanksResume() { setenv("OMPI_UNIVERSE_SIZE", "64", 1); }  // whatever this machine has
    ~RanksResume() override { unsetenv("OMPI_UNIVERSE_SIZE"); }
    // Goes on until `update`, then stops; 0: to the end.
    std::vector<StepEvent> part(const Json& json, int ranks, std::int64_t update,
                                bool resume) const {
        const Ended ended =
            train_ranks(json, ranks, "joined",
                        {.watch =
                             [update](int rank, Recorder& recorder, Control& control) {
                                 if (rank == 0)
                                     recorder.on_step = [update, &control](const StepEvent& step) {
                                         if (step.update == update) control.stop();
                                     };
                             },
                         .resume = resume});
        ended.expect(update > 0 ? RunState::stopped : RunState::finished);
        warnings_.clear();
        for (const LogEvent& event : ended.lead().all<LogEvent>())
            if (event.level == LogEvent::Level::warning) warnings_ += event.text + "\n";
        return ended.lead().all<StepEvent>();
    }
    mutable std::string warnings_;
};

// 12 samples at a time, 5 updates an epoch of 52: the cuts are within epochs.
TEST_F(RanksResume, AnotherNumberOfRanksGoesOn) {
    Recorder one;
    ASSERT_EQ(train_as(cut(12, 1), "one", one).state, RunState::finished);
    for (int others : {1, 2, 3}) {
        std::filesystem::remove_all(folder_ / "joined");
        std::vector<StepEvent> steps = part(cut(12, 4), 4, 3, false);
        EXPECT_EQ(place_in("joined").project["placement"]["ranks"], 4);
        for (const StepEvent& step : part(cut(12, others), others, 7, true)) steps.push_back(step);
        EXPECT_EQ(warnings_, "");
        for (const StepEvent& step : part(cut(12, 4), 4, 0, true)) steps.push_back(step);
        expect_same_steps(one.all<StepEvent>(), steps);
    }
}

// The same project, started by fewer: what they take at a time is another number.
TEST_F(RanksResume, RanksThatAreGoneLeaveSmallerBatches) {
    Json json = cut(16, 4);  // 4 samples each
    std::vector<StepEvent> first = part(json, 4, 2, false);
    std::vector<StepEvent> second = part(json, 2, 6, true);  // from sample 32, by 8
    EXPECT_NE(warnings_.find("16 samples at a time, and now takes 8"), std::string::npos)
        << warnings_;
    ASSERT_EQ(second.size(), 4U);
    EXPECT_EQ(second[2].samples, 52) << "three batches are left: 8, 8 and 4";
    EXPECT_EQ(second[2].epoch, 1);
    EXPECT_EQ(second[3].epoch, 2);
    const std::vector<StepEvent> third = part(json, 1, 0, true);
    EXPECT_EQ(third.back().samples, 3 * 52) << "each sample once an epoch";
}

TEST_F(RanksResume, APositionBetweenBatchesIsRefused) {
    part(cut(8, 2), 2, 1, false);
    const Ended ended = train_ranks(cut(12, 3), 3, "joined", {.resume = true});
    ended.expect(RunState::failed);
    EXPECT_NE(std::string(ended.ends[0].error->what()).find("after sample 8"), std::string::npos)
        << ended.ends[0].error->what();
    EXPECT_EQ(ended.ends[0].error->where(), "data.pipeline.batch");
    EXPECT_EQ(ended.ends[0].error->hint(),
              "It can go on with: mpirun -np 2; mpirun -np 4 and --set "
              "data.pipeline.batch.batch_size=2");
}

// Not a batch of them fits 36 samples at a time: the nearest numbers below and above that can.
TEST_F(RanksResume, RanksThatCannotDivideTheBatchAreToldWhichCan) {
    part(cut(36, 4), 4, 1, false);  // 9 samples each
    Ended ended = train_ranks(cut(35, 5), 5, "joined", {.resume = true});
    ended.expect(RunState::failed);
    EXPECT_EQ(ended.ends[0].error->message(),
              "the run took 36 samples at a time, and 5 processes of 7 would take 35");
    EXPECT_EQ(ended.ends[0].error->hint(),
              "It can go on with: mpirun -np 4 and --set data.pipeline.batch.batch_size=9; "
              "mpirun -np 6 and --set data.pipeline.batch.batch_size=6");
    ended = train_ranks(cut(45, 5), 5, "joined", {.resume = true});
    ended.expect(RunState::failed);  // 9 each, as before: from sample 36
    EXPECT_EQ(ended.ends[0].error->hint(),
              "It can go on with: mpirun -np 4; mpirun -np 6 and --set "
              "data.pipeline.batch.batch_size=6");
    Recorder one;
    const EndEvent end = train_as(cut(35, 1), "joined", one, true);
    ASSERT_EQ(end.state, RunState::failed);
    EXPECT_EQ(end.error->hint(),
              "It can go on with: mpirun -np 2 and --set data.pipeline.batch.batch_size=18; "
              "mpirun -np 1 and --set data.pipeline.batch.batch_size=36");
    ended = train_ranks(cut(36, 4), 4, "joined", {.resume = true});
    ended.expect(RunState::finished);
}

TEST_F(RanksResume, OtherBatchesOfTheSameRanksAreRefused) {
    part(cut(8, 2), 2, 3, false);
    const Ended ended = train_ranks(cut(16, 2), 2, "joined", {.resume = true});
    ended.expect(RunState::failed);
    EXPECT_EQ(ended.ends[0].error->where(), "data.pipeline.batch");
}

// Rank 0 reads the checkpoint, and all have what it holds.
TEST_F(RanksResume, TheStateIsThatOfRankZero) {
    Json json = cut(8, 2);
    json["training"]["precision"] = "mixed_float16";
    json["training"]["loss_scale"] = {{"initial", 0x1p14}, {"growth_interval", 3}};
    json["training"]["learning_rate_schedule"] = {
        {"type", "ExponentialDecay"}, {"config", {{"decay_steps", 5}, {"decay_rate", 0.9}}}};
    const Ended whole = train_ranks(json, 2, "whole");
    whole.expect(RunState::finished);
    std::vector<StepEvent> steps = part(json, 2, 5, false);
    for (const StepEvent& step : part(json, 2, 0, true)) steps.push_back(step);
    const auto all = whole.lead().all<StepEvent>();
    ASSERT_EQ(steps.size(), all.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].loss, all[i].loss) << i;
        EXPECT_EQ(steps[i].loss_scale, all[i].loss_scale) << i;
        EXPECT_EQ(steps[i].learning_rate, all[i].learning_rate) << i;
    }
}

}  // namespace
}  // namespace strata::train
