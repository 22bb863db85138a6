// The doctor in real runs: it changes nothing, and it finds what was done to them.
#include <algorithm>

#include "tests/engine/train/deep_layers.h"
#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

using Kind = FindingEvent::Kind;

class DoctorRunTest : public SmallRun {
protected:
    Json longer(int epochs) const {
        Json json = project();
        json["training"]["epochs"] = epochs;
        json["training"]["checkpoint"] = nullptr;
        return json;
    }
    std::vector<FindingEvent> findings(const Json& json) const {
        Recorder recorder;
        Trainer(config(json), {run_directory("run")}, recorder.sink(), nullptr).run();
        return recorder.all<FindingEvent>();
    }
    static const FindingEvent* find(const std::vector<FindingEvent>& all, Kind kind) {
        const auto it = std::find_if(all.begin(), all.end(),
                                     [&](const FindingEvent& one) { return one.kind == kind; });
        return it == all.end() ? nullptr : &*it;
    }
};

TEST_F(DoctorRunTest, ChangesNoResult) {
    Json json = longer(30);
    json["training"]["gradient_accumulation_steps"] = 2;
    Recorder with, without;
    Trainer(config(json), {run_directory("with")}, with.sink(), nullptr).run();
    RunOptions options{run_directory("without")};
    options.doctor = false;
    Trainer(config(json), options, without.sink(), nullptr).run();
    ASSERT_EQ(with.losses().size(), 30U * 4);
    EXPECT_EQ(with.losses(), without.losses());
    EXPECT_TRUE(without.all<FindingEvent>().empty());
}

// A rate that throws the biases far below 0 leaves units that no sample wakes.
TEST_F(DoctorRunTest, FindsALayerThatHasDied) {
    Json json = longer(400);
    json["model"]["layers"].erase(4);  // a normalization would wake them
    json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 30.0}}}};
    const auto all = findings(json);
    const FindingEvent* dead = find(all, Kind::dead_units);
    ASSERT_NE(dead, nullptr);
    EXPECT_EQ(dead->layer, "hidden");
    EXPECT_NE(dead->evidence.find("of 8 units"), std::string::npos) << dead->evidence;
}

TEST_F(DoctorRunTest, FindsALearningRateThatIsTooHigh) {
    Json json = longer(10);
    json["training"]["optimizer"] = {{"type", "SGD"}, {"config", {{"learning_rate", 30.0}}}};
    const auto all = findings(json);  // the run itself may end with Inf
    const FindingEvent* high = find(all, Kind::learning_rate_too_high);
    ASSERT_NE(high, nullptr);
    EXPECT_LE(high->update, 70);
    EXPECT_NE(high->fix.find("learning_rate="), std::string::npos);
    json["training"]["optimizer"]["config"]["learning_rate"] = 0.05;
    json["name"] = "tame";
    Recorder tame;
    Trainer(config(json), {run_directory("tame")}, tame.sink(), nullptr).run();
    EXPECT_EQ(find(tame.all<FindingEvent>(), Kind::learning_rate_too_high), nullptr);
}

// Labels that say nothing of the pictures can only be learnt by heart.
TEST_F(DoctorRunTest, FindsOverfittingToAFewSamples) {
    io::Idx labels{io::IdxType::uint8, Shape{66}, {}};
    for (int i = 0; i < 66; ++i)
        labels.bytes.push_back(
            static_cast<std::byte>(random::draw(77, 0, 0, static_cast<std::uint64_t>(i))[0] % 4));
    io::write_idx(folder_ / "train-labels", labels);
    Json json = longer(80);
    json["model"]["layers"][3]["config"]["units"] = 64;
    json["training"]["optimizer"] = {{"type", "Adam"}, {"config", {{"learning_rate", 0.01}}}};
    const auto all = findings(json);
    const FindingEvent* overfits = find(all, Kind::overfitting);
    ASSERT_NE(overfits, nullptr);
    EXPECT_NE(overfits->evidence.find("val_loss rose"), std::string::npos) << overfits->evidence;
}

TEST_F(DoctorRunTest, FindsWhereTheGradientVanishes) {
    Json json = longer(200);
    json["model"]["layers"] = with_ten_sigmoids(json["model"]["layers"]);
    const auto all = findings(json);
    const FindingEvent* vanished = find(all, Kind::vanishing_gradients);
    ASSERT_NE(vanished, nullptr);
    EXPECT_EQ(vanished->layer, "deep_0");
    EXPECT_EQ(vanished->fix, "model.layers.deep_0.config.activation=relu");
}

}  // namespace
}  // namespace strata::train
