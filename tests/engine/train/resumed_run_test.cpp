// Runs that go on: other data, settings changed by hand, the log's overlap, the weights that early
// stopping keeps.
#include <filesystem>
#include <set>

#include "engine/interop/run_log_reader.h"
#include "tests/engine/train/resumed_run.h"

namespace strata::train {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t updates_per_epoch = 7;

// ---- the data

TEST_F(ResumedRun, TheSameFilesElsewhereAreTheSameData) {
    Recorder first, second;
    stop_after(project(), "run", 3, first);
    const fs::path elsewhere = folder_ / "elsewhere";
    fs::create_directories(elsewhere);
    for (const char* name : {"train-images", "train-labels", "test-images", "test-labels"}) {
        fs::copy(folder_ / name, elsewhere / name);
        fs::last_write_time(elsewhere / name,
                            fs::file_time_type::clock::now() - std::chrono::hours(1000));
        fs::remove(folder_ / name);
    }
    Json json = project();
    for (const char* part : {"source", "test"})
        for (const char* key : {"images", "labels"})
            json["data"][part][key] =
                (elsewhere / json["data"][part][key].get<std::string>()).string();
    ASSERT_EQ(train_as(json, "run", second, true).state, RunState::finished);
    EXPECT_EQ(warnings(second), "");
}

TEST_F(ResumedRun, OtherDataAreToldOrRefused) {
    Recorder first, second, third;
    stop_after(project(), "run", 3, first);
    write_part("train", 66, 5);
    auto control = std::make_shared<Control>();
    second.on_step = [control](const StepEvent&) { control->stop(); };
    ASSERT_EQ(train_as(project(), "run", second, true, control).state, RunState::stopped);
    EXPECT_TRUE(contains(warnings(second), "not those that the run was made with"));
    write_part("train", 65, 5);
    const EndEvent end = train_as(project(), "run", third, true);
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->where(), "data.source");
    EXPECT_TRUE(contains(end.error->message(), "samples was 66, now 65")) << end.error->what();
    EXPECT_TRUE(third.losses().empty());
}

// ---- settings that were changed by hand

class ChangedByHand : public ResumedRun {
protected:
    Json clipped() const {
        Json json = project();
        json["training"]["clipping"] = {{"type", "clipvalue"}, {"value", 1.0}};
        json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 0.125}}}};
        json["training"]["learning_rate_schedule"] = {
            {"type", "CosineDecay"}, {"reduce_on_plateau", {{"monitor", "val_loss"}}}};
        return json;
    }
    // Changed after update 3; stopped after `stop`, or not.
    EndEvent change(const std::string& name, Recorder& recorder, std::int64_t stop) const {
        auto control = std::make_shared<Control>();
        recorder.on_step = [control, stop](const StepEvent& step) {
            if (step.update == 3) {
                control->set_learning_rate(0.0625);
                control->set_clip_limit(0.03125);
                control->set_weight_decay(0.5);
            }
            if (step.update == stop) control->stop();
        };
        return train_as(clipped(), name, recorder, false, control);
    }
};

TEST_F(ChangedByHand, TheyGoOnBitForBit) {
    Recorder whole, first, second;
    ASSERT_EQ(change("whole", whole, -1).state, RunState::finished);
    ASSERT_EQ(change("run", first, 5).state, RunState::stopped);
    ASSERT_EQ(train_as(clipped(), "run", second, true).state, RunState::finished);
    std::vector<StepEvent> joined = first.all<StepEvent>();
    for (const StepEvent& step : second.all<StepEvent>()) joined.push_back(step);
    const std::vector<StepEvent> wanted = whole.all<StepEvent>();
    ASSERT_EQ(joined.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(joined[i].loss, wanted[i].loss) << i;
        EXPECT_EQ(joined[i].learning_rate, wanted[i].learning_rate) << i;
        EXPECT_EQ(joined[i].clip_limit, wanted[i].clip_limit) << i;
    }
    expect_same_state(state_in("run"), state_in("whole"));
    EXPECT_EQ(place_in("run").live.weight_decay, 0.5);
}

// Each where the project has another value than then, and only there.
TEST_F(ChangedByHand, AProjectThatWasChangedSinceWins) {
    const auto resumed = [&](const std::string& name, const std::function<void(Json&)>& edit) {
        Recorder first, second;
        EXPECT_EQ(change(name, first, 5).state, RunState::stopped);
        Json json = clipped();
        edit(json);
        EXPECT_EQ(train_as(json, name, second, true).state, RunState::finished);
        return second.all<StepEvent>().front();
    };
    const StepEvent clip =
        resumed("clip", [](Json& json) { json["training"]["clipping"]["value"] = 0.25; });
    EXPECT_EQ(clip.clip_limit, 0.25);
    EXPECT_LT(clip.learning_rate, 0.0625);
    EXPECT_EQ(place_in("clip").live.weight_decay, 0.5);
    const StepEvent rate = resumed(
        "rate", [](Json& json) { json["training"]["optimizer"]["config"]["learning_rate"] = 0.5; });
    EXPECT_GT(rate.learning_rate, 0.125);
    EXPECT_EQ(rate.clip_limit, 0.03125);
    const StepEvent decay = resumed("decay", [](Json& json) {
        json["training"]["optimizer"]["config"]["weight_decay"] = 0.25;
    });
    EXPECT_EQ(decay.clip_limit, 0.03125);
    EXPECT_FALSE(place_in("decay").live.weight_decay);
}

// ---- the log, RELIABILITY 27

class KilledRun : public ResumedRun {
protected:
    // Float16 with a scale that overflows at first and again when it has doubled: skipped steps
    // share their update's number with the step before.
    Json skipping() const {
        Json json = project();
        json["training"]["precision"] = "mixed_float16";
        json["training"]["loss_scale"] = {{"initial", 0x1p22}, {"growth_interval", 4}};
        json["training"]["epochs"] = 4;
        return json;
    }
    // As killed after `cut` steps more than its last checkpoint, which was made after `saved`.
    void kill(const std::string& name, std::size_t saved, std::size_t cut) const {
        auto control = std::make_shared<Control>();
        std::size_t steps = 0;
        const std::string directory = run_directory(name);
        const auto sink = [&](const Event& event) {
            if (std::holds_alternative<StepEvent>(event)) {
                if (++steps == saved) control->save();
                if (steps == saved + cut) control->stop();
            }
            const auto* written = std::get_if<CheckpointEvent>(&event);
            if (written != nullptr && steps == saved && !fs::exists(directory + "/saved"))
                fs::copy(written->path, directory + "/saved");
        };
        Trainer(config(skipping()), {directory}, sink, control).run();
        for (const char* file : {"last.h5", "best.h5"}) fs::remove(directory + "/" + file);
        fs::rename(directory + "/saved", directory + "/last.h5");
    }
};

TEST_F(KilledRun, EachRecordOfTheLogComesOnce) {
    Recorder whole;
    ASSERT_EQ(train_as(skipping(), "whole", whole).state, RunState::finished);
    const std::vector<StepEvent> steps = whole.all<StepEvent>();
    const auto skipped = std::count_if(steps.begin(), steps.end(),
                                       [](const StepEvent& step) { return step.skipped; });
    ASSERT_GT(skipped, 2);
    const interop::RunLog wanted = interop::read_run_log(run_directory("whole"));
    for (std::size_t saved = 1; saved + 9 < steps.size(); ++saved) {
        const std::string name = "run-" + std::to_string(saved);
        kill(name, saved, 8);
        // Killed once more before it saves anything: the first file's rest and the second one go.
        Recorder again;
        auto control = std::make_shared<Control>();
        again.on_step = [control](const StepEvent&) { control->stop(); };
        fs::copy(run_directory(name) + "/last.h5", folder_ / "copy");
        train_as(skipping(), name, again, true, control);
        fs::remove(run_directory(name) + "/best.h5");
        fs::rename(folder_ / "copy", run_directory(name) + "/last.h5");
        Recorder rest;
        ASSERT_EQ(train_as(skipping(), name, rest, true).state, RunState::finished);
        const interop::RunLog log = interop::read_run_log(run_directory(name));
        for (const char* tag : {"loss", "loss_scale", "skipped", "learning_rate", "epoch_loss",
                                "val_loss", "val_accuracy", "mark/loss_scale"}) {
            ASSERT_TRUE(log.count(tag)) << tag;
            EXPECT_EQ(log.at(tag).steps, wanted.at(tag).steps) << tag << ", saved after " << saved;
            EXPECT_EQ(log.at(tag).values, wanted.at(tag).values) << tag;
        }
        EXPECT_EQ(log.at("mark/resumed").values.size(), 1U);
        fs::remove_all(run_directory(name));
        if (HasFailure()) return;
    }
}

// A checkpoint that was carried into another directory names a file that is not there.
TEST_F(KilledRun, ALogOfAnotherRunIsLeftAlone) {
    Recorder first, second, third;
    stop_after(project(), "run", 5, first);
    stop_after(project(), "other", 3, second);
    fs::copy_file(run_directory("run") + "/last.h5", run_directory("other") + "/last.h5",
                  fs::copy_options::overwrite_existing);
    ASSERT_EQ(train_as(project(), "other", third, true).state, RunState::finished);
    const interop::RunLog log = interop::read_run_log(run_directory("other"));
    EXPECT_EQ(log.at("loss").values.size(), 3U * updates_per_epoch - 2);
}

// ---- the weights that early stopping keeps

class KeptWeights : public ResumedRun {
protected:
    // The loss falls, so that "max" is best in the first epoch and "min" in the last.
    Json keeping(const char* mode) const {
        Json json = project();
        json["training"]["epochs"] = 6;
        json["training"]["optimizer"] = {{"type", "Adam"}, {"config", {{"learning_rate", 0.01}}}};
        json["training"]["early_stopping"] = {
            {"monitor", "loss"}, {"mode", mode}, {"patience", 50}, {"restore_best_weights", true}};
        json["training"]["checkpoint"] = {{"monitor", "loss"}, {"mode", mode}};
        return json;
    }
};

// Killed after last.h5 and best.h5 of an epoch were written, and before early_stopping.h5 was.
TEST_F(KeptWeights, AreTakenFromTheCheckpointOfTheirEpoch) {
    Recorder first, second, whole;
    ASSERT_EQ(train_as(keeping("min"), "whole", whole).state, RunState::finished);
    stop_after(keeping("min"), "run", 2 * updates_per_epoch + 1, first);
    const std::int64_t kept = place_in("run").early_stopping["kept_epoch"];
    ASSERT_EQ(kept, 1);
    Recorder one;
    stop_after(keeping("min"), "one", updates_per_epoch + 1, one);
    fs::copy_file(run_directory("one") + "/early_stopping.h5",
                  run_directory("run") + "/early_stopping.h5",
                  fs::copy_options::overwrite_existing);
    auto control = std::make_shared<Control>();
    second.on_step = [control](const StepEvent&) { control->stop(); };
    const EndEvent end = train_as(keeping("min"), "run", second, true, control);
    EXPECT_EQ(end.checkpoint, run_directory("run") + "/early_stopping.h5");
    EXPECT_TRUE(contains(log_text(second, LogEvent::Level::info), "epoch 2 are the best and were"));
    const auto put_back = state_in("run", "early_stopping.h5"), best = state_in("run", "best.h5");
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(put_back[i].values, best[i].values) << i;
    EXPECT_EQ(place_in("run", "best.h5").epoch, 2);
}

TEST_F(KeptWeights, OfAnotherEpochAreNotPutBack) {
    Recorder first, second;
    stop_after(keeping("max"), "run", 3 * updates_per_epoch + 1, first);
    Recorder other;
    stop_after(keeping("min"), "other", 3 * updates_per_epoch + 1, other);
    fs::copy_file(run_directory("other") + "/early_stopping.h5",
                  run_directory("run") + "/early_stopping.h5",
                  fs::copy_options::overwrite_existing);
    fs::remove(run_directory("run") + "/best.h5");
    const EndEvent end = train_as(keeping("max"), "run", second, true);
    ASSERT_EQ(end.state, RunState::finished);
    EXPECT_EQ(end.checkpoint, run_directory("run") + "/last.h5");
    EXPECT_TRUE(contains(warnings(second), "weights of epoch 1, which early stopping would put"));
    EXPECT_TRUE(contains(warnings(second), "nothing was put back"));
    EXPECT_FALSE(contains(log_text(second, LogEvent::Level::info), "were put back"));
}

// A folder in the place of the file: it cannot be written, also by root.
TEST_F(KeptWeights, AreNotCalledPutBackWhereTheyCouldNotBeWritten) {
    for (const bool averages : {false, true}) {
        Json json = keeping("max");
        if (averages) json["training"]["ema"] = {{"momentum", 0.5}};
        const std::string name = averages ? "averages" : "plain";
        Recorder recorder;
        recorder.on_step = [&](const StepEvent& step) {
            if (step.update == 1)
                fs::create_directories(run_directory(name) + "/early_stopping.h5/full");
        };
        const EndEvent end = train_as(json, name, recorder);
        ASSERT_EQ(end.state, RunState::finished) << (end.error ? end.error->what() : "");
        EXPECT_EQ(fs::path(end.checkpoint).filename(), averages ? "average.h5" : "last.h5");
        EXPECT_TRUE(contains(warnings(recorder), "could not be written")) << warnings(recorder);
        EXPECT_FALSE(contains(log_text(recorder, LogEvent::Level::info), "were put back"));
    }
}

// The run has ended, but nobody can use what it learnt: that is a failure, and is told once.
TEST_F(KeptWeights, ARunWhoseLastCheckpointIsNotWrittenFails) {
    Json json = project();
    json["training"]["checkpoint"] = {{"save_freq", 1}};
    Recorder recorder;
    recorder.on_step = [&](const StepEvent& step) {
        if (step.update == 1) fs::create_directories(run_directory("run") + "/last.h5/full");
    };
    const EndEvent end = train_as(json, "run", recorder);
    EXPECT_EQ(end.state, RunState::failed);
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->code(), ErrorCode::io);
    EXPECT_TRUE(contains(end.error->what(), "not saved")) << end.error->what();
    EXPECT_EQ(end.checkpoint, "");
    int told = 0;
    for (const CheckpointEvent& event : recorder.all<CheckpointEvent>())
        told += event.failure && contains(event.path, "last.h5") ? 1 : 0;
    EXPECT_EQ(told, 1);
}

TEST_F(KeptWeights, APlateauOfAValueThatTheRunWillNotHaveIsRefusedBeforeItBegins) {
    Json json = project();
    json["data"]["validation_split"] = 0.0;
    json["training"]["learning_rate_schedule"] = {{"reduce_on_plateau", {{"monitor", "val_loss"}}}};
    Recorder recorder;
    const EndEvent end = train_as(json, "run", recorder);
    EXPECT_EQ(end.state, RunState::failed);
    EXPECT_TRUE(recorder.all<StepEvent>().empty());
    ASSERT_TRUE(end.error);
    EXPECT_TRUE(contains(end.error->what(), "reduce_on_plateau.monitor")) << end.error->what();
}

}  // namespace
}  // namespace strata::train
