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
    plan.train_samples = 64 * updatesPerEpoch;
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

// Of a GPU, and of a CPU, whose memory the programs share.
inline train::MonitorEvent makeMonitor(std::int64_t update) {
    train::MonitorEvent monitor;
    monitor.update = update;
    monitor.wall_time = 1.7e9 + 0.0035 * static_cast<double>(update);
    device::Reading gpu;
    gpu.used_bytes = (std::size_t{6} << 30) + static_cast<std::size_t>(update) * 1000;
    gpu.free_bytes = (std::size_t{80} << 30) - *gpu.used_bytes;
    gpu.utilisation = 0.9 + 0.05 * std::sin(static_cast<double>(update));
    gpu.temperature = 61.0;
    gpu.power = 412.5;
    device::Reading cpu;
    cpu.used_bytes = std::size_t{5} << 30;
    cpu.free_bytes = std::size_t{11} << 30;
    cpu.program_bytes = std::size_t{1} << 30;
    cpu.utilisation = 0.25;
    cpu.scope = device::LoadScope::process;
    monitor.devices = {{"cuda:0", gpu}, {"cpu:0", cpu}};
    return monitor;
}

// A plan for the devices of makeMonitor().
inline train::PlanEvent makePlanWithGpu() {
    train::PlanEvent plan = makePlan();
    plan.device = "cuda:0, cpu:0";
    plan.devices = {{"cuda:0", plan.memory, std::size_t{80} << 30}, {"cpu:0", plan.memory, 0}};
    return plan;
}

}  // namespace strata::ui
