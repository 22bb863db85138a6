// What is measured beside a training counts for that long only.
#include "engine/graph/training_now.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace strata::graph {
namespace {

class Counting {
public:
    int of(const char* key) {
        return values_.of(key, [this] { return std::make_unique<int>(++made_); });
    }
    int made() const { return made_; }

private:
    Measurements<std::string, int> values_;
    int made_ = 0;
};

TEST(TrainingNow, CountsThoseThatLive) {
    const TrainingSince free;
    EXPECT_FALSE(TrainingNow::any());
    EXPECT_FALSE(free.any());
    {
        const TrainingNow one;
        const TrainingNow two;
        EXPECT_TRUE(TrainingNow::any());
        EXPECT_TRUE(TrainingSince().any());
    }
    EXPECT_FALSE(TrainingNow::any());
    EXPECT_TRUE(free.any()) << "one came and went";
    EXPECT_FALSE(TrainingSince().any());
}

TEST(Measurements, AreMadeAnewWhenTheTrainingIsOver) {
    Counting measured;
    EXPECT_EQ(measured.of("before"), 1);
    {
        const TrainingNow training;
        EXPECT_EQ(measured.of("before"), 1) << "it was quiet then";
        EXPECT_EQ(measured.of("beside"), 2);
        EXPECT_EQ(measured.of("beside"), 2) << "once";
    }
    EXPECT_EQ(measured.of("beside"), 3);
    EXPECT_EQ(measured.of("beside"), 3);
    const TrainingNow training;
    EXPECT_EQ(measured.of("beside"), 3) << "what was quiet counts";
    EXPECT_EQ(measured.made(), 3);
}

TEST(Measurements, ATrainingThatBeginsMeanwhileCounts) {
    Measurements<int, int> values;
    std::optional<TrainingNow> training;
    const auto disturbed = [&] {
        training.emplace();
        return std::make_unique<int>(1);
    };
    EXPECT_EQ(values.of(0, disturbed), 1);
    training.reset();
    EXPECT_EQ(values.of(0, [] { return std::make_unique<int>(2); }), 2);
}

}  // namespace
}  // namespace strata::graph
