// RELIABILITY 19, 20: what ends a run, data that cannot be read or numbers that are not finite,
// leaves the state before it in a checkpoint, and names the file or the layer.
#include <cmath>
#include <filesystem>

#include "engine/io/npy.h"
#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

namespace fs = std::filesystem;

bool warned(const Recorder& recorder, const std::string& words) {
    for (const LogEvent& event : recorder.all<LogEvent>())
        if (event.level == LogEvent::Level::warning && event.text.find(words) != std::string::npos)
            return true;
    return false;
}

class FaultyRun : public SmallRun {
protected:
    // 52 samples read from the file in their order, when they are needed: 13 micro-batches of 4,
    // in windows of 4, 4, 4 and 1.
    Json streamed() const {
        Json json = project();
        json["data"]["pipeline"] = {{{"stage", "batch"}, {"batch_size", 4}}};
        json["training"]["gradient_accumulation_steps"] = 4;
        return json;
    }
    // Leaves `samples` of the images.
    void truncate(std::int64_t samples) const {
        const auto whole = fs::file_size(folder_ / "train-images");
        fs::resize_file(folder_ / "train-images",
                        whole - static_cast<std::uintmax_t>(66 - samples) * 16);
    }
    void restore() const {
        fs::remove(folder_ / "train-images");
        write_part("train", 66, 1);
    }
};

// The file ends within the second window's third micro-batch. What the two before it did to the
// moving averages of BatchNormalization must not count twice.
TEST_F(FaultyRun, ATruncatedFileEndsItAsItWasBeforeTheWindow) {
    for (const char* precision : {"float32", "mixed_bfloat16"}) {
        Json json = streamed();
        json["training"]["precision"] = precision;
        const std::string name = std::string("cut-") + precision, all = name + "-whole";
        Recorder whole, first, second;
        ASSERT_EQ(train_as(json, all, whole).state, RunState::finished);
        first.on_step = [&](const StepEvent& step) {
            if (step.update == 1) truncate(26);
        };
        const EndEvent end = train_as(json, name, first);
        ASSERT_EQ(end.state, RunState::failed);
        EXPECT_NE(end.error->where().find("train-images"), std::string::npos) << end.error->what();
        EXPECT_EQ(end.checkpoint, run_directory(name) + "/last.h5");
        const checkpoint::TrainingState place = place_in(name);
        EXPECT_EQ(place.update, 1);
        EXPECT_EQ(place.batch_in_epoch, 4);
        EXPECT_EQ(place.samples, 16);
        restore();
        ASSERT_EQ(train_as(json, name, second, true).state, RunState::finished);
        std::vector<double> losses = first.losses();
        for (double loss : second.losses()) losses.push_back(loss);
        EXPECT_EQ(losses, whole.losses());
        EXPECT_EQ(second.all<StepEvent>().back().samples, 3 * 52);
        expect_same_state(state_in(name), state_in(all));
    }
}

// The last 14 samples are for validation: the epoch's training is done, and its weights are not
// the average that the validation was about to look at.
TEST_F(FaultyRun, AFileThatEndsInTheValidationLeavesTheTrainedWeights) {
    Json json = streamed();
    json["training"]["ema"] = {{"momentum", 0.5}};
    json["training"]["epochs"] = 1;
    Recorder whole, cut;
    const EndEvent good = train_as(json, "whole", whole);
    ASSERT_EQ(good.state, RunState::finished);
    cut.on_step = [&](const StepEvent& step) {
        if (step.update == 4) truncate(60);
    };
    const EndEvent end = train_as(json, "cut", cut);
    ASSERT_EQ(end.state, RunState::failed);
    EXPECT_NE(end.error->where().find("train-images"), std::string::npos);
    expect_same_state(state_in("cut"), state_in("whole"));
    EXPECT_EQ(place_in("cut").batch_in_epoch, 13);
    EXPECT_EQ(place_in("cut").epoch, 0);
}

TEST_F(FaultyRun, NothingIsSavedOfARunThatDidNothing) {
    Json json = streamed();
    json["model"]["layers"][1]["config"]["scale"] = 1e38;
    Recorder recorder;
    const EndEvent end = train_as(json, "run", recorder);
    ASSERT_EQ(end.state, RunState::failed);
    EXPECT_EQ(end.checkpoint, "");
    EXPECT_FALSE(fs::exists(run_directory("run") + "/last.h5"));
}

// Two rows of float32 samples, of which one can be made not to be a number.
class FloatRun : public SmallRun {
protected:
    static constexpr std::int64_t count = 40, features = 6;

    void write_samples(std::int64_t bad) const {
        std::vector<float> samples;
        std::vector<std::int32_t> labels;
        for (std::int64_t i = 0; i < count; ++i) {
            labels.push_back(static_cast<std::int32_t>(i % 4));
            for (std::int64_t k = 0; k < features; ++k)
                samples.push_back(i == bad ? NAN : (k == i % 4 ? 1.0F : 0.1F));
        }
        io::write_npy(folder_ / "x.npy", DType::float32, Shape{count, features},
                      std::as_bytes(std::span(samples)));
        io::write_npy(folder_ / "y.npy", DType::int32, Shape{count},
                      std::as_bytes(std::span(labels)));
    }
    Json points() const {
        return {{"strata", 1},
                {"name", "points"},
                {"model",
                 {{"layers",
                   {{{"name", "in"}, {"type", "InputLayer"}, {"config", {{"shape", {features}}}}},
                    {{"name", "hidden"}, {"type", "Dense"}, {"config", {{"units", 5}}}},
                    {{"name", "norm"}, {"type", "BatchNormalization"}},
                    {{"name", "out"},
                     {"type", "Dense"},
                     {"config", {{"units", 4}, {"activation", "softmax"}}}}}}}},
                {"data",
                 {{"source", {{"type", "npy"}, {"samples", "x.npy"}, {"labels", "y.npy"}}},
                  {"validation_split", 0.0},
                  {"pipeline", {{{"stage", "batch"}, {"batch_size", 4}}}}}},
                {"training", {{"epochs", 2}, {"seed", 3}}},
                {"placement", {{"threads", 1}}}};
    }
};

// Sample 22 is in the sixth batch. In float32 the run ends there, and goes on from there when the
// sample was mended.
TEST_F(FloatRun, ANumberThatIsNotFiniteLeavesTheStateBeforeIt) {
    write_samples(22);
    Recorder first, second, whole;
    const EndEvent end = train_as(points(), "run", first);
    ASSERT_EQ(end.state, RunState::failed);
    EXPECT_EQ(end.error->code(), ErrorCode::numeric);
    EXPECT_EQ(end.error->where(), "layer 'hidden'");
    EXPECT_NE(end.error->message().find("sample 22 of the training data"), std::string::npos)
        << end.error->message();
    EXPECT_EQ(first.losses().size(), 5U);
    EXPECT_EQ(end.checkpoint, run_directory("run") + "/last.h5");
    EXPECT_EQ(place_in("run").update, 5);
    EXPECT_EQ(place_in("run").batch_in_epoch, 5);
    for (const graph::HostTensor& tensor : state_in("run"))
        for (float value : tensor.values) ASSERT_TRUE(std::isfinite(value)) << tensor.role;
    write_samples(-1);
    ASSERT_EQ(train_as(points(), "run", second, true).state, RunState::finished);
    EXPECT_TRUE(warned(second, "other content")) << "the fingerprint is another";
    ASSERT_EQ(train_as(points(), "whole", whole).state, RunState::finished);
    expect_same_state(state_in("run"), state_in("whole"));
}

// Scales of 1e25 one after the other: the gradient of a sample that is not right overflows at the
// lower one, and is 0 where it is right. The overflow is the first micro-batch's alone.
TEST_F(FloatRun, TheLayerIsThatOfTheMicroBatchInWhichItBegan) {
    Json json = points();
    json["model"]["layers"] = {
        {{"name", "in"}, {"type", "InputLayer"}, {"config", {{"shape", {features}}}}},
        {{"name", "hidden"}, {"type", "Dense"}, {"config", {{"units", 5}}}},
        {{"name", "lower"}, {"type", "Rescaling"}, {"config", {{"scale", 1e25}}}},
        {{"name", "upper"}, {"type", "Rescaling"}, {"config", {{"scale", 1e25}}}},
        {{"name", "out"},
         {"type", "Dense"},
         {"config", {{"units", 4}, {"activation", "softmax"}}}}};
    json["data"]["pipeline"][0]["batch_size"] = 2;
    json["training"]["epochs"] = 1;
    json["training"]["gradient_accumulation_steps"] = 2;
    // One window: two samples of label `first`, two of `second`, all of them the same.
    const auto train_on = [&](std::int32_t first, std::int32_t second, const std::string& name) {
        const std::vector<float> samples(4 * features, 1e-20F);
        const std::vector<std::int32_t> labels{first, first, second, second};
        io::write_npy(folder_ / "x.npy", DType::float32, Shape{4, features},
                      std::as_bytes(std::span(samples)));
        io::write_npy(folder_ / "y.npy", DType::int32, Shape{4}, std::as_bytes(std::span(labels)));
        Recorder recorder;
        return train_as(json, name, recorder);
    };
    // What the untrained model says.
    std::int32_t right = -1;
    for (std::int32_t label = 0; label < 4; ++label)
        if (!train_on(label, label, "all-" + std::to_string(label)).error) right = label;
    ASSERT_GE(right, 0);
    const EndEvent end = train_on((right + 1) % 4, right, "first");
    ASSERT_TRUE(end.error);
    EXPECT_EQ(end.error->code(), ErrorCode::numeric);
    EXPECT_EQ(end.error->where(), "layer 'lower', in its gradient");
}

// 7 updates an epoch: a run that learns nothing says so after 7, and ends after 100.
TEST_F(FaultyRun, AFixedLossScaleThatIsTooLargeIsToldLoudly) {
    Json json = project();
    json["training"]["precision"] = "mixed_float16";
    json["training"]["loss_scale"] = 0x1p60;
    Recorder few, many;
    const EndEvent end = train_as(json, "few", few);
    EXPECT_EQ(end.state, RunState::finished);
    EXPECT_EQ(end.skipped_steps, 21);
    int told = 0;
    for (const LogEvent& event : few.all<LogEvent>()) {
        if (event.text.find("7 steps in a row were skipped") == std::string::npos) continue;
        ++told;
        EXPECT_EQ(event.level, LogEvent::Level::warning);
        EXPECT_NE(event.text.find("layer '"), std::string::npos) << event.text;
        EXPECT_NE(event.text.find("dynamic"), std::string::npos) << event.text;
    }
    EXPECT_EQ(told, 1);
    json["training"]["epochs"] = 20;
    const EndEvent ended = train_as(json, "many", many);
    ASSERT_TRUE(ended.error);
    EXPECT_NE(ended.error->where().find("layer '"), std::string::npos) << ended.error->what();
    EXPECT_NE(ended.error->hint().find("dynamic"), std::string::npos);
    EXPECT_EQ(place_in("many").skipped_steps, 99) << "the step that ended it is not counted";
}

}  // namespace
}  // namespace strata::train
