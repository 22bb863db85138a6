#include "engine/train/event_json.h"

#include "engine/train/error_json.h"
#include "engine/train/figures.h"

namespace strata::train {
namespace {

Json memory_json(const device::MemoryBudget& memory) {
    Json json = Json::object();
    for (std::size_t i = 0; i < device::category_count; ++i)
        json[device::name_of(static_cast<device::Category>(i))] = memory.bytes[i];
    return json;
}

struct Writer {
    const std::vector<std::string>& metrics;

    Json operator()(const StateEvent& event) const {
        return {{"event", "state"}, {"state", name_of(event.state)}};
    }
    Json operator()(const PlanEvent& event) const {
        Json json = {{"event", "plan"},
                     {"device", event.device},
                     {"device_description", event.device_description},
                     {"memory_bytes", memory_json(event.memory)},
                     {"parameters", event.parameters},
                     {"train_samples", event.train_samples},
                     {"validation_samples", event.validation_samples},
                     {"test_samples", event.test_samples},
                     {"epochs", event.epochs},
                     {"steps_per_epoch", event.updates_per_epoch},
                     {"first_step", event.first_update + 1},
                     {"first_sample", event.first_sample},
                     {"run_directory", event.run_directory},
                     {"metrics", event.metrics}};
        if (event.memory_limit > 0) json["memory_limit"] = event.memory_limit;
        json["devices"] = Json::array();
        for (const PlanEvent::Device& device : event.devices) {
            json["devices"].push_back(
                {{"name", device.name}, {"memory_bytes", memory_json(device.memory)}});
            if (device.memory_limit > 0)
                json["devices"].back()["memory_limit"] = device.memory_limit;
        }
        return json;
    }
    Json operator()(const StepEvent& event) const {
        Json json = {{"event", "step"},
                     {"step", event.update},
                     {"epoch", event.epoch},
                     {"loss", event.loss}};
        for (std::size_t i = 0; i < event.metrics.size(); ++i) json[metrics[i]] = event.metrics[i];
        json["learning_rate"] = event.learning_rate;
        json["gradient_norm"] = event.gradient_norm;
        json["samples_per_s"] = event.samples_per_s;
        json["samples"] = event.samples;
        json["wall_time"] = event.wall_time;
        json["process_bytes"] = event.process_bytes;
        if (event.loss_scale != 1.0) json["loss_scale"] = event.loss_scale;
        if (event.clip_limit > 0.0) json["clip_limit"] = event.clip_limit;
        if (event.skipped) json["skipped"] = true;
        return json;
    }
    Json operator()(const MarkEvent& event) const {
        return {{"event", "mark"},
                {"kind", name_of(event.kind)},
                {"step", event.update},
                {"value", event.value},
                {"text", event.text}};
    }
    Json operator()(const FindingEvent& event) const {
        Json json = {{"event", "finding"},         {"kind", name_of(event.kind)},
                     {"step", event.update},       {"epoch", event.epoch},
                     {"evidence", event.evidence}, {"advice", event.advice}};
        if (!event.layer.empty()) json["layer"] = event.layer;
        if (!event.fix.empty()) json["fix"] = event.fix;
        return json;
    }
    Json operator()(const PipelineEvent& event) const {
        Json stages = Json::array();
        for (const auto& stage : event.stages)
            stages.push_back({{"name", stage.name},
                              {"samples_per_s", stage.samples_per_s},
                              {"busy", stage.busy},
                              {"fill", stage.fill},
                              {"queue", stage.queue},
                              {"threads", stage.threads}});
        return {{"event", "pipeline"},
                {"stages", std::move(stages)},
                {"wait_share", event.wait_share},
                {"text", event.sentence}};
    }
    // A block is [device, stage, micro-batch, backward, begin, end]: there are many.
    Json operator()(const TimelineEvent& event) const {
        Json blocks = Json::array();
        for (const TimelineEvent::Block& block : event.blocks)
            blocks.push_back({block.device, block.stage, block.micro_batch, block.backward ? 1 : 0,
                              block.begin, block.end});
        return {{"event", "timeline"},
                {"step", event.update},
                {"devices", event.devices},
                {"seconds", event.seconds},
                {"idle_share", event.idle_share},
                {"blocks", std::move(blocks)}};
    }
    Json operator()(const MonitorEvent& event) const {
        Json devices = Json::array();
        for (const MonitorEvent::Device& device : event.devices) {
            devices.push_back({{"name", device.name}});
            devices.back().update(reading_json(device.reading));
        }
        return {{"event", "monitor"},
                {"step", event.update},
                {"wall_time", event.wall_time},
                {"devices", std::move(devices)}};
    }
    Json operator()(const EpochEvent& event) const {
        Json json = {{"event", "epoch"},
                     {"epoch", event.epoch},
                     {"step", event.update},
                     {"loss", event.loss}};
        for (const auto& [name, value] : event.metrics) json[name] = value;
        if (event.val_loss) json["val_loss"] = *event.val_loss;
        for (const auto& [name, value] : event.val_metrics) json["val_" + name] = value;
        json["seconds"] = event.seconds;
        json["samples_per_s"] = event.samples_per_s;
        json["data_wait_share"] = event.data_wait_share;
        return json;
    }
    Json operator()(const CheckpointEvent& event) const {
        Json json = {{"event", "checkpoint"},
                     {"path", event.path},
                     {"step", event.update},
                     {"best", event.best}};
        if (event.failure) json["error"] = error_json(*event.failure);
        return json;
    }
    Json operator()(const LogEvent& event) const {
        const char* const levels[] = {"info", "warning", "error"};
        return {{"event", "log"},
                {"level", levels[static_cast<int>(event.level)]},
                {"text", event.text}};
    }
    Json operator()(const EndEvent& event) const {
        Json json = {{"event", "end"}, {"status", name_of(event.state)}};
        if (event.test_loss) json["test_loss"] = *event.test_loss;
        for (const auto& [name, value] : event.test_metrics) json["test_" + name] = value;
        json["checkpoint"] = event.checkpoint;
        json["picture"] = event.picture;
        json["run_directory"] = event.run_directory;
        json["seconds"] = event.seconds;
        json["samples_per_s"] = event.samples_per_s;
        json["peak_process_bytes"] = event.peak_process_bytes;
        if (!event.reason.empty()) json["reason"] = event.reason;
        if (event.skipped_steps > 0) json["skipped_steps"] = event.skipped_steps;
        if (event.error) json["error"] = error_json(*event.error);
        return json;
    }
};

}  // namespace

Json reading_json(const device::Reading& reading) {
    Json json = Json::object();
    for (const auto& [name, bytes] : byte_figures)
        if (reading.*bytes) json[name] = *(reading.*bytes);
    for (const auto& [name, figure] : figures)
        if (reading.*figure) json[name] = *(reading.*figure);
    json["load_of"] = load_scopes[static_cast<std::size_t>(reading.scope)];
    return json;
}

Json event_json(const Event& event, const std::vector<std::string>& metrics) {
    return std::visit(Writer{metrics}, event);
}

}  // namespace strata::train
