// Events of a made-up run, for the tests of the charts.
#pragma once

#include <cmath>

#include "engine/train/events.h"

namespace strata::ui {

inline train::PlanEvent makePlan(std::int64_t updatesPerEpoch = 100) {
    train::PlanEvent plan;
    plan.device = "cpu:0";
    plan.memory[device::Category::weights] = 400 << 10;
    plan.memory[device::Category::optimizer] = 800 << 10;
    plan.memory[device::Category::gradients] = 400 << 10;
    plan.memory[device::Category::activations] = 1500 << 10;
    plan.memory[device::Category::workspace] = 64 << 10;
    plan.memory[device::Category::input] = 196 << 10;
    plan.memory_limit = std::size_t{15} << 30;
    plan.updates_per_epoch = updatesPerEpoch;
    plan.metrics = {"accuracy"};
    return plan;
}

inline train::StepEvent makeStep(std::int64_t update) {
    train::StepEvent step;
    const auto t = static_cast<double>(update);
    const double noise = std::sin(t * 12.9898) * std::cos(t * 78.233);
    step.update = update;
    step.epoch = 1 + (update - 1) / 100;
    step.loss = 0.28 + 0.9 * std::exp(-t / 300.0) + 0.08 * noise;
    step.metrics = {0.9 - 0.6 * std::exp(-t / 250.0) + 0.05 * noise};
    step.learning_rate = 0.001;
    step.gradient_norm = 1.5 + noise;
    step.samples_per_s = 18000.0 + 900.0 * noise;
    step.wall_time = 1.7e9 + 0.0035 * t;
    step.samples = 64 * update;
    step.process_bytes = (std::size_t{210} << 20) + static_cast<std::size_t>(update) * 1000;
    return step;
}

inline train::EpochEvent makeEpoch(std::int64_t epoch, std::int64_t update) {
    train::EpochEvent event;
    event.epoch = epoch;
    event.update = update;
    event.loss = 0.4;
    event.metrics = {{"accuracy", 0.8}};
    event.val_loss = 0.34 + 0.5 * std::exp(-static_cast<double>(update) / 300.0);
    event.val_metrics = {{"accuracy", 0.88 - 0.4 * std::exp(-static_cast<double>(update) / 300.0)}};
    return event;
}

}  // namespace strata::ui
