#include "engine/train/pipeline_json.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/layers/augmentation.h"
#include "engine/train/project_keys.h"

namespace strata::train {
namespace {

constexpr std::int64_t largest_batch = 1 << 24, largest_prefetch = 4096, most_threads = 256;
constexpr std::int64_t mebibyte = 1 << 20;
constexpr const char* order_text = "cache, shuffle, map, cache, batch, prefetch";

void read_cache(const Json& stage, DataConfig& data, const std::string& where) {
    refuse_unknown_keys(stage, {"stage", "where"}, where);
    const std::string place = get_string(stage, "where", "memory", where);
    if (place != "memory" && place != "disk")
        refuse("there is no place '" + place + "' for a cache", where + ".where",
               "Places: memory, disk");
    data.cache = true;
    data.pipeline.cache_place = place == "disk" ? data::CachePlace::disk : data::CachePlace::memory;
}

data::MapLayer read_map_layer(const Json& json, const std::string& where) {
    if (!json.is_object()) refuse("expected an object, found " + json.dump(), where);
    refuse_unknown_keys(json, {"type", "config"}, where);
    const std::string type = get_string(json, "type", "", where);
    try {
        const layers::LayerDescription& layer = layers::find_augmentation(type);
        const Json config = json.value("config", Json::object());
        return {layer.spec.type, layers::checked_augmentation(layer, config)};
    } catch (const Error& error) {
        throw error.at(where);
    }
}

void read_map(const Json& stage, data::PipelineOptions& options, const std::string& where) {
    refuse_unknown_keys(stage, {"stage", "layers", "threads"}, where);
    options.map_threads =
        static_cast<int>(get_integer_between(stage, "threads", 0, 0, where, most_threads));
    const auto layers = stage.find("layers");
    if (layers == stage.end() || !layers->is_array() || layers->empty())
        refuse("the stage 'map' needs a list of layers", where + ".layers",
               R"(For example [{"type": "RandomFlip"}])");
    for (std::size_t i = 0; i < layers->size(); ++i)
        options.map.push_back(
            read_map_layer((*layers)[i], where + ".layers[" + std::to_string(i) + "]"));
}

void read_batch(const Json& stage, data::PipelineOptions& options, const std::string& where) {
    refuse_unknown_keys(stage, {"stage", "batch_size", "drop_remainder"}, where);
    options.batch_size = get_integer_between(stage, "batch_size", 64, 1, where, largest_batch);
    options.drop_remainder = get_bool(stage, "drop_remainder", false, where);
}

void read_prefetch(const Json& stage, data::PipelineOptions& options, const std::string& where) {
    refuse_unknown_keys(stage, {"stage", "buffer_size", "memory_mib"}, where);
    const std::int64_t preset = data::PipelineOptions{}.prefetch;
    const auto size = stage.find("buffer_size");
    options.autotune = size != stage.end() && *size == "auto";
    options.prefetch = options.autotune ? preset
                                        : get_integer_between(stage, "buffer_size", preset, 1,
                                                              where, largest_prefetch);
    const auto preset_bound =
        static_cast<std::int64_t>(data::PipelineOptions{}.memory_bound) / mebibyte;
    options.memory_bound = static_cast<std::size_t>(
        get_integer_between(stage, "memory_mib", preset_bound, 1, where) * mebibyte);
}

}  // namespace

// Each stage at most once; cache stands first, or behind map.
void read_pipeline(const Json& list, DataConfig& data) {
    const std::vector<std::string> names{"cache", "shuffle", "map", "batch", "prefetch"};
    if (!list.is_array()) refuse("expected a list of stages", "data.pipeline");
    data.pipeline = {};
    data.cache = data.pipeline.shuffle = false;
    data.pipeline.prefetch = 0;
    bool batched = false;
    std::ptrdiff_t last = -1;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string where = "data.pipeline[" + std::to_string(i) + "]";
        const Json& stage = list[i];
        if (!stage.is_object()) refuse("expected an object, found " + stage.dump(), where);
        const std::string name = get_string(stage, "stage", "", where);
        const auto place = std::find(names.begin(), names.end(), name) - names.begin();
        if (place == std::ssize(names)) {
            const std::string near = nearest_word(name, names);
            refuse("there is no stage '" + name + "'", where,
                   near.empty() ? "Stages: cache, shuffle, map, batch, prefetch"
                                : "Did you mean '" + near + "'?");
        }
        const bool frozen =
            name == "cache" &&
            names[static_cast<std::size_t>(std::max<std::ptrdiff_t>(last, 0))] == "map";
        if ((place <= last && !frozen) || (name == "cache" && data.cache))
            refuse(
                "stage '" + name + "' stands twice or in the wrong place", where,
                std::string("The order is ") + order_text + "; cache stands in one of its places");
        if (!frozen) last = place;
        if (name == "cache") {
            read_cache(stage, data, where);
            data.pipeline.cache_after_map = frozen;
        } else if (name == "shuffle") {
            refuse_unknown_keys(stage, {"stage", "buffer_size"}, where);
            data.pipeline.shuffle = true;
            data.pipeline.shuffle_buffer = get_integer_between(stage, "buffer_size", 0, 0, where);
        } else if (name == "map") {
            read_map(stage, data.pipeline, where);
        } else if (name == "batch") {
            read_batch(stage, data.pipeline, where);
            batched = true;
        } else {
            read_prefetch(stage, data.pipeline, where);
        }
    }
    if (!batched)
        refuse("the pipeline has no stage 'batch'", "data.pipeline",
               R"(Add {"stage": "batch", "batch_size": 64})");
}

namespace {

Json cache_stage(const data::PipelineOptions& options) {
    Json stage = {{"stage", "cache"}};
    if (options.cache_place == data::CachePlace::disk) stage["where"] = "disk";
    return stage;
}

Json map_stage(const data::PipelineOptions& options) {
    Json layers = Json::array();
    for (const data::MapLayer& layer : options.map) {
        Json entry = {{"type", layer.type}};
        Json config = layer.config.changed(layers::find_augmentation(layer.type).spec.params);
        if (!config.empty()) entry["config"] = std::move(config);
        layers.push_back(std::move(entry));
    }
    Json stage = {{"stage", "map"}, {"layers", std::move(layers)}};
    if (options.map_threads > 0) stage["threads"] = options.map_threads;
    return stage;
}

Json prefetch_stage(const data::PipelineOptions& options) {
    Json stage = {{"stage", "prefetch"}};
    if (options.autotune)
        stage["buffer_size"] = "auto";
    else
        stage["buffer_size"] = options.prefetch;
    if (options.memory_bound != data::PipelineOptions{}.memory_bound)
        stage["memory_mib"] = options.memory_bound / mebibyte;
    return stage;
}

}  // namespace

Json pipeline_to_json(const DataConfig& data) {
    const data::PipelineOptions& options = data.pipeline;
    const bool frozen = options.cache_after_map && !options.map.empty();
    Json list = Json::array();
    if (data.cache && !frozen) list.push_back(cache_stage(options));
    if (options.shuffle) {
        Json stage = {{"stage", "shuffle"}};
        if (options.shuffle_buffer > 0) stage["buffer_size"] = options.shuffle_buffer;
        list.push_back(std::move(stage));
    }
    if (!options.map.empty()) list.push_back(map_stage(options));
    if (data.cache && frozen) list.push_back(cache_stage(options));
    Json batch = {{"stage", "batch"}, {"batch_size", options.batch_size}};
    if (options.drop_remainder) batch["drop_remainder"] = true;
    list.push_back(std::move(batch));
    if (options.prefetch > 0) list.push_back(prefetch_stage(options));
    return list;
}

std::vector<std::string> pipeline_warnings(const DataConfig& data) {
    std::vector<std::string> warnings;
    if (data.cache && data.pipeline.cache_after_map && !data.pipeline.map.empty())
        warnings.emplace_back(
            "The cache stands behind map, so that each sample has the same augmentation in all "
            "epochs; put it first to have another one in each");
    return warnings;
}

data::PipelineOptions training_pipeline(const DataConfig& data) {
    data::PipelineOptions options = data.pipeline;
    options.cache = data.cache;
    return options;
}

data::PipelineOptions evaluation_pipeline(const DataConfig& data) {
    data::PipelineOptions options = training_pipeline(data);
    options.shuffle = options.drop_remainder = options.augment = false;
    return options;
}

bool source_in_memory(const DataConfig& data) {
    return data.cache && data.pipeline.cache_place == data::CachePlace::memory &&
           !(data.pipeline.cache_after_map && !data.pipeline.map.empty());
}

}  // namespace strata::train
