// Events from what event_json() wrote.
#include <algorithm>
#include <limits>

#include "engine/train/error_json.h"
#include "engine/train/event_json.h"
#include "engine/train/figures.h"

namespace strata::train {
namespace {

constexpr const char* where = "event";

double number(const Json& json, const char* key, double fallback = 0.0) {
    if (!json.contains(key)) return fallback;
    // Written for NaN and Inf, which JSON does not have.
    if (json.at(key).is_null()) return std::numeric_limits<double>::quiet_NaN();
    return get_number(json, key, fallback, where);
}

std::int64_t integer(const Json& json, const char* key, std::int64_t fallback = 0) {
    return get_integer(json, key, fallback, where);
}

std::size_t bytes(const Json& json, const char* key) {
    return static_cast<std::size_t>(std::max<std::int64_t>(integer(json, key), 0));
}

std::string text(const Json& json, const char* key) {
    return get_string(json, key, "", where);
}

const Json& list(const Json& json, const char* key) {
    static const Json none = Json::array();
    if (!json.contains(key)) return none;
    if (!json.at(key).is_array()) throw Error(ErrorCode::format, "is no list", key);
    return json.at(key);
}

template <typename Kind>
Kind kind_named(const std::string& name, Kind last) {
    for (int i = 0; i <= static_cast<int>(last); ++i)
        if (name == name_of(static_cast<Kind>(i))) return static_cast<Kind>(i);
    throw Error(ErrorCode::format, "there is no '" + name + "'", where);
}

device::MemoryBudget memory(const Json& json) {
    device::MemoryBudget budget;
    if (!json.contains("memory_bytes")) return budget;
    for (std::size_t i = 0; i < device::category_count; ++i)
        budget.bytes[i] =
            bytes(json.at("memory_bytes"), device::name_of(static_cast<device::Category>(i)));
    return budget;
}

std::optional<Error> error(const Json& json) {
    if (!json.contains("error")) return {};
    return error_from(json.at("error"), ErrorCode::interrupted);
}

PlanEvent plan(const Json& json) {
    PlanEvent event;
    event.device = text(json, "device");
    event.device_description = text(json, "device_description");
    event.memory = memory(json);
    event.memory_limit = bytes(json, "memory_limit");
    for (const Json& device : list(json, "devices"))
        event.devices.push_back(
            {text(device, "name"), memory(device), bytes(device, "memory_limit")});
    if (event.devices.empty())  // one device, by a version that did not list them
        event.devices.push_back({event.device, event.memory, event.memory_limit});
    event.parameters = integer(json, "parameters");
    event.train_samples = integer(json, "train_samples");
    event.validation_samples = integer(json, "validation_samples");
    event.test_samples = integer(json, "test_samples");
    event.epochs = integer(json, "epochs");
    event.updates_per_epoch = integer(json, "steps_per_epoch");
    event.first_update = integer(json, "first_step", 1) - 1;
    event.first_sample = integer(json, "first_sample");
    event.run_directory = text(json, "run_directory");
    for (const Json& name : list(json, "metrics")) event.metrics.push_back(name);
    return event;
}

StepEvent step(const Json& json, const std::vector<std::string>& metrics) {
    StepEvent event;
    event.update = integer(json, "step");
    event.epoch = integer(json, "epoch");
    event.loss = number(json, "loss");
    for (const std::string& name : metrics) event.metrics.push_back(number(json, name.c_str()));
    event.learning_rate = number(json, "learning_rate");
    event.gradient_norm = number(json, "gradient_norm");
    event.samples_per_s = number(json, "samples_per_s");
    event.samples = integer(json, "samples");
    event.wall_time = number(json, "wall_time");
    event.process_bytes = bytes(json, "process_bytes");
    event.loss_scale = number(json, "loss_scale", 1.0);
    event.clip_limit = number(json, "clip_limit");
    event.skipped = get_bool(json, "skipped", false, where);
    return event;
}

EpochEvent epoch(const Json& json, const std::vector<std::string>& metrics) {
    EpochEvent event;
    event.epoch = integer(json, "epoch");
    event.update = integer(json, "step");
    event.loss = number(json, "loss");
    if (json.contains("val_loss")) event.val_loss = number(json, "val_loss");
    for (const std::string& name : metrics) {
        if (json.contains(name)) event.metrics[name] = number(json, name.c_str());
        if (const std::string val = "val_" + name; json.contains(val))
            event.val_metrics[name] = number(json, val.c_str());
    }
    event.seconds = number(json, "seconds");
    event.samples_per_s = number(json, "samples_per_s");
    event.data_wait_share = number(json, "data_wait_share");
    return event;
}

FindingEvent finding(const Json& json) {
    return {kind_named(text(json, "kind"), FindingEvent::Kind::starved_of_data),
            integer(json, "step"),
            integer(json, "epoch"),
            text(json, "layer"),
            text(json, "evidence"),
            text(json, "advice"),
            text(json, "fix")};
}

PipelineEvent pipeline(const Json& json) {
    PipelineEvent event;
    for (const Json& stage : list(json, "stages"))
        event.stages.push_back({text(stage, "name"), number(stage, "samples_per_s"),
                                number(stage, "busy"), number(stage, "fill"),
                                integer(stage, "queue"),
                                static_cast<int>(integer(stage, "threads", 1))});
    event.wait_share = number(json, "wait_share");
    event.sentence = text(json, "text");
    return event;
}

TimelineEvent timeline(const Json& json) {
    TimelineEvent event;
    event.update = integer(json, "step");
    event.devices = static_cast<int>(integer(json, "devices"));
    event.seconds = number(json, "seconds");
    event.idle_share = number(json, "idle_share");
    for (const Json& block : list(json, "blocks"))
        event.blocks.push_back({block.at(0).get<int>(), block.at(1).get<int>(),
                                block.at(2).get<int>(), block.at(3).get<int>() != 0,
                                block.at(4).get<double>(), block.at(5).get<double>()});
    return event;
}

MonitorEvent monitor(const Json& json) {
    MonitorEvent event;
    event.update = integer(json, "step");
    event.wall_time = number(json, "wall_time");
    for (const Json& told : list(json, "devices")) {
        MonitorEvent::Device device{text(told, "name"), {}};
        for (const auto& [name, figure] : byte_figures)
            if (told.contains(name)) device.reading.*figure = bytes(told, name);
        for (const auto& [name, figure] : figures)
            if (told.contains(name)) device.reading.*figure = number(told, name);
        const std::string scope = text(told, "load_of");
        const auto* known = std::find(load_scopes.begin(), load_scopes.end(), scope);
        if (known != load_scopes.end())
            device.reading.scope = static_cast<device::LoadScope>(known - load_scopes.begin());
        event.devices.push_back(std::move(device));
    }
    return event;
}

LogEvent log_entry(const Json& json) {
    const std::string level = text(json, "level");
    return {level == "error"     ? LogEvent::Level::error
            : level == "warning" ? LogEvent::Level::warning
                                 : LogEvent::Level::info,
            text(json, "text")};
}

EndEvent end(const Json& json, const std::vector<std::string>& metrics) {
    EndEvent event;
    event.state = kind_named(text(json, "status"), RunState::failed);
    if (json.contains("test_loss")) event.test_loss = number(json, "test_loss");
    for (const std::string& name : metrics)
        if (const std::string key = "test_" + name; json.contains(key))
            event.test_metrics[name] = number(json, key.c_str());
    event.checkpoint = text(json, "checkpoint");
    event.picture = text(json, "picture");
    event.run_directory = text(json, "run_directory");
    event.seconds = number(json, "seconds");
    event.samples_per_s = number(json, "samples_per_s");
    event.peak_process_bytes = bytes(json, "peak_process_bytes");
    event.reason = text(json, "reason");
    event.skipped_steps = integer(json, "skipped_steps");
    event.error = error(json);
    return event;
}

}  // namespace

std::optional<Event> EventReader::read(const Json& json) {
    if (!json.is_object()) throw Error(ErrorCode::format, "is no object", where);
    const std::string kind = text(json, "event");
    try {
        if (kind == "state") return StateEvent{kind_named(text(json, "state"), RunState::failed)};
        if (kind == "plan") {
            PlanEvent event = plan(json);
            metrics_ = event.metrics;
            return event;
        }
        if (kind == "step") return step(json, metrics_);
        if (kind == "epoch") return epoch(json, metrics_);
        if (kind == "mark")
            return MarkEvent{kind_named(text(json, "kind"), MarkEvent::Kind::paused),
                             integer(json, "step"), number(json, "value"), text(json, "text")};
        if (kind == "finding") return finding(json);
        if (kind == "pipeline") return pipeline(json);
        if (kind == "timeline") return timeline(json);
        if (kind == "monitor") return monitor(json);
        if (kind == "checkpoint")
            return CheckpointEvent{text(json, "path"), integer(json, "step"),
                                   get_bool(json, "best", false, where), error(json)};
        if (kind == "log") return log_entry(json);
        if (kind == "end") return end(json, metrics_);
    } catch (const Json::exception& wrong) {
        throw Error(ErrorCode::format, wrong.what(), std::string(where) + " '" + kind + "'");
    }
    return {};
}

std::optional<Event> EventReader::read_line(const std::string& line) {
    return read(parse_json(line, where));
}

}  // namespace strata::train
