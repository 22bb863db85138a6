#include "ui/bridge/prediction.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "engine/data/pipeline.h"
#include "engine/data/source.h"
#include "engine/graph/model.h"
#include "engine/parallel/plan_advice.h"
#include "engine/parallel/stages.h"
#include "engine/schedules/learning_rate.h"
#include "engine/train/best_metric.h"
#include "engine/train/checkpoint_keeper.h"
#include "engine/train/early_stopping.h"
#include "engine/train/evaluation.h"
#include "engine/train/pipeline_json.h"
#include "engine/train/plan_request.h"
#include "ui/bridge/prediction_pool.h"

namespace strata::ui {
namespace {

// Remembered, because a prediction follows every edit. Files that change meanwhile are seen by the
// run itself.
std::optional<train::DataSize> dataSize(const train::RunConfig& config) {
    static std::mutex mutex;
    static std::map<std::string, train::DataSize> known;
    const std::string key =
        config.base + '\n' + config.data.source.dump() + '\n' + config.data.test.dump();
    const std::lock_guard lock(mutex);
    if (const auto it = known.find(key); it != known.end()) return it->second;
    try {
        const std::optional<train::DataSize> size = train::data_size(config);
        if (size) known[key] = *size;
        return size;
    } catch (const std::exception&) {
        return {};  // told at its field
    }
}

// As placementRequest(). Where the memory limit cannot be met even by computing all activations
// again: that error, and the request without it.
struct Request {
    parallel::PlanRequest request;
    std::optional<Error> misfit;
};

Request fittedRequest(const train::RunConfig& config) {
    try {
        return {placementRequest(config), {}};
    } catch (const Error& error) {
        train::RunConfig without = config;
        if (error.code() != ErrorCode::out_of_memory ||
            std::exchange(without.training.recomputation.memory_limit, 0) == 0)
            throw;
        return {placementRequest(without),
                Error(error.code(), error.message(), "training.recomputation.memory_limit",
                      error.hint())};
    }
}

// Of a step, which is a forward pass and a backward pass of about twice its work.
void countRecomputed(const train::RunConfig& config, const graph::Model& fitted,
                     MemoryPrediction& out) {
    if (config.training.recomputation.memory_limit == 0) return;
    const graph::ModelReport report = graph::analyze(config.model);
    std::int64_t again = 0;
    for (std::size_t i = 0; i < fitted.layers.size(); ++i) {
        if (!fitted.layers[i].recompute || config.model.layers[i].recompute) continue;
        again += report.layers[i].flops;
        ++out.recomputed;
    }
    if (report.flops > 0)
        out.extraWork = static_cast<double>(again) / (3.0 * static_cast<double>(report.flops));
}

template <typename Check>
void collect(std::vector<Error>& faults, const Check& check) {
    try {
        check();
    } catch (const Error& error) {
        faults.push_back(error);
    }
}

}  // namespace

parallel::PlanRequest placementRequest(const train::RunConfig& config) {
    return train::plan_request(config, dataSize(config));
}

PlacementPrediction predictPlacement(const train::RunConfig& config, Warnings warnings) {
    PredictionPool::rest();
    PlacementPrediction out;
    try {
        const parallel::PlanRequest request = placementRequest(config);
        out.plan = parallel::plan_placement(request, {.time = true, .warnings = false});
        if (warnings == Warnings::none) return out;
        PredictionPool::rest();
        out.plan->warnings = parallel::warnings_of(request, *out.plan);
    } catch (const Error& error) {
        out.fault = error;
    } catch (const std::exception& error) {
        out.fault = Error(ErrorCode::internal, error.what());
    }
    return out;
}

std::vector<parallel::PlanWarning> predictLessMemory(const train::RunConfig& config) {
    PredictionPool::rest();
    try {
        train::RunConfig asked = config;
        const auto wanted =
            static_cast<std::size_t>(std::exchange(asked.training.recomputation.memory_limit, 0));
        parallel::PlanRequest request = placementRequest(asked);
        parallel::PlacementPlan plan =
            parallel::plan_placement(request, {.time = true, .warnings = false});
        const bool fits = std::all_of(plan.devices.begin(), plan.devices.end(),
                                      [](const auto& device) { return device.fits(); });
        // Then what is there is less than what the plan counts on.
        for (parallel::DevicePlan& device : plan.devices) {
            if (!fits) break;
            const std::size_t total = device.memory.total();
            device.memory_limit = wanted > 0 && wanted < total ? wanted : total / 4 * 3;
            request.placement.memory_limits[device.device] = device.memory_limit;
        }
        PredictionPool::rest();
        std::vector<parallel::PlanWarning> warnings = parallel::warnings_of(request, plan);
        std::erase_if(warnings, [](const auto& warning) { return warning.fixes.empty(); });
        std::erase_if(warnings, [](const auto& warning) { return warning.too_much == 0; });
        return warnings;
    } catch (const std::exception&) {
        return {};  // the run's own error tells what is wrong
    }
}

AutoPrediction predictAutoPlacement(const train::RunConfig& config,
                                    const parallel::AutoOptions& options) {
    AutoPrediction out;
    try {
        out.placement = parallel::place_automatically(placementRequest(config), options);
    } catch (const Error& error) {
        out.fault = error;
    } catch (const std::exception& error) {
        out.fault = Error(ErrorCode::internal, error.what());
    }
    return out;
}

namespace {

// Of the device that has the least room, or that holds most.
MemoryPrediction fullestDevice(const parallel::PlacementPlan& plan) {
    const auto fullest = std::max_element(
        plan.devices.begin(), plan.devices.end(), [](const auto& a, const auto& b) {
            return a.fits() != b.fits() ? a.fits() : a.memory.total() < b.memory.total();
        });
    MemoryPrediction out;
    out.budget = fullest->memory;
    out.device = fullest->device;
    out.limit = fullest->memory_limit;
    for (const parallel::DevicePlan& device : plan.devices)
        out.bytes[device.device] = device.memory.total();
    return out;
}

// The first copy's weights, and what all copies keep of the optimizer's state where they share it.
std::size_t checkpointBytes(const parallel::PlacementPlan& plan, const train::RunConfig& config) {
    std::size_t weights = 0, optimizer = 0;
    for (const parallel::DevicePlan& device : plan.devices) {
        if (device.replica == 0) weights += device.memory[device::Category::weights];
        if (device.replica == 0 || config.placement.sharded_optimizer)
            optimizer += device.memory[device::Category::optimizer];
    }
    if (config.placement.sharded_optimizer)
        optimizer *= static_cast<std::size_t>(std::max(config.placement.ranks, 1));
    return weights + optimizer;
}

bool isOnOneDevice(const train::RunConfig& config) {
    return config.placement.ranks <= 1 &&
           parallel::runs_on_one_device(config.model, config.placement);
}

}  // namespace

std::optional<MemoryPrediction> predictMemory(const train::RunConfig& config) {
    PredictionPool::rest();
    try {
        const Request fitted = fittedRequest(config);
        const parallel::PlacementPlan plan =
            parallel::plan_placement(fitted.request, {.time = false, .warnings = false});
        MemoryPrediction out = fullestDevice(plan);
        out.checkpoint = checkpointBytes(plan, config);
        out.misfit = fitted.misfit;
        if (!out.misfit) countRecomputed(config, fitted.request.model, out);
        return out;
    } catch (const std::exception&) {
        return {};  // the fault stands at its layer or field already, or Train tells it
    }
}

std::optional<graph::StepTime> predictStepTime(const train::RunConfig& config) {
    PredictionPool::rest();
    if (!isOnOneDevice(config)) return {};
    try {
        const parallel::PlanRequest request = fittedRequest(config).request;
        graph::ExecutorOptions options = request.options;
        if (!config.placement.devices.empty()) options.device = config.placement.devices.front();
        return graph::predict_step_time(request.model, request.setup, options,
                                        request.accumulation);
    } catch (const std::exception&) {
        return {};  // as predictMemory()
    }
}

std::optional<EpochPrediction> predictEpoch(const train::RunConfig& config) {
    const std::optional<train::DataSize> size = dataSize(config);
    if (!size) return {};
    try {
        const data::Split split = data::split_indices(size->samples, config.data.validation_split);
        EpochPrediction out;
        out.samples = std::ssize(split.train);
        out.validationSamples = std::ssize(split.validation);
        const std::int64_t batch = std::max<std::int64_t>(config.data.pipeline.batch_size, 1) *
                                   config.placement.replicas * std::max(config.placement.ranks, 1);
        const std::int64_t window =
            std::max<std::int64_t>(config.training.gradient_accumulation_steps, 1);
        out.batches = config.data.pipeline.drop_remainder ? out.samples / batch
                                                          : (out.samples + batch - 1) / batch;
        out.updates = (out.batches + window - 1) / window;
        if (out.batches == 0) return {};
        return out;
    } catch (const std::exception&) {
        return {};
    }
}

std::vector<Error> techniqueFaults(const train::RunConfig& config) {
    const train::TrainingConfig& training = config.training;
    const bool validates = config.data.validation_split > 0.0;
    std::vector<Error> faults;
    collect(faults, [&] { schedules::check_setting(training.schedule); });
    collect(faults, [&] {
        const schedules::LearningRate rate(training.schedule, 1.0, 1, 1);
        if (!rate.monitor().empty())
            train::find_monitor(rate.monitor(), "auto", training.metrics, validates,
                                std::string(schedules::setting_key) + ".reduce_on_plateau.monitor");
    });
    if (faults.size() == 2) faults.pop_back();  // the same one again
    collect(faults, [&] {
        const train::EarlyStopping check(training.early_stopping, training.metrics, validates);
    });
    if (training.checkpoint.enabled) {
        collect(faults, [&] {
            train::CheckpointKeeper check(training.checkpoint, training.metrics, validates);
        });
    }
    return faults;
}

void checkTraining(const train::RunConfig& config) {
    // Model and data files are left out: they have places of their own to be told at.
    train::RunConfig shown = config;
    shown.model = {};
    shown.data.source = shown.data.test = Json();
    const Json json = train::project_to_json(shown);
    try {
        train::project_from_json(json, "");
    } catch (const Error& error) {
        std::size_t at = error.where().find("training.");
        if (at == std::string::npos) at = error.where().find("data.pipeline");
        if (at != std::string::npos)
            throw Error(error.code(), error.message(), error.where().substr(at), error.hint());
    }
}

}  // namespace strata::ui
