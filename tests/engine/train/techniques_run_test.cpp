// The trainer with its techniques on: resuming, accumulation, loss scale, averages, early stopping,
// changes by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/checkpoint/checkpoint.h"
#include "engine/interop/keras_h5.h"
#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

class TechniquesRun : public SmallRun {
protected:
    // Dropout, augmentation, accumulation with deferred statistics, float16 with a scale that
    // overflows at first, clipping, a cosine schedule with warm-up, averages.
    Json everything() const {
        Json json = project();
        json["model"]["layers"][3]["config"]["activation"] = "tanh";
        json["data"]["pipeline"] = {
            {{"stage", "shuffle"}},
            {{"stage", "map"},
             {"layers",
              {{{"type", "RandomTranslation"},
                {"config", {{"height_factor", 0.25}, {"width_factor", 0.25}}}}}}},
            {{"stage", "batch"}, {"batch_size", 3}},
            {{"stage", "prefetch"}}};
        json["data"]["validation_split"] = 0.1;
        Json& training = json["training"];
        training["epochs"] = 10;
        training["precision"] = "mixed_float16";
        training["loss_scale"] = {{"initial", 0x1p20}, {"growth_interval", 7}};
        training["gradient_accumulation_steps"] = 2;
        training[batch_statistics_key] = name_of(BatchStatistics::deferred);
        training["clipping"] = {{"type", "global_clipnorm"}, {"value", 0.5}};
        training["learning_rate_schedule"] = {{"type", "CosineDecay"},
                                              {"warmup", {{"updates", 12}}}};
        training["ema"] = {{"momentum", 0.9}};
        training["early_stopping"] = {
            {"monitor", "val_loss"}, {"patience", 1000}, {"restore_best_weights", true}};
        return json;
    }

    std::vector<graph::HostTensor> tensors(const std::string& name,
                                           const char* file = "last.h5") const {
        interop::KerasFile read =
            interop::read_keras_h5((std::filesystem::path(run_directory(name)) / file).string());
        for (graph::HostTensor& tensor : read.optimizer) read.weights.push_back(std::move(tensor));
        return std::move(read.weights);
    }

    EndEvent train(const Json& json, const std::string& name, Recorder& recorder,
                   bool resume = false, std::shared_ptr<Control> control = nullptr) const {
        return Trainer(config(json), {run_directory(name), resume, false}, recorder.sink(),
                       std::move(control))
            .run();
    }
};

void expect_same(const std::vector<graph::HostTensor>& a, const std::vector<graph::HostTensor>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].slot, b[i].slot);
        EXPECT_EQ(a[i].values, b[i].values) << a[i].layer << "/" << a[i].role << a[i].slot;
    }
}

// 59 training samples in micro-batches of 3: 20 of them and 10 windows an epoch, 100 in all, the
// skipped ones of a scale that is too large at first among them.
TEST_F(TechniquesRun, ResumesBitForBitFromEveryCutWithEverythingOn) {
    Recorder whole;
    const EndEvent end = train(everything(), "whole", whole);
    ASSERT_EQ(end.state, RunState::finished) << (end.error ? end.error->what() : "");
    EXPECT_GT(end.skipped_steps, 0);
    const std::vector<StepEvent> steps = whole.all<StepEvent>();
    ASSERT_EQ(steps.size(), 100U);
    const auto expected = tensors("whole");
    for (std::size_t cut = 1; cut < steps.size(); ++cut) {
        const std::string name = "cut-" + std::to_string(cut);
        Recorder first, second;
        auto control = std::make_shared<Control>();
        std::size_t seen = 0;
        first.on_step = [&](const StepEvent&) {
            if (++seen == cut) control->stop();
        };
        ASSERT_EQ(train(everything(), name, first, false, control).state, RunState::stopped);
        ASSERT_EQ(train(everything(), name, second, true).state, RunState::finished);
        std::vector<StepEvent> joined = first.all<StepEvent>();
        ASSERT_EQ(joined.size(), cut);
        for (const StepEvent& step : second.all<StepEvent>()) joined.push_back(step);
        ASSERT_EQ(joined.size(), steps.size()) << "cut after " << cut;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            EXPECT_EQ(joined[i].loss, steps[i].loss) << "cut " << cut << ", step " << i;
            EXPECT_EQ(joined[i].loss_scale, steps[i].loss_scale);
            EXPECT_EQ(joined[i].learning_rate, steps[i].learning_rate);
            EXPECT_EQ(joined[i].skipped, steps[i].skipped);
        }
        expect_same(tensors(name), expected);
        for (const char* file : {"average.h5", "early_stopping.h5"})
            expect_same(tensors(name, file), tensors("whole", file));
        EXPECT_EQ(place_in(name).early_stopping, place_in("whole").early_stopping);
        std::filesystem::remove_all(run_directory(name));
        if (HasFailure()) return;
    }
}

TEST_F(TechniquesRun, MicroBatchesGiveTheRunOfTheWholeBatch) {
    Json json = project();
    json["model"]["layers"].erase(4);  // batch normalisation sees the micro-batch
    json["training"]["epochs"] = 4;
    Recorder whole, parts;
    ASSERT_EQ(train(json, "whole", whole).state, RunState::finished);
    json["training"]["gradient_accumulation_steps"] = 4;
    json["data"]["pipeline"][1]["batch_size"] = 2;
    ASSERT_EQ(train(json, "parts", parts).state, RunState::finished);
    const auto a = whole.all<StepEvent>(), b = parts.all<StepEvent>();
    ASSERT_EQ(a.size(), b.size()) << "an epoch's last window is short and applied";
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(a[i].loss, b[i].loss, 1e-5 * a[i].loss) << i;
        EXPECT_EQ(a[i].update, b[i].update);
        EXPECT_EQ(a[i].samples, b[i].samples);
    }
}

TEST_F(TechniquesRun, FiveMicroBatchesInWindowsOfFourAreTwoUpdates) {
    Json json = project();
    json["data"]["pipeline"][1]["batch_size"] = 11;  // 52 samples: 11, 11, 11, 11, 8
    json["training"]["gradient_accumulation_steps"] = 4;
    json["training"]["epochs"] = 2;
    Recorder recorder;
    ASSERT_EQ(train(json, "run", recorder).state, RunState::finished);
    const auto steps = recorder.all<StepEvent>();
    ASSERT_EQ(steps.size(), 4U);
    const std::vector<std::int64_t> samples{44, 52, 96, 104};
    for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].samples, samples[i]);
    EXPECT_EQ(recorder.all<PlanEvent>().at(0).updates_per_epoch, 2);
}

TEST_F(TechniquesRun, InFloat32ANumberThatIsNotFiniteEndsTheRunAndNamesTheLayer) {
    Json json = project();
    json["model"]["layers"][1]["config"]["scale"] = 1e38;
    Recorder recorder;
    const EndEvent end = train(json, "run", recorder);
    ASSERT_EQ(end.state, RunState::failed);
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->code(), ErrorCode::numeric);
    EXPECT_NE(end.error->where().find("layer 'scale'"), std::string::npos) << end.error->what();
}

TEST_F(TechniquesRun, EarlyStoppingPutsTheBestWeightsBack) {
    Json json = project();
    json["training"]["epochs"] = 40;
    json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 3.0}}}};
    json["training"]["early_stopping"] = {
        {"monitor", "val_loss"}, {"patience", 2}, {"restore_best_weights", true}};
    Recorder recorder;
    const EndEvent end = train(json, "run", recorder);
    ASSERT_EQ(end.state, RunState::finished) << (end.error ? end.error->what() : "");
    const auto epochs = recorder.all<EpochEvent>();
    ASSERT_LT(epochs.size(), 40U);
    EXPECT_FALSE(end.reason.empty());
    std::size_t best = 0;
    for (std::size_t i = 1; i < epochs.size(); ++i)
        if (*epochs[i].val_loss < *epochs[best].val_loss) best = i;
    EXPECT_EQ(epochs.size(), best + 3) << "two epochs of patience";
    const auto kept = interop::read_keras_h5(end.checkpoint);
    EXPECT_EQ(checkpoint::TrainingState::from_json(kept.training_state).epoch,
              static_cast<std::int64_t>(best) + 1);
    EXPECT_EQ(recorder.all<MarkEvent>().back().kind, MarkEvent::Kind::early_stop);
}

TEST_F(TechniquesRun, EarlyStoppingPutsBackTheAverageThatWasValidated) {
    Json json = project();
    json["data"]["test"] = json["data"]["source"];
    json["data"]["validation_split"] = 0.0;
    json["training"]["epochs"] = 12;
    json["training"]["ema"] = {{"momentum", 0.5}};
    json["training"]["early_stopping"] = {
        {"monitor", "loss"}, {"mode", "max"}, {"patience", 50}, {"restore_best_weights", true}};
    Recorder recorder;
    const EndEvent end = train(json, "run", recorder);
    ASSERT_EQ(end.state, RunState::finished) << (end.error ? end.error->what() : "");
    // The highest loss is the first epoch's: its average is what was tested and written.
    const auto kept = tensors("run", "early_stopping.h5"), average = tensors("run", "average.h5");
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(kept[i].values, average[i].values) << i;
    Recorder one;
    json["training"]["epochs"] = 1;
    json["training"].erase("early_stopping");
    EXPECT_EQ(train(json, "one", one).test_loss, end.test_loss);
}

TEST_F(TechniquesRun, SettingsChangeWhileItRunsAndStayAfterAResume) {
    Json json = project();
    json["training"]["clipping"] = {{"type", "clipvalue"}, {"value", 1.0}};
    Recorder first, second;
    auto control = std::make_shared<Control>();
    first.on_step = [&](const StepEvent& step) {
        if (step.update == 3) {
            control->set_learning_rate(0.25);
            control->set_clip_limit(0.125);
            control->set_weight_decay(0.01);
        }
        if (step.update == 5) control->stop();
    };
    ASSERT_EQ(train(json, "run", first, false, control).state, RunState::stopped);
    const auto before = first.all<StepEvent>();
    EXPECT_EQ(before[2].learning_rate, static_cast<double>(0.001F));
    EXPECT_EQ(before[3].learning_rate, 0.25);
    EXPECT_EQ(before[2].clip_limit, 1.0);
    EXPECT_EQ(before[3].clip_limit, 0.125);
    const auto marks = first.all<MarkEvent>();
    ASSERT_EQ(marks.size(), 3U);
    EXPECT_EQ(marks[2].kind, MarkEvent::Kind::weight_decay);
    EXPECT_EQ(marks[2].value, 0.01);
    EXPECT_EQ(place_in("run").live.weight_decay, 0.01);
    ASSERT_EQ(train(json, "run", second, true).state, RunState::finished);
    EXPECT_EQ(second.all<StepEvent>().front().learning_rate, 0.25);
    EXPECT_EQ(second.all<StepEvent>().front().clip_limit, 0.125);
    EXPECT_EQ(place_in("run").live.weight_decay, 0.01);
    EXPECT_EQ(second.all<MarkEvent>().front().kind, MarkEvent::Kind::resumed);
}

TEST_F(TechniquesRun, TheAverageIsEvaluatedAndWrittenAsAModel) {
    Json json = project();
    json["training"]["ema"] = {{"momentum", 0.9}};
    Recorder recorder;
    const EndEvent end = train(json, "run", recorder);
    ASSERT_EQ(end.state, RunState::finished);
    const auto average = tensors("run", "average.h5"), last = tensors("run", "last.h5");
    std::size_t compared = 0;
    for (const graph::HostTensor& weight : average)
        for (const graph::HostTensor& other : last)
            if (weight.slot.empty() && other.slot == graph::average_slot &&
                weight.layer == other.layer && weight.role == other.role) {
                EXPECT_EQ(weight.values, other.values);
                ++compared;
            }
    EXPECT_EQ(compared, 6U);
}

TEST_F(TechniquesRun, AMemoryLimitIsKeptByRecomputation) {
    Json json = project();
    Json layers = Json::array({json["model"]["layers"][0], json["model"]["layers"][2]});
    for (int i = 0; i < 8; ++i)
        layers.push_back({{"name", "wide_" + std::to_string(i)},
                          {"type", "Dense"},
                          {"config", {{"units", 64}, {"activation", "tanh"}}}});
    layers.push_back(json["model"]["layers"][6]);
    json["model"]["layers"] = layers;
    json["data"]["pipeline"][1]["batch_size"] = 52;
    json["training"]["optimizer"] = "SGD";
    Recorder free, limited, refused;
    ASSERT_EQ(train(json, "free", free).state, RunState::finished);
    const std::size_t planned = free.all<PlanEvent>().at(0).memory.total();
    json["training"]["recomputation"] = {{"memory_limit", planned - 40000}};
    ASSERT_EQ(train(json, "limited", limited).state, RunState::finished);
    EXPECT_LE(limited.all<PlanEvent>().at(0).memory.total(), planned - 40000);
    EXPECT_EQ(limited.losses(), free.losses());
    json["training"]["recomputation"] = {{"memory_limit", 1000}};
    const EndEvent end = train(json, "refused", refused);
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->code(), ErrorCode::out_of_memory);
}

}  // namespace
}  // namespace strata::train
