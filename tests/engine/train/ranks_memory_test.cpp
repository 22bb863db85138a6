// RELIABILITY 21: memory that is too small on one rank. All ranks take smaller batches together, or
// end together with the plan's numbers; nobody waits for ever.
#include "tests/engine/train/ranks.h"

#include <cstdlib>

namespace strata::train {
namespace {

// How often: 3 times in the suite, as often as STRATA_TRIES says by hand.
int tries() {
    const char* text = std::getenv("STRATA_TRIES");
    return text == nullptr ? 3 : std::atoi(text);
}

class RanksMemory : public RanksRun {
protected:
    // Bytes of the plan of this project.
    std::size_t planned(const Json& json) const {
        Recorder recorder;
        Json short_run = json;
        short_run["training"]["epochs"] = 1;
        const Ended ended = train_ranks(short_run, 2, "planned-" + std::to_string(++count_));
        ended.expect(RunState::finished);
        return ended.lead().all<PlanEvent>().front().devices[0].memory.total();
    }
    Ended with_limit_on_rank_1(const Json& json, std::size_t bytes, const std::string& name) const {
        return train_ranks(json, 2, name, {.project = [bytes](int rank, Json& project) {
                               if (rank == 1) project["placement"]["memory_limit"] = bytes;
                           }});
    }
    static std::string warnings(const Ended& ended) {
        std::string text;
        for (const LogEvent& event : ended.lead().all<LogEvent>())
            if (event.level == LogEvent::Level::warning) text += event.text + "\n";
        return text;
    }
    mutable int count_ = 0;
};

TEST_F(RanksMemory, AllTakeSmallerBatches) {
    Json json = cut(32, 2), half = cut(16, 2);
    json["training"]["epochs"] = half["training"]["epochs"] = 1;
    half["training"]["gradient_accumulation_steps"] = 2;
    const std::size_t whole_bytes = planned(json), half_bytes = planned(half);
    ASSERT_LT(half_bytes, whole_bytes);
    const Ended by_hand = train_ranks(half, 2, "half");
    by_hand.expect(RunState::finished);
    for (int i = 0; i < tries(); ++i) {
        const std::string name = "run-" + std::to_string(i);
        const Ended ended = with_limit_on_rank_1(json, (whole_bytes + half_bytes) / 2, name);
        ended.expect(RunState::finished);
        EXPECT_EQ(ended.lead().losses(), by_hand.lead().losses());
        EXPECT_NE(warnings(ended).find("rank 1 has too little memory"), std::string::npos);
        const Json project = place_in(name).project;
        EXPECT_EQ(project["training"]["gradient_accumulation_steps"], 2);
        std::filesystem::remove_all(folder_ / name);
    }
}

// Half a batch has another mean and variance than the whole one.
TEST_F(RanksMemory, OtherStatisticsAreTold) {
    Json json = project(), half = project();
    json["data"]["pipeline"][1]["batch_size"] = 32;
    half["data"]["pipeline"][1]["batch_size"] = 16;
    json["training"]["epochs"] = half["training"]["epochs"] = 1;
    half["training"]["gradient_accumulation_steps"] = 2;
    const std::size_t limit = (planned(json) + planned(half)) / 2;
    const std::string told = warnings(with_limit_on_rank_1(json, limit, "normalized"));
    EXPECT_NE(told.find("BatchNormalization take mean and variance of 16 samples in place of 32"),
              std::string::npos)
        << told;
    json["model"]["layers"][4]["config"]["synchronized"] = true;
    const std::string shared = warnings(with_limit_on_rank_1(json, limit, "synchronized"));
    EXPECT_NE(shared.find("BatchNormalization take mean and variance of 32 samples in place of 64"),
              std::string::npos)
        << shared;
    Json plain = cut(64, 2), plain_half = cut(32, 2);
    plain["training"]["epochs"] = plain_half["training"]["epochs"] = 1;
    plain_half["training"]["gradient_accumulation_steps"] = 2;
    const std::string none =
        warnings(with_limit_on_rank_1(plain, (planned(plain) + planned(plain_half)) / 2, "plain"));
    EXPECT_NE(none.find("all take 16 samples at a time"), std::string::npos) << none;
    EXPECT_EQ(none.find("BatchNormalization"), std::string::npos) << none;
}

TEST_F(RanksMemory, WhatFitsNowhereEndsAllWithTheNumbers) {
    for (int i = 0; i < tries(); ++i) {
        const Ended ended = with_limit_on_rank_1(cut(32, 2), 1024, "none-" + std::to_string(i));
        ended.expect(RunState::failed);
        for (const EndEvent& end : ended.ends) {
            EXPECT_EQ(end.error->code(), ErrorCode::out_of_memory);
            EXPECT_NE(end.error->message().find("weights"), std::string::npos) << end.error->what();
        }
        EXPECT_EQ(ended.ends[0].error->message().substr(0, 8), "rank 1: ");
    }
}

// The same project on a larger machine takes what the smaller one could not.
TEST_F(RanksMemory, GoesOnWhereThereIsMore) {
    Json json = cut(32, 2);
    const std::size_t whole_bytes = planned(json);
    Json half = cut(16, 2);
    half["training"]["gradient_accumulation_steps"] = 2;
    const std::size_t half_bytes = planned(half);
    const Ended first = train_ranks(
        json, 2, "run",
        {.project =
             [&](int rank, Json& project) {
                 if (rank == 1)
                     project["placement"]["memory_limit"] = (whole_bytes + half_bytes) / 2;
             },
         .watch =
             [](int rank, Recorder& recorder, Control& control) {
                 if (rank == 0)
                     recorder.on_step = [&control](const StepEvent& step) {
                         if (step.update == 1) control.stop();
                     };
             }});
    first.expect(RunState::stopped);
    EXPECT_EQ(place_in("run").batch_in_epoch, 2);
    const Ended second = train_ranks(json, 2, "run", {.resume = true});
    second.expect(RunState::finished);
    EXPECT_EQ(second.lead().all<StepEvent>().back().samples, 3 * 52);
}

}  // namespace
}  // namespace strata::train
