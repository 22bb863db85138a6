// A small project on data that the tests make: pictures 4 x 4 with one bright row.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/random.h"
#include "engine/interop/keras_h5.h"
#include "engine/io/idx.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"
#include "tests/support/temporary_directory.h"

namespace strata::train {

// Every event of a run, and what a test does when one comes.
struct Recorder {
    std::vector<Event> events;
    std::function<void(const StepEvent&)> on_step;
    std::function<void(const MonitorEvent&)> on_reading;

    EventSink sink() {
        return [this](const Event& event) {
            events.push_back(event);
            if (const auto* step = std::get_if<StepEvent>(&event); step != nullptr && on_step)
                on_step(*step);
            if (const auto* told = std::get_if<MonitorEvent>(&event); told != nullptr && on_reading)
                on_reading(*told);
        };
    }
    template <typename T>
    std::vector<T> all() const {
        std::vector<T> found;
        for (const Event& event : events)
            if (const auto* one = std::get_if<T>(&event)) found.push_back(*one);
        return found;
    }
    std::vector<double> losses() const {
        std::vector<double> values;
        for (const StepEvent& step : all<StepEvent>()) values.push_back(step.loss);
        return values;
    }
};

// Bit for bit.
inline void expect_same_state(const std::vector<graph::HostTensor>& a,
                              const std::vector<graph::HostTensor>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].slot, b[i].slot);
        EXPECT_EQ(a[i].values, b[i].values) << a[i].layer << "/" << a[i].role << a[i].slot;
    }
}

class SmallRun : public ::testing::Test {
protected:
    void SetUp() override {
        write_part("train", 66, 1);
        write_part("test", 20, 2);
    }

    void write_part(const std::string& name, int count, std::uint64_t seed) const {
        io::Idx images{io::IdxType::uint8, Shape{count, 4, 4}, {}};
        io::Idx labels{io::IdxType::uint8, Shape{count}, {}};
        for (int i = 0; i < count; ++i) {
            const auto words = random::draw(seed, 0, 0, static_cast<std::uint64_t>(i));
            const int row = static_cast<int>(words[0] % 4);
            labels.bytes.push_back(static_cast<std::byte>(row));
            for (int p = 0; p < 16; ++p)
                images.bytes.push_back(static_cast<std::byte>(
                    (p / 4 == row ? 200 : 20) + static_cast<int>(words[1] >> p) % 30));
        }
        io::write_idx(folder_ / (name + "-images"), images);
        io::write_idx(folder_ / (name + "-labels"), labels);
    }

    Json project() const {
        const auto source = [](const std::string& name) {
            return Json{
                {"type", "idx"}, {"images", name + "-images"}, {"labels", name + "-labels"}};
        };
        return {{"strata", 1},
                {"name", "small"},
                {"model",
                 {{"layers",
                   {{{"name", "in"}, {"type", "InputLayer"}, {"config", {{"shape", {4, 4, 1}}}}},
                    {{"name", "scale"}, {"type", "Rescaling"}, {"config", {{"scale", 0.004}}}},
                    {{"name", "flat"}, {"type", "Flatten"}},
                    {{"name", "hidden"},
                     {"type", "Dense"},
                     {"config", {{"units", 8}, {"activation", "relu"}}}},
                    {{"name", "norm"}, {"type", "BatchNormalization"}},
                    {{"name", "drop"}, {"type", "Dropout"}, {"config", {{"rate", 0.25}}}},
                    {{"name", "out"},
                     {"type", "Dense"},
                     {"config", {{"units", 4}, {"activation", "softmax"}}}}}}}},
                {"data",
                 {{"source", source("train")},
                  {"test", source("test")},
                  {"validation_split", 0.2},
                  {"pipeline",
                   {{{"stage", "shuffle"}},
                    {{"stage", "batch"}, {"batch_size", 8}},
                    {{"stage", "prefetch"}}}}}},
                {"training", {{"epochs", 3}, {"seed", 9}}},
                {"placement", {{"threads", 1}}}};
    }

    RunConfig config(const Json& json) const {
        RunConfig made = project_from_json(json, "small.strata");
        made.base = folder_.path().string();
        return made;
    }
    RunConfig config() const { return config(project()); }

    EndEvent train_as(const Json& json, const std::string& name, Recorder& recorder,
                      bool resume = false, std::shared_ptr<Control> control = nullptr) const {
        return Trainer(config(json), {run_directory(name), resume, false}, recorder.sink(),
                       std::move(control))
            .run();
    }

    // Weights, then slots.
    std::vector<graph::HostTensor> state_in(const std::string& name,
                                            const char* file = "last.h5") const {
        interop::KerasFile read = interop::read_keras_h5(run_directory(name) + "/" + file);
        for (graph::HostTensor& tensor : read.optimizer) read.weights.push_back(std::move(tensor));
        return std::move(read.weights);
    }
    checkpoint::TrainingState place_in(const std::string& name,
                                       const char* file = "last.h5") const {
        return checkpoint::TrainingState::from_json(
            interop::read_training_state(run_directory(name) + "/" + file));
    }

    std::string run_directory(const std::string& name) const { return (folder_ / name).string(); }

    strata::testing::TemporaryDirectory folder_;
};

}  // namespace strata::train
