// RELIABILITY 7 with a cache in the pipeline: a run that is cut within an epoch goes on bit for
// bit, with augmentation before and after the cache, in memory and on disk.
#include <gtest/gtest.h>

#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

struct Stages {
    const char* name;
    const char* place;
    bool map_first;
};

class CachedResume : public SmallRun, public ::testing::WithParamInterface<Stages> {
protected:
    void SetUp() override {
        SmallRun::SetUp();
        ::setenv("XDG_CACHE_HOME", run_directory("cache").c_str(), 1);
    }
    void TearDown() override { ::unsetenv("XDG_CACHE_HOME"); }

    Json augmented() const {
        const Json cache = {{"stage", "cache"}, {"where", GetParam().place}};
        const Json map = {{"stage", "map"},
                          {"layers",
                           {{{"type", "RandomFlip"}, {"config", {{"mode", "horizontal"}}}},
                            {{"type", "RandomTranslation"},
                             {"config", {{"height_factor", 0.2}, {"width_factor", 0.2}}}}}},
                          {"threads", 2}};
        Json json = project();
        Json& stages = json["data"]["pipeline"];  // shuffle, batch, prefetch
        stages.insert(stages.begin() + 1, map);
        stages.insert(stages.begin() + (GetParam().map_first ? 2 : 0), cache);
        return json;
    }
};

TEST_P(CachedResume, GoesOnBitForBitWithinAnEpoch) {
    Recorder whole;
    const EndEvent all = train_as(augmented(), "whole", whole);
    ASSERT_FALSE(all.error) << all.error->what();
    for (const std::int64_t cut : {3, 7, 10, 19}) {
        const std::string name = "cut" + std::to_string(cut);
        auto control = std::make_shared<Control>();
        Recorder first, second;
        first.on_step = [&](const StepEvent& step) {
            if (step.update == cut) control->stop();
        };
        ASSERT_EQ(train_as(augmented(), name, first, false, control).state, RunState::stopped);
        const EndEvent end = train_as(augmented(), name, second, true);
        ASSERT_FALSE(end.error) << end.error->what();
        std::vector<double> losses = first.losses();
        for (const double loss : second.losses()) losses.push_back(loss);
        EXPECT_EQ(losses, whole.losses()) << "cut at " << cut;
        expect_same_state(state_in(name), state_in("whole"));
    }
}

INSTANTIATE_TEST_SUITE_P(Stages, CachedResume,
                         ::testing::Values(Stages{"memory", "memory", false},
                                           Stages{"disk", "disk", false},
                                           Stages{"memory_frozen", "memory", true},
                                           Stages{"disk_frozen", "disk", true}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace strata::train
