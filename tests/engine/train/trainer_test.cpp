// Runs of the trainer on a small project: events, requests, resuming bit for bit, faults.
#include "engine/train/trainer.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include "engine/checkpoint/checkpoint.h"
#include "engine/interop/keras_h5.h"
#include "engine/interop/run_log_reader.h"
#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

namespace fs = std::filesystem;
// 66 samples, of which Keras's rule, floor(66 * 0.8) = 52, leaves 52 to train: batches of 8, the
// last of 4.
constexpr int updates_per_epoch = 7;

using TrainerTest = SmallRun;

std::vector<std::string> state_names(const Recorder& recorder) {
    std::vector<std::string> names;
    for (const StateEvent& event : recorder.all<StateEvent>())
        names.emplace_back(name_of(event.state));
    return names;
}

TEST_F(TrainerTest, TellsARunInOrder) {
    Recorder recorder;
    const EndEvent end = Trainer(config(), {run_directory("run")}, recorder.sink(), nullptr).run();
    ASSERT_FALSE(end.error) << end.error->what();
    EXPECT_EQ(state_names(recorder), (std::vector<std::string>{"preparing", "running"}));
    const auto plans = recorder.all<PlanEvent>();
    ASSERT_EQ(plans.size(), 1U);
    EXPECT_EQ(plans[0].train_samples, 52);
    EXPECT_EQ(plans[0].validation_samples, 14);
    EXPECT_EQ(plans[0].updates_per_epoch, updates_per_epoch);
    const auto steps = recorder.all<StepEvent>();
    ASSERT_EQ(steps.size(), 3U * updates_per_epoch);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].update, static_cast<std::int64_t>(i) + 1);
        EXPECT_GT(steps[i].gradient_norm, 0.0);
    }
    EXPECT_EQ(steps.back().samples, 3 * 52);
    EXPECT_EQ(recorder.all<EpochEvent>().size(), 3U);
    EXPECT_TRUE(std::holds_alternative<EndEvent>(recorder.events.back()));
    EXPECT_EQ(end.state, RunState::finished);
    EXPECT_TRUE(end.test_loss);
    EXPECT_TRUE(fs::exists(end.checkpoint));
    EXPECT_TRUE(fs::exists(end.picture));
}

// The epoch's loss is the sum over samples divided by their number: the last batch counts by its 4.
TEST_F(TrainerTest, EpochMeansAreWeightedBySamples) {
    Recorder recorder;
    Trainer(config(), {run_directory("run")}, recorder.sink(), nullptr).run();
    const auto losses = recorder.losses();
    ASSERT_GE(losses.size(), static_cast<std::size_t>(updates_per_epoch));
    double sum = 0.0;
    for (std::size_t i = 0; i < updates_per_epoch; ++i)
        sum += losses[i] * (i + 1 == updates_per_epoch ? 4 : 8);
    EXPECT_NEAR(recorder.all<EpochEvent>()[0].loss, sum / 52, 1e-9);
}

TEST_F(TrainerTest, EveryUpdateIsInTheLog) {
    Recorder recorder;
    Trainer(config(), {run_directory("run")}, recorder.sink(), nullptr).run();
    const interop::RunLog log = interop::read_run_log(run_directory("run"));
    const auto steps = recorder.all<StepEvent>();
    const auto& losses = log.at("loss");
    ASSERT_EQ(losses.values.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(losses.steps[i], steps[i].update);
        EXPECT_EQ(losses.values[i], static_cast<float>(steps[i].loss));
    }
    for (const char* tag : {"accuracy", "learning_rate", "gradient_norm", "samples_per_s"})
        EXPECT_EQ(log.at(tag).values.size(), steps.size()) << tag;
    EXPECT_EQ(log.at("val_loss").values.size(), 3U);
}

// RELIABILITY 7: a run that is cut anywhere and resumed equals one run, bit for bit.
TEST_F(TrainerTest, ResumesBitForBitFromEveryCut) {
    Recorder whole;
    Trainer(config(), {run_directory("whole")}, whole.sink(), nullptr).run();
    const std::vector<graph::HostTensor> wanted = state_in("whole");
    const std::size_t total = whole.losses().size();
    for (std::int64_t cut = 1; cut < static_cast<std::int64_t>(total); ++cut) {
        const std::string name = "cut" + std::to_string(cut), directory = run_directory(name);
        auto control = std::make_shared<Control>();
        Recorder first, second;
        first.on_step = [&](const StepEvent& step) {
            if (step.update == cut) control->stop();
        };
        const EndEvent stopped = Trainer(config(), {directory}, first.sink(), control).run();
        ASSERT_EQ(stopped.state, RunState::stopped) << cut;
        ASSERT_EQ(first.losses().size(), static_cast<std::size_t>(cut));
        const EndEvent end = Trainer(config(), {directory, true}, second.sink(), nullptr).run();
        ASSERT_FALSE(end.error) << end.error->what();
        std::vector<double> losses = first.losses();
        for (double loss : second.losses()) losses.push_back(loss);
        ASSERT_EQ(losses, whole.losses()) << "cut at " << cut;
        expect_same_state(state_in(name), wanted);
        const interop::RunLog log = interop::read_run_log(directory);
        ASSERT_EQ(log.at("loss").values.size(), total) << "cut at " << cut;
    }
}

TEST_F(TrainerTest, PausesStepsSavesAndResumes) {
    auto control = std::make_shared<Control>();
    Recorder recorder;
    std::atomic<int> steps{0}, paused{0}, checkpoints{0};
    const auto record = recorder.sink();
    const auto sink = [&](const Event& event) {
        record(event);
        if (std::holds_alternative<StepEvent>(event)) ++steps;
        if (std::holds_alternative<CheckpointEvent>(event)) ++checkpoints;
        if (const auto* state = std::get_if<StateEvent>(&event);
            state && state->state == RunState::paused)
            ++paused;
    };
    const auto wait_for = [](const std::atomic<int>& value, int wanted) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (value < wanted && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return value.load();
    };
    RunOptions options{run_directory("run")};
    options.start_paused = true;
    std::thread engine([&] { Trainer(config(), options, sink, control).run(); });
    EXPECT_EQ(wait_for(paused, 1), 1);
    EXPECT_EQ(steps, 0);
    control->step();
    EXPECT_EQ(wait_for(paused, 2), 2);
    EXPECT_EQ(steps, 1);
    control->save();
    EXPECT_EQ(wait_for(checkpoints, 1), 1);
    EXPECT_EQ(steps, 1);
    control->resume();
    engine.join();
    EXPECT_EQ(steps, 3 * updates_per_epoch);
    Recorder plain;
    Trainer(config(), {run_directory("plain")}, plain.sink(), nullptr).run();
    EXPECT_EQ(recorder.losses(), plain.losses());
}

// The validation of 14 samples has two batches. A press in it is for the update that follows.
TEST_F(TrainerTest, AStepAskedForInTheValidationIsOneUpdate) {
    auto control = std::make_shared<Control>();
    Recorder recorder;
    int pauses = 0;
    const auto record = recorder.sink();
    const auto sink = [&](const Event& event) {
        record(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state == nullptr || state->state != RunState::paused) return;
        const auto steps = static_cast<int>(recorder.losses().size());
        // Once in the validation after the seventh update, and then before the ninth.
        EXPECT_EQ(steps, std::min(pauses, updates_per_epoch + 1));
        if (++pauses <= updates_per_epoch + 1)
            control->step();
        else
            control->stop();
    };
    RunOptions options{run_directory("run")};
    options.start_paused = true;
    const EndEvent end = Trainer(config(), options, sink, control).run();
    EXPECT_EQ(end.state, RunState::stopped);
    EXPECT_EQ(pauses, updates_per_epoch + 2);
    EXPECT_EQ(recorder.losses().size(), updates_per_epoch + 1U);
    EXPECT_EQ(recorder.all<EpochEvent>().size(), 1U);
}

// A press that nothing used up must not be a step of the next pause.
TEST_F(TrainerTest, ResumingForgetsStepsThatWereAskedFor) {
    auto control = std::make_shared<Control>();
    control->step();
    control->step();
    control->resume();
    Recorder recorder;
    recorder.on_step = [&](const StepEvent& step) {
        if (step.update == 2) control->pause();
    };
    const auto record = recorder.sink();
    const auto sink = [&](const Event& event) {
        record(event);
        if (const auto* state = std::get_if<StateEvent>(&event);
            state != nullptr && state->state == RunState::paused)
            control->stop();
    };
    Trainer(config(), {run_directory("run")}, sink, control).run();
    EXPECT_EQ(recorder.losses().size(), 2U);
}

// What is asked for while the paused run takes another request is heard in the same pause.
TEST_F(TrainerTest, ARequestThatComesWhileAnotherIsTakenIsHeard) {
    auto control = std::make_shared<Control>();
    std::vector<double> rates;
    const auto sink = [&](const Event& event) {
        const auto* state = std::get_if<StateEvent>(&event);
        if (state != nullptr && state->state == RunState::paused) control->set_learning_rate(0.25);
        const auto* mark = std::get_if<MarkEvent>(&event);
        if (mark == nullptr || mark->kind != MarkEvent::Kind::learning_rate) return;
        rates.push_back(mark->value);
        if (rates.size() == 1)
            control->set_learning_rate(0.125);
        else
            control->stop();
    };
    RunOptions options{run_directory("run")};
    options.start_paused = true;
    EXPECT_EQ(Trainer(config(), options, sink, control).run().state, RunState::stopped);
    EXPECT_EQ(rates, (std::vector<double>{0.25, 0.125}));
}

TEST_F(TrainerTest, OnlyTheBestIsKeptWhereAsked) {
    Json json = project();
    json["training"]["checkpoint"] = {{"monitor", "val_accuracy"}, {"save_best_only", true}};
    Recorder recorder;
    Trainer(config(json), {run_directory("run")}, recorder.sink(), nullptr).run();
    const auto checkpoints = recorder.all<CheckpointEvent>();
    ASSERT_GE(checkpoints.size(), 2U);
    double best = -1.0;
    std::vector<std::int64_t> wanted;
    for (const EpochEvent& epoch : recorder.all<EpochEvent>())
        if (epoch.val_metrics.at("accuracy") > best) {
            best = epoch.val_metrics.at("accuracy");
            wanted.push_back(epoch.update);
        }
    std::vector<std::int64_t> saved;
    for (const CheckpointEvent& event : checkpoints)
        if (event.best) saved.push_back(event.update);
    EXPECT_EQ(saved, wanted);
}

// A run that goes on with another batch, seed or model would see samples twice or never.
TEST_F(TrainerTest, RefusesToGoOnAsAnotherRun) {
    Trainer(config(), {run_directory("run")}, {}, nullptr).run();
    const auto resume = [&](const std::function<void(Json&)>& change) {
        Json json = project();
        json["training"]["epochs"] = 4;
        change(json);
        const EndEvent end = Trainer(config(json), {run_directory("run"), true}, {}, nullptr).run();
        return end.error ? end.error->where() : std::string();
    };
    EXPECT_EQ(resume([](Json& json) { json["training"]["seed"] = 10; }), "training.seed");
    EXPECT_EQ(resume([](Json& json) { json["data"]["pipeline"][1]["batch_size"] = 4; }),
              "data.pipeline.batch");
    EXPECT_EQ(resume([](Json& json) { json["data"]["validation_split"] = 0.1; }),
              "data.validation_split");
    EXPECT_EQ(resume([](Json& json) { json["model"]["layers"][5]["config"]["rate"] = 0.5; }),
              "model");
    EXPECT_EQ(resume([](Json& json) {
                  json["training"]["optimizer"] = {{"type", "Adam"},
                                                   {"config", {{"learning_rate", 0.1}}}};
              }),
              "");
}

TEST_F(TrainerTest, RefusesADirectoryThatHoldsARun) {
    Trainer(config(), {run_directory("run")}, {}, nullptr).run();
    const EndEvent end = Trainer(config(), {run_directory("run")}, {}, nullptr).run();
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->where(), run_directory("run"));
}

TEST_F(TrainerTest, AFailedStartLeavesNoRun) {
    Json json = project();
    json["data"]["source"]["labels"] = "nowhere";
    Trainer(config(json), {}, {}, nullptr).run();
    EXPECT_FALSE(fs::exists(folder_ / "runs"));
}

// A stop that comes while the epoch's validation runs: the epoch is not over, and resuming
// validates.
TEST_F(TrainerTest, StopsInTheValidation) {
    auto control = std::make_shared<Control>();
    Recorder first, second;
    first.on_step = [&](const StepEvent& step) {
        if (step.update == updates_per_epoch) control->stop();
    };
    Trainer(config(), {run_directory("run")}, first.sink(), control).run();
    EXPECT_TRUE(first.all<EpochEvent>().empty());
    Trainer(config(), {run_directory("run"), true}, second.sink(), nullptr).run();
    EXPECT_EQ(second.all<EpochEvent>().size(), 3U);
    EXPECT_EQ(second.losses().size(), 2U * updates_per_epoch);
}

TEST_F(TrainerTest, LearnsWithEveryLoss) {
    for (const char* loss : {"sparse_categorical_crossentropy", "categorical_crossentropy",
                             "binary_crossentropy", "mean_squared_error"}) {
        Json json = project();
        json["training"]["loss"] = loss;
        json["training"]["epochs"] = 12;
        json["training"]["optimizer"] = {{"type", "Adam"}, {"config", {{"learning_rate", 0.02}}}};
        if (std::string(loss) == "binary_crossentropy")
            json["model"]["layers"][6]["config"]["activation"] = "sigmoid";
        Recorder recorder;
        const EndEvent end =
            Trainer(config(json), {run_directory(loss)}, recorder.sink(), nullptr).run();
        ASSERT_FALSE(end.error) << loss << ": " << end.error->what();
        const auto epochs = recorder.all<EpochEvent>();
        EXPECT_LT(epochs.back().loss, 0.8 * epochs.front().loss) << loss;
        EXPECT_GT(end.test_metrics.at("accuracy"), 0.7) << loss;
    }
}

TEST_F(TrainerTest, FaultsComeInTheEndBeforeAStep) {
    Json json = project();
    json["data"]["source"]["labels"] = "nowhere";
    Recorder recorder;
    const EndEvent end =
        Trainer(config(json), {run_directory("run")}, recorder.sink(), nullptr).run();
    EXPECT_EQ(end.state, RunState::failed);
    ASSERT_TRUE(end.error);
    EXPECT_NE(std::string(end.error->what()).find("nowhere"), std::string::npos);
    EXPECT_TRUE(recorder.losses().empty());
}

// RELIABILITY 19: without a cache a file that is exchanged in the middle of a run ends it by name,
// with the last checkpoint kept; and the run before that equals one with a cache.
TEST_F(TrainerTest, AFileExchangedInTheRunIsNamed) {
    Recorder cached, streamed;
    Json json = project();
    json["data"]["pipeline"].insert(json["data"]["pipeline"].begin(), Json{{"stage", "cache"}});
    Trainer(config(json), {run_directory("cached")}, cached.sink(), nullptr).run();
    streamed.on_step = [&](const StepEvent& step) {
        if (step.update == 2 * updates_per_epoch) write_part("train", 65, 8);
    };
    const EndEvent end =
        Trainer(config(), {run_directory("streamed")}, streamed.sink(), nullptr).run();
    ASSERT_TRUE(end.error);
    EXPECT_NE(std::string(end.error->what()).find("train-images"), std::string::npos)
        << end.error->what();
    EXPECT_TRUE(fs::exists(end.checkpoint));
    const std::vector<double> before = streamed.losses(), wanted = cached.losses();
    ASSERT_EQ(before.size(), 2U * updates_per_epoch);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), wanted.begin()));
}

TEST_F(TrainerTest, TestDataWhoseCountsDifferAreRefused) {
    write_part("test", 20, 3);
    io::Idx labels{io::IdxType::uint8, Shape{19}, std::vector<std::byte>(19)};
    io::write_idx(folder_ / "test-labels", labels);
    Recorder recorder;
    const EndEvent end = Trainer(config(), {run_directory("run")}, recorder.sink(), nullptr).run();
    ASSERT_TRUE(end.error);
    EXPECT_NE(std::string(end.error->what()).find("19"), std::string::npos);
}

}  // namespace
}  // namespace strata::train
