// RELIABILITY 7 with a cache in the pipeline: a run that is cut within an epoch goes on bit for
// bit, with augmentation before and after the cache, in memory and on disk.
#include <gtest/gtest.h>

#include "engine/interop/keras_h5.h"
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

    RunConfig augmented() const {
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
        return config(json);
    }
};

std::vector<float> all_weights(const std::string& path) {
    std::vector<float> values;
    const interop::KerasFile file = interop::read_keras_h5(path);
    for (const auto& part : {file.weights, file.optimizer})
        for (const auto& tensor : part)
            values.insert(values.end(), tensor.values.begin(), tensor.values.end());
    return values;
}

TEST_P(CachedResume, GoesOnBitForBitWithinAnEpoch) {
    Recorder whole;
    const EndEvent all =
        Trainer(augmented(), {run_directory("whole")}, whole.sink(), nullptr).run();
    ASSERT_FALSE(all.error) << all.error->what();
    const std::vector<float> wanted = all_weights(run_directory("whole/last.h5"));
    for (const std::int64_t cut : {3, 7, 10, 19}) {
        const std::string directory = run_directory("cut" + std::to_string(cut));
        auto control = std::make_shared<Control>();
        Recorder first, second;
        first.on_step = [&](const StepEvent& step) {
            if (step.update == cut) control->stop();
        };
        ASSERT_EQ(Trainer(augmented(), {directory}, first.sink(), control).run().state,
                  RunState::stopped);
        const EndEvent end = Trainer(augmented(), {directory, true}, second.sink(), nullptr).run();
        ASSERT_FALSE(end.error) << end.error->what();
        std::vector<double> losses = first.losses();
        for (const double loss : second.losses()) losses.push_back(loss);
        EXPECT_EQ(losses, whole.losses()) << "cut at " << cut;
        EXPECT_EQ(all_weights(directory + "/last.h5"), wanted) << "cut at " << cut;
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
