// Every number of a training's state comes back with all its bits; older files are read, too.
#include "engine/checkpoint/training_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/engine/layers/error_of.h"

namespace strata::checkpoint {
namespace {

using strata::testing::error_of;

TrainingState filled() {
    TrainingState state;
    state.epoch = 2;
    state.batch_in_epoch = 9;
    state.schedule_offset = 3;
    state.update = 41;
    state.skipped_steps = 2;
    state.samples = 1234567890123;
    state.seed = std::numeric_limits<std::uint64_t>::max();
    state.epoch_loss_sum = 0.1 + 0.2;
    state.epoch_metric_sums = {1.0 / 3.0, std::numeric_limits<double>::infinity(), 5e-324};
    state.epoch_samples = 77;
    state.best = -std::numeric_limits<double>::infinity();
    state.loss_scaler = LossScalerState{65536.0, 1999};
    state.live = {std::nullopt, 1e-4};
    state.schedule = {{"plateau", {{"wait", 3}}}};
    state.early_stopping = {{"wait", 2}, {"best", 0.25}};
    state.fingerprint = {{"size", 99}};
    state.log = {{"file", "events"}, {"bytes", 88}};
    state.project = {{"name", "মডেল"}};
    return state;
}

TEST(TrainingState, ComesBackFromItsText) {
    const TrainingState state = filled();
    const TrainingState read =
        TrainingState::from_json(parse_json(state.to_json().dump(), "state"));
    EXPECT_EQ(read.to_json(), state.to_json());
    EXPECT_EQ(read.epoch_loss_sum, state.epoch_loss_sum);
    EXPECT_EQ(read.epoch_metric_sums, state.epoch_metric_sums);
    EXPECT_EQ(read.seed, state.seed);
    EXPECT_EQ(read.best, state.best);
    ASSERT_TRUE(read.loss_scaler);
    EXPECT_EQ(read.loss_scaler->scale, 65536.0);
    EXPECT_EQ(read.loss_scaler->finite_steps, 1999);
    EXPECT_EQ(read.schedule_offset, 3);
    EXPECT_EQ(read.skipped_steps, 2);
    EXPECT_FALSE(read.live.clip_limit);
    EXPECT_EQ(read.live.weight_decay, 1e-4);
    EXPECT_EQ(read.schedule["plateau"]["wait"], 3);
    TrainingState lost = state;
    lost.epoch_loss_sum = std::nan("");
    EXPECT_TRUE(std::isnan(
        TrainingState::from_json(parse_json(lost.to_json().dump(), "state")).epoch_loss_sum));
}

TEST(TrainingState, WhatOlderVersionsWroteIsRead) {
    const TrainingState read = TrainingState::from_json(
        {{"epoch", 1}, {"batch_in_epoch", 5}, {"update", 12}, {"seed", 3}, {"best", 0.5}});
    EXPECT_EQ(read.update, 12);
    EXPECT_EQ(read.schedule_offset, 0);
    EXPECT_EQ(read.best, 0.5);
    EXPECT_FALSE(read.loss_scaler);
    EXPECT_FALSE(read.live.weight_decay);
    EXPECT_TRUE(read.schedule.is_null());
    EXPECT_EQ(error_of([] { TrainingState::from_json(Json()); }).code(), ErrorCode::format);
}

}  // namespace
}  // namespace strata::checkpoint
