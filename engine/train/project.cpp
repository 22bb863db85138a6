// The project file: reading, checking and writing. See run_config.h.
#include <algorithm>
#include <filesystem>

#include "engine/core/error.h"
#include "engine/data/source.h"
#include "engine/io/atomic_file.h"
#include "engine/io/bounded_reader.h"
#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "engine/optimizers/optimizer.h"
#include "engine/train/run_config.h"

namespace strata::train {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& where,
                         const std::string& hint = {}) {
    throw Error(ErrorCode::invalid_argument, what, where, hint);
}

Json section(const Json& json, const char* key) {
    const auto it = json.find(key);
    if (it == json.end() || it->is_null()) return Json::object();
    if (!it->is_object()) refuse("expected an object, found " + it->dump(), key);
    return *it;
}

constexpr std::int64_t largest = std::int64_t{1} << 40, largest_batch = 1 << 24,
                       largest_prefetch = 4096, largest_thread_count = 1024;

std::int64_t at_least(const Json& json, const char* key, std::int64_t fallback,
                      std::int64_t minimum, const std::string& where,
                      std::int64_t maximum = largest) {
    const std::int64_t value = get_integer(json, key, fallback, where);
    if (value >= minimum && value <= maximum) return value;
    refuse("must be at " +
               (value < minimum ? "least " + std::to_string(minimum)
                                : "most " + std::to_string(maximum)) +
               ", it is " + std::to_string(value),
           where + "." + key);
}

std::int64_t read_batch_stage(const Json& stage, data::PipelineOptions& options,
                              const std::string& where) {
    refuse_unknown_keys(stage, {"stage", "batch_size", "drop_remainder"}, where);
    options.batch_size = at_least(stage, "batch_size", 64, 1, where, largest_batch);
    options.drop_remainder = get_bool(stage, "drop_remainder", false, where);
    return options.batch_size;
}

// The stages in their order: cache and shuffle before batch, prefetch last; each at most once.
void read_pipeline(const Json& list, DataConfig& data) {
    const std::vector<std::string> order{"cache", "shuffle", "batch", "prefetch"};
    if (!list.is_array()) refuse("expected a list of stages", "data.pipeline");
    data.cache = data.pipeline.shuffle = false;
    data.pipeline.prefetch = 0;
    bool batched = false;
    std::ptrdiff_t last = -1;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string where = "data.pipeline[" + std::to_string(i) + "]";
        const Json& stage = list[i];
        if (!stage.is_object()) refuse("expected an object, found " + stage.dump(), where);
        const std::string name = get_string(stage, "stage", "", where);
        const auto place = std::find(order.begin(), order.end(), name) - order.begin();
        if (place == std::ssize(order)) {
            const std::string near = nearest_word(name, order);
            refuse("there is no stage '" + name + "'", where,
                   near.empty() ? "Stages: cache, shuffle, batch, prefetch"
                                : "Did you mean '" + near + "'?");
        }
        if (place <= last)
            refuse("stage '" + name + "' stands twice or in the wrong place", where,
                   "The order is cache, shuffle, batch, prefetch");
        last = place;
        if (name == "cache") {
            refuse_unknown_keys(stage, {"stage"}, where);
            data.cache = true;
        } else if (name == "shuffle") {
            refuse_unknown_keys(stage, {"stage", "buffer_size"}, where);
            data.pipeline.shuffle = true;
            data.pipeline.shuffle_buffer = at_least(stage, "buffer_size", 0, 0, where);
        } else if (name == "batch") {
            read_batch_stage(stage, data.pipeline, where);
            batched = true;
        } else {
            refuse_unknown_keys(stage, {"stage", "buffer_size"}, where);
            data.pipeline.prefetch = at_least(stage, "buffer_size", 4, 1, where, largest_prefetch);
        }
    }
    if (!batched)
        refuse("the pipeline has no stage 'batch'", "data.pipeline",
               "Add {\"stage\": \"batch\", \"batch_size\": 64}");
}

Json pipeline_to_json(const DataConfig& data) {
    Json list = Json::array();
    if (data.cache) list.push_back({{"stage", "cache"}});
    if (data.pipeline.shuffle) {
        Json stage = {{"stage", "shuffle"}};
        if (data.pipeline.shuffle_buffer > 0) stage["buffer_size"] = data.pipeline.shuffle_buffer;
        list.push_back(std::move(stage));
    }
    Json batch = {{"stage", "batch"}, {"batch_size", data.pipeline.batch_size}};
    if (data.pipeline.drop_remainder) batch["drop_remainder"] = true;
    list.push_back(std::move(batch));
    if (data.pipeline.prefetch > 0)
        list.push_back({{"stage", "prefetch"}, {"buffer_size", data.pipeline.prefetch}});
    return list;
}

DataConfig read_data(const Json& json) {
    refuse_unknown_keys(json, {"source", "test", "validation_split", "pipeline"}, "data");
    DataConfig data;
    for (const auto& [key, target] : {std::pair{"source", &data.source}, {"test", &data.test}}) {
        const auto it = json.find(key);
        if (it == json.end() || it->is_null()) continue;
        data::check_source(*it, std::string("data.") + key);
        *target = *it;
    }
    data.validation_split = get_number(json, "validation_split", 0.1, "data");
    if (!(data.validation_split >= 0.0 && data.validation_split < 1.0))
        refuse("must be at least 0 and below 1", "data.validation_split",
               "0.1 sets a tenth of the training data aside");
    if (const auto it = json.find("pipeline"); it != json.end()) read_pipeline(*it, data);
    return data;
}

CheckpointConfig read_checkpoint(const Json& json) {
    CheckpointConfig checkpoint;
    const std::string where = "training.checkpoint";
    const auto it = json.find("checkpoint");
    if (it == json.end()) return checkpoint;
    if (it->is_null() || it->is_boolean()) {
        checkpoint.enabled = it->is_boolean() && it->get<bool>();
        return checkpoint;
    }
    refuse_unknown_keys(*it, {"monitor", "mode", "save_best_only"}, where);
    checkpoint.monitor = get_string(*it, "monitor", checkpoint.monitor, where);
    checkpoint.mode = get_string(*it, "mode", checkpoint.mode, where);
    if (checkpoint.mode != "auto" && checkpoint.mode != "min" && checkpoint.mode != "max")
        refuse("there is no mode '" + checkpoint.mode + "'", where + ".mode",
               "Modes: auto, min, max");
    checkpoint.save_best_only = get_bool(*it, "save_best_only", false, where);
    return checkpoint;
}

void read_optimizer(const Json& json, TrainingConfig& training) {
    const std::string where = "training.optimizer";
    const auto it = json.find("optimizer");
    if (it == json.end()) return;
    if (it->is_string()) {
        training.optimizer = it->get<std::string>();
    } else {
        refuse_unknown_keys(*it, {"type", "config"}, where);
        training.optimizer = get_string(*it, "type", training.optimizer, where);
        training.optimizer_config = it->value("config", Json::object());
    }
    try {
        const auto& optimizer = optimizers::find_optimizer(training.optimizer);
        training.optimizer = optimizer.type;
        training.optimizer_config =
            layers::Config::checked(optimizer.params, training.optimizer_config)
                .changed(optimizer.params);
    } catch (const Error& error) {
        throw error.at(where);
    }
}

TrainingConfig read_training(const Json& json) {
    const std::string where = "training";
    refuse_unknown_keys(
        json, {"epochs", "seed", "loss", "metrics", "optimizer", "initial_weights", "checkpoint"},
        where);
    TrainingConfig training;
    training.epochs = at_least(json, "epochs", training.epochs, 1, where);
    training.seed = static_cast<std::uint64_t>(at_least(json, "seed", 1, 0, where, INT64_MAX));
    training.loss = get_string(json, "loss", training.loss, where);
    try {
        training.loss = losses::find_loss(training.loss).name;
        if (const auto it = json.find("metrics"); it != json.end()) {
            if (!it->is_array())
                refuse("expected a list of names", "metrics", "For example [\"accuracy\"]");
            training.metrics.clear();
            for (const Json& name : *it) {
                if (!name.is_string()) refuse("expected a name, found " + name.dump(), "metrics");
                training.metrics.push_back(metrics::find_metric(name.get<std::string>()).name);
            }
        }
    } catch (const Error& error) {
        throw error.at(where);
    }
    read_optimizer(json, training);
    training.initial_weights = get_string(json, "initial_weights", "", where);
    training.checkpoint = read_checkpoint(json);
    return training;
}

Json training_to_json(const TrainingConfig& training) {
    Json optimizer = {{"type", training.optimizer}};
    if (!training.optimizer_config.empty()) optimizer["config"] = training.optimizer_config;
    Json json = {{"epochs", training.epochs},
                 {"seed", training.seed},
                 {"loss", training.loss},
                 {"metrics", training.metrics},
                 {"optimizer", std::move(optimizer)}};
    if (!training.initial_weights.empty()) json["initial_weights"] = training.initial_weights;
    if (training.checkpoint.enabled)
        json["checkpoint"] = {{"monitor", training.checkpoint.monitor},
                              {"mode", training.checkpoint.mode},
                              {"save_best_only", training.checkpoint.save_best_only}};
    else
        json["checkpoint"] = nullptr;
    return json;
}

void check_version(const Json& json, const std::string& where) {
    if (!json.is_object() || !json.contains("strata"))
        throw Error(ErrorCode::format, "this is no Strata project: it has no key \"strata\"", where,
                    "Make one with `strata new classic -o project.strata`");
    if (!json["strata"].is_number_integer())
        throw Error(ErrorCode::format, "its version is " + json["strata"].dump() + ", no number",
                    where, "Write \"strata\": " + std::to_string(project_version));
    const auto version = json["strata"].get<std::int64_t>();
    if (version > project_version)
        throw Error(ErrorCode::format,
                    "this project was written by a newer Strata Studio (version " +
                        std::to_string(version) + "; this one reads up to " +
                        std::to_string(project_version) + ")",
                    where, "Update Strata Studio");
    if (version < 1)
        throw Error(ErrorCode::format, "there is no project version " + std::to_string(version),
                    where + ", strata");
}

}  // namespace

RunConfig project_from_json(const Json& json, const std::string& where) {
    check_version(json, where);
    try {
        refuse_unknown_keys(json, {"strata", "name", "model", "data", "training", "placement"}, "");
        RunConfig config;
        config.name = get_string(json, "name", config.name, "");
        config.model = graph::Model::from_json(section(json, "model"));
        config.data = read_data(section(json, "data"));
        config.training = read_training(section(json, "training"));
        const Json placement = section(json, "placement");
        refuse_unknown_keys(placement, {"threads"}, "placement");
        config.threads = static_cast<int>(
            at_least(placement, "threads", 0, 0, "placement", largest_thread_count));
        config.data.pipeline.seed = config.training.seed;
        return config;
    } catch (const Error& error) {
        throw error.at(where);
    }
}

Json project_to_json(const RunConfig& config) {
    Json data = Json::object();
    if (!config.data.source.is_null()) data["source"] = config.data.source;
    if (!config.data.test.is_null()) data["test"] = config.data.test;
    data["validation_split"] = config.data.validation_split;
    data["pipeline"] = pipeline_to_json(config.data);
    Json json = {{"strata", project_version},
                 {"name", config.name},
                 {"model", config.model.to_json()},
                 {"data", std::move(data)},
                 {"training", training_to_json(config.training)}};
    if (config.threads > 0) json["placement"] = {{"threads", config.threads}};
    return json;
}

RunConfig load_project(const std::string& path) {
    RunConfig config = project_from_json(parse_json(io::read_text_file(path), path), path);
    config.base = std::filesystem::absolute(path).parent_path().string();
    return config;
}

void save_project(const RunConfig& config, const std::string& path) {
    io::write_file(path, pretty_json(project_to_json(config)));
}

}  // namespace strata::train
