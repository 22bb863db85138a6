// The doctor's rules on made-up values: each finding comes where its rule says so, once, with its
// numbers, and comes again only after it was over.
#include "engine/train/doctor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/train/run_config.h"

namespace strata::train {
namespace {

using Kind = FindingEvent::Kind;

class DoctorTest : public ::testing::Test {
protected:
    static DoctorSetup setup() {
        DoctorSetup setup;
        setup.learning_rate = 0.3;
        setup.fixed_prefetch = true;
        setup.activations = {{"first", "sigmoid"}, {"hidden", "relu"}};
        return setup;
    }

    // Steps with these losses, one after the other.
    void steps(const std::vector<double>& losses, double norm = 1.0) {
        for (double loss : losses) doctor_.after_step({++update_, 1, 32, loss, norm});
    }
    void norms(int count, double norm) { steps(std::vector<double>(count, 1.0), norm); }
    void epochs(const std::vector<std::pair<double, double>>& values) {
        for (const auto& [loss, val_loss] : values)
            doctor_.after_epoch(++epoch_, {{"loss", loss}, {"val_loss", val_loss}});
    }
    int count(Kind kind) const {
        int n = 0;
        for (const FindingEvent& one : found_) n += one.kind == kind ? 1 : 0;
        return n;
    }
    void expect_words(const FindingEvent& finding, const std::vector<std::string>& words) const {
        for (const std::string& word : words)
            EXPECT_NE(finding.evidence.find(word), std::string::npos)
                << word << " in: " << finding.evidence;
        EXPECT_FALSE(finding.advice.empty());
    }

    std::vector<FindingEvent> found_;
    Doctor doctor_{setup(), [this](FindingEvent finding) { found_.push_back(std::move(finding)); }};
    std::int64_t update_ = 0, epoch_ = 0;
};

TEST_F(DoctorTest, SaysNothingOfARunThatLearns) {
    std::vector<double> losses;
    for (int i = 0; i < 400; ++i)
        losses.push_back(2.3 * std::exp(-i / 80.0) * (i % 2 == 0 ? 1.1 : 0.9));
    steps(losses);
    epochs({{2.0, 2.1}, {1.5, 1.7}, {1.0, 1.3}, {0.8, 1.1}, {0.6, 1.0}, {0.5, 0.9}, {0.4, 0.89}});
    for (int i = 0; i < 5; ++i) {
        doctor_.layer_gradients({{"first", 0.01}, {"out", 1.0}});
        doctor_.layer_activity({{"hidden", 128, 50, 32}});
        doctor_.data_wait(0.2, 2.5, "", "map");
    }
    EXPECT_TRUE(found_.empty()) << name_of(found_[0].kind) << ": " << found_[0].evidence;
}

TEST_F(DoctorTest, ARisingLossMeansTooHighALearningRate) {
    steps({2.0, 3.0, 5.0, 6.0, 5.0, 6.0, 5.0});
    EXPECT_TRUE(found_.empty());
    steps({6.0, 6.0, 6.0});  // the mean of 8 is (3+5+6+5+6+5+6+6)/8 = 5.25 at the second of them
    ASSERT_EQ(found_.size(), 1U);
    EXPECT_EQ(found_[0].kind, Kind::learning_rate_too_high);
    EXPECT_EQ(found_[0].update, 8);
    expect_words(found_[0], {"from 2 to 4.75"});  // (2+3+5+6+5+6+5+6)/8
    EXPECT_EQ(found_[0].fix, "training.optimizer.config.learning_rate=0.03");
    steps(std::vector<double>(20, 1.0));  // over
    steps(std::vector<double>(20, 5.0));
    EXPECT_EQ(count(Kind::learning_rate_too_high), 2);
}

TEST_F(DoctorTest, ALossThatSwingsMeansTooHighALearningRate) {
    std::vector<double> losses{2.0};
    for (int i = 0; i < 20; ++i) losses.push_back(i % 2 == 0 ? 1.0 : 3.0);
    steps(losses);
    ASSERT_EQ(found_.size(), 1U);
    EXPECT_EQ(found_[0].kind, Kind::learning_rate_too_high);
    EXPECT_EQ(found_[0].fix, "training.optimizer.config.learning_rate=0.1");
}

TEST_F(DoctorTest, LaterOnOnlyARaisedRateIsWatched) {
    steps(std::vector<double>(300, 1.0));
    steps(std::vector<double>(30, 4.0));
    EXPECT_EQ(count(Kind::learning_rate_too_high), 0);
    steps(std::vector<double>(30, 1.0));
    doctor_.learning_rate_raised();
    steps(std::vector<double>(30, 4.0));
    EXPECT_EQ(count(Kind::learning_rate_too_high), 1);
}

TEST_F(DoctorTest, ARunThatGoesOnIsNotEarly) {
    update_ = 500;
    steps({2.0});
    steps(std::vector<double>(30, 8.0));
    EXPECT_TRUE(found_.empty());
}

TEST_F(DoctorTest, GrowthOfTheGradientIsFoundWithItsFactor) {
    norms(40, 0.5);
    doctor_.layer_gradients({{"first", 9.0}, {"out", 1.0}});
    norms(16, 15.0);
    ASSERT_EQ(count(Kind::exploding_gradients), 1);
    expect_words(found_[0], {"30.0 times", "from 0.5 to 15"});
    EXPECT_EQ(found_[0].layer, "first");
    EXPECT_EQ(found_[0].fix, R"(training.clipping={"type": "global_clipnorm", "value": 0.5})");
    norms(200, 15.0);  // not again while it lasts
    EXPECT_EQ(count(Kind::exploding_gradients), 1);
    norms(100, 0.5);
    norms(16, 15.0);
    EXPECT_EQ(count(Kind::exploding_gradients), 2);
}

TEST_F(DoctorTest, OneLargeGradientIsNoExplosion) {
    norms(40, 0.5);
    norms(2, 500.0);
    norms(40, 0.5);
    EXPECT_TRUE(found_.empty());
}

TEST_F(DoctorTest, AVanishedGradientNamesTheLayer) {
    const std::vector<graph::GradientNorm> small{{"first", 2e-7}, {"out", 0.4}};
    doctor_.layer_gradients(small);
    doctor_.layer_gradients(small);
    EXPECT_TRUE(found_.empty());
    doctor_.layer_gradients(small);
    doctor_.layer_gradients(small);
    ASSERT_EQ(found_.size(), 1U);
    EXPECT_EQ(found_[0].kind, Kind::vanishing_gradients);
    EXPECT_EQ(found_[0].layer, "first");
    expect_words(found_[0], {"2,000,000 times", "'out'"});
    EXPECT_EQ(found_[0].fix, "model.layers.first.config.activation=relu");
    doctor_.layer_gradients({{"first", 0.1}, {"out", 0.4}});
    for (int i = 0; i < 3; ++i) doctor_.layer_gradients(small);
    EXPECT_EQ(found_.size(), 2U);
}

TEST_F(DoctorTest, DeadUnitsAreCountedOverThreeLooks) {
    const auto look = [&](std::int64_t dead) {
        doctor_.layer_activity({{"hidden", 128, dead, 32}, {"other", 64, 0, 32}});
    };
    for (std::int64_t dead : {100, 71, 60, 80, 74}) look(dead);
    EXPECT_TRUE(found_.empty());
    look(71);
    ASSERT_EQ(found_.size(), 1U);
    EXPECT_EQ(found_[0].kind, Kind::dead_units);
    EXPECT_EQ(found_[0].layer, "hidden");
    expect_words(found_[0], {"at least 71 of 128 units", "32 samples"});
    for (int i = 0; i < 5; ++i) look(70);
    EXPECT_EQ(found_.size(), 1U);
}

TEST_F(DoctorTest, WaitingForDataNamesTheStage) {
    doctor_.data_wait(0.6, 1.5, "map is at its limit: 300 samples/s on 1 threads", "map");
    EXPECT_TRUE(found_.empty());  // too short a time to say
    doctor_.data_wait(0.6, 1.5, "map is at its limit: 300 samples/s on 1 threads", "map");
    ASSERT_EQ(found_.size(), 1U);
    expect_words(found_[0], {"40 %", "3.0 seconds", "map is at its limit"});
    EXPECT_EQ(found_[0].fix, "data.pipeline.prefetch.buffer_size=auto");
}

TEST_F(DoctorTest, OverfittingSaysFromWhichEpoch) {
    epochs({{1.0, 1.0}, {0.6, 0.8}, {0.4, 0.7}, {0.3, 0.71}, {0.2, 0.75}});
    EXPECT_TRUE(found_.empty());
    epochs({{0.1, 0.9}, {0.05, 1.0}});
    ASSERT_EQ(found_.size(), 1U);
    EXPECT_EQ(found_[0].kind, Kind::overfitting);
    EXPECT_EQ(found_[0].epoch, 6);
    expect_words(found_[0],
                 {"from epoch 4", "from 0.7 in epoch 3 to 0.9 in epoch 6", "from 0.4 to 0.1"});
    EXPECT_NE(found_[0].fix.find("early_stopping"), std::string::npos);
}

TEST_F(DoctorTest, APlateauIsFiveEpochsWithoutGain) {
    epochs({{1.0, 1.0}, {0.5, 0.5}, {0.5, 0.5}, {0.499, 0.5}, {0.5, 0.499}, {0.5, 0.5}});
    EXPECT_TRUE(found_.empty());
    epochs({{0.5, 0.5}, {0.5, 0.5}});
    ASSERT_EQ(found_.size(), 1U);
    EXPECT_EQ(found_[0].kind, Kind::plateau);
    EXPECT_EQ(found_[0].epoch, 7);
    expect_words(found_[0], {"0.5 at best up to epoch 2", "0.499"});
    epochs({{0.3, 0.3}});  // over
    epochs({{0.3, 0.3}, {0.3, 0.3}, {0.3, 0.3}, {0.3, 0.3}, {0.3, 0.3}});
    EXPECT_EQ(count(Kind::plateau), 2);
}

// Each fix can be given to --set as it stands.
TEST_F(DoctorTest, FixesAreAssignmentsOfTheProject) {
    Json project = project_to_json(make_template("classic"));
    project["model"]["layers"][1]["name"] = "first";
    steps({2.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0});
    norms(40, 0.5);
    norms(16, 15.0);
    for (int i = 0; i < 3; ++i) doctor_.layer_gradients({{"first", 1e-9}, {"out", 1.0}});
    doctor_.data_wait(2.0, 3.0, "", "batch");
    epochs({{1.0, 1.0}, {0.9, 1.1}, {0.8, 1.2}, {0.7, 1.3}});
    ASSERT_EQ(found_.size(), 5U);
    for (const FindingEvent& finding : found_) {
        ASSERT_FALSE(finding.fix.empty()) << name_of(finding.kind);
        apply_override(project, finding.fix);
    }
    EXPECT_EQ(project["training"]["optimizer"]["config"]["learning_rate"], 0.03);
    EXPECT_EQ(project["training"]["clipping"]["type"], "global_clipnorm");
    EXPECT_EQ(project["training"]["early_stopping"]["patience"], 3);
}

}  // namespace
}  // namespace strata::train
