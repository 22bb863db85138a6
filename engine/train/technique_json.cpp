#include "engine/train/technique_json.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/core/error.h"
#include "engine/train/live_settings.h"
#include "engine/train/project_keys.h"

namespace strata::train {
namespace {

constexpr double no_maximum = std::numeric_limits<double>::infinity();
constexpr double largest_scale = 0x1p60;
constexpr std::array statistics_choices{BatchStatistics::each_micro_batch,
                                        BatchStatistics::deferred};
constexpr std::array rate_scalings{ScaleRate::none, ScaleRate::linear, ScaleRate::square_root};
constexpr std::array clippings{Clipping::value, Clipping::norm, Clipping::global_norm};

std::string key_of(const char* name) {
    return std::string("training.") + name;
}

// training[key], or nothing where it is absent or null.
const Json* given(const Json& training, const char* key) {
    const auto it = training.find(key);
    return it == training.end() || it->is_null() ? nullptr : &*it;
}

std::string get_choice(const Json& object, const char* key, const std::string& fallback,
                       const std::vector<std::string>& choices, const std::string& where) {
    std::string value = get_string(object, key, fallback, where);
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
    std::string all;
    for (const std::string& choice : choices) all += (all.empty() ? "" : ", ") + choice;
    const std::string near = nearest_word(value, choices);
    refuse("there is no '" + value + "'", where + "." + key,
           (near.empty() ? "" : "Did you mean '" + near + "'? ") + ("It can be: " + all));
}

const std::vector<std::string> modes{"auto", "min", "max"};

LossScaleConfig read_loss_scale(const Json& training) {
    LossScaleConfig config;
    const Json* json = given(training, "loss_scale");
    if (json == nullptr || *json == "dynamic") return config;
    if (json->is_number()) {
        config.dynamic = false;
        config.initial =
            get_number_between(training, "loss_scale", 1.0, 0.0, largest_scale, "training", true);
        return config;
    }
    const std::string where = key_of("loss_scale");
    if (!json->is_object())
        refuse("expected \"dynamic\" or a number, found " + json->dump(), where);
    refuse_unknown_keys(*json, {"initial", "growth_interval"}, where);
    config.initial =
        get_number_between(*json, "initial", config.initial, 1.0, largest_scale, where);
    config.growth_interval =
        get_integer_between(*json, "growth_interval", config.growth_interval, 1, where);
    return config;
}

BatchStatistics read_batch_statistics(const Json& training) {
    std::vector<std::string> names;
    for (BatchStatistics choice : statistics_choices) names.emplace_back(name_of(choice));
    const std::string name =
        get_choice(training, batch_statistics_key, names[0], names, "training");
    return statistics_choices[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                                       names.begin())];
}

ClippingConfig read_clipping(const Json& training) {
    ClippingConfig config;
    const Json* json = given(training, "clipping");
    if (json == nullptr) return config;
    const std::string where = key_of("clipping");
    if (!json->is_object()) refuse("expected an object, found " + json->dump(), where);
    std::vector<std::string> names, used;
    for (Clipping type : clippings) names.emplace_back(name_of(type));
    for (const std::string& name : names)
        if (json->contains(name)) used.push_back(name);
    if (used.size() > 1)
        refuse("'" + used[0] + "' and '" + used[1] + "' are two ways of clipping at once", where,
               "Keep one of them");
    std::string type = used.empty() ? "" : used[0];
    if (used.empty()) {
        refuse_unknown_keys(*json, {"type", "value"}, where);
        type = get_choice(*json, "type", "global_clipnorm", names, where);
    } else {
        refuse_unknown_keys(*json, {used[0]}, where);
    }
    config.type = clippings[static_cast<std::size_t>(std::find(names.begin(), names.end(), type) -
                                                     names.begin())];
    const char* key = used.empty() ? "value" : type.c_str();
    config.value =
        checked(clip_limit_rule(), get_number(*json, key, config.value, where), where + "." + key);
    return config;
}

RateScalingConfig read_rate_scaling(const Json& training) {
    RateScalingConfig config;
    std::vector<std::string> names;
    for (ScaleRate scale : rate_scalings) names.emplace_back(name_of(scale));
    const std::string name = get_choice(training, scale_rate_key, names[0], names, "training");
    config.scale = rate_scalings[static_cast<std::size_t>(
        std::find(names.begin(), names.end(), name) - names.begin())];
    config.warmup_epochs =
        get_number_between(training, warmup_epochs_key, 0.0, 0.0, 1e6, "training");
    const Json* schedule = given(training, "learning_rate_schedule");
    if (config.warmup_epochs > 0.0 && schedule != nullptr && schedule->is_object() &&
        given(*schedule, "warmup") != nullptr)
        refuse("the learning rate has two warm-ups, this one and learning_rate_schedule.warmup",
               key_of(warmup_epochs_key), "Keep one of them");
    return config;
}

EmaConfig read_ema(const Json& training) {
    EmaConfig config;
    const Json* json = given(training, "ema");
    if (json == nullptr || *json == false) return config;
    config.enabled = true;
    if (*json == true) return config;
    refuse_unknown_keys(*json, {"momentum"}, key_of("ema"));
    config.momentum =
        get_number_between(*json, "momentum", config.momentum, 0.0, 1.0, key_of("ema"));
    return config;
}

RecomputationConfig read_recomputation(const Json& training) {
    RecomputationConfig config;
    const Json* json = given(training, "recomputation");
    if (json == nullptr) return config;
    const std::string where = key_of("recomputation");
    refuse_unknown_keys(*json, {"memory_limit"}, where);
    config.memory_limit = get_integer_between(*json, "memory_limit", 0, 1, where,
                                              std::numeric_limits<std::int64_t>::max());
    return config;
}

EarlyStoppingConfig read_early_stopping(const Json& training) {
    EarlyStoppingConfig config;
    const Json* json = given(training, "early_stopping");
    if (json == nullptr || *json == false) return config;
    const std::string where = key_of("early_stopping");
    config.enabled = true;
    if (*json == true) return config;
    refuse_unknown_keys(*json,
                        {"monitor", "mode", "min_delta", "patience", "baseline",
                         "restore_best_weights", "start_from_epoch"},
                        where);
    config.monitor = get_string(*json, "monitor", config.monitor, where);
    config.mode = get_choice(*json, "mode", config.mode, modes, where);
    config.min_delta = get_number_between(*json, "min_delta", 0.0, 0.0, no_maximum, where);
    config.patience = get_integer_between(*json, "patience", 0, 0, where);
    if (const auto it = json->find("baseline"); it != json->end() && !it->is_null())
        config.baseline = get_number(*json, "baseline", 0.0, where);
    config.restore_best_weights = get_bool(*json, "restore_best_weights", false, where);
    config.start_from_epoch = get_integer_between(*json, "start_from_epoch", 0, 0, where);
    return config;
}

CheckpointConfig read_checkpoint(const Json& training) {
    CheckpointConfig config;
    const std::string where = key_of("checkpoint");
    const auto it = training.find("checkpoint");
    if (it == training.end() || *it == true) return config;
    if (it->is_null() || *it == false) {
        config.enabled = false;
        return config;
    }
    refuse_unknown_keys(
        *it,
        {"monitor", "mode", "save_best_only", "save_freq", "save_minutes", "keep_last", "filename"},
        where);
    config.monitor = get_string(*it, "monitor", config.monitor, where);
    config.mode = get_choice(*it, "mode", config.mode, modes, where);
    config.save_best_only = get_bool(*it, "save_best_only", false, where);
    const auto freq = it->find("save_freq");
    if (freq != it->end() && *freq != "epoch") {
        if (!whole_number(*freq))
            refuse("expected \"epoch\" or a number of updates, found " + freq->dump(),
                   where + ".save_freq");
        config.save_freq = get_integer_between(*it, "save_freq", 0, 1, where);
    }
    config.save_minutes =
        get_number_between(*it, "save_minutes", config.save_minutes, 0.0, no_maximum, where);
    config.keep_last = get_integer_between(*it, "keep_last", config.keep_last, 1, where, 10000);
    config.filename = get_string(*it, "filename", "", where);
    return config;
}

Json checkpoint_to_json(const CheckpointConfig& config) {
    if (!config.enabled) return nullptr;
    const CheckpointConfig usual;
    Json json = {{"monitor", config.monitor},
                 {"mode", config.mode},
                 {"save_best_only", config.save_best_only}};
    if (config.save_freq > 0) json["save_freq"] = config.save_freq;
    if (config.save_minutes != usual.save_minutes) json["save_minutes"] = config.save_minutes;
    if (config.keep_last != usual.keep_last) json["keep_last"] = config.keep_last;
    if (!config.filename.empty()) json["filename"] = config.filename;
    return json;
}

Json early_stopping_to_json(const EarlyStoppingConfig& config) {
    const EarlyStoppingConfig usual;
    Json json = {{"monitor", config.monitor}, {"patience", config.patience}};
    if (config.mode != usual.mode) json["mode"] = config.mode;
    if (config.min_delta != 0.0) json["min_delta"] = config.min_delta;
    if (config.baseline) json["baseline"] = *config.baseline;
    if (config.restore_best_weights) json["restore_best_weights"] = true;
    if (config.start_from_epoch > 0) json["start_from_epoch"] = config.start_from_epoch;
    return json;
}

Json loss_scale_to_json(const LossScaleConfig& config) {
    if (!config.dynamic) return config.initial;
    return {{"initial", config.initial}, {"growth_interval", config.growth_interval}};
}

bool is_usual(const LossScaleConfig& config) {
    const LossScaleConfig usual;
    return config.dynamic && config.initial == usual.initial &&
           config.growth_interval == usual.growth_interval;
}

}  // namespace

const char* name_of(BatchStatistics statistics) {
    return statistics == BatchStatistics::deferred ? "deferred" : "each_micro_batch";
}

const char* name_of(ScaleRate scale) {
    switch (scale) {
        case ScaleRate::linear:
            return "linear";
        case ScaleRate::square_root:
            return "sqrt";
        case ScaleRate::none:
            break;
    }
    return "none";
}

const char* name_of(Clipping clipping) {
    switch (clipping) {
        case Clipping::value:
            return "clipvalue";
        case Clipping::norm:
            return "clipnorm";
        case Clipping::global_norm:
            return "global_clipnorm";
        case Clipping::none:
            break;
    }
    return "none";
}

const std::vector<std::string>& technique_keys() {
    static const std::vector<std::string> keys{"precision",
                                               "allow_tf32",
                                               "loss_scale",
                                               "gradient_accumulation_steps",
                                               batch_statistics_key,
                                               "clipping",
                                               "learning_rate_schedule",
                                               scale_rate_key,
                                               warmup_epochs_key,
                                               "ema",
                                               "recomputation",
                                               "early_stopping"};
    return keys;
}

void read_techniques(const Json& training, TrainingConfig& config) {
    config.precision = get_choice(training, "precision", config.precision,
                                  {"float32", "mixed_bfloat16", "mixed_float16"}, "training");
    config.allow_tf32 = get_bool(training, "allow_tf32", false, "training");
    config.loss_scale = read_loss_scale(training);
    config.gradient_accumulation_steps =
        get_integer_between(training, "gradient_accumulation_steps", 1, 1, "training", 1 << 20);
    config.batch_statistics = read_batch_statistics(training);
    config.clipping = read_clipping(training);
    if (const Json* schedule = given(training, "learning_rate_schedule"))
        config.schedule = *schedule;
    config.rate_scaling = read_rate_scaling(training);
    config.ema = read_ema(training);
    config.recomputation = read_recomputation(training);
    config.early_stopping = read_early_stopping(training);
    config.checkpoint = read_checkpoint(training);
}

void write_techniques(const TrainingConfig& config, Json& training) {
    if (config.precision != "float32") training["precision"] = config.precision;
    if (config.allow_tf32) training["allow_tf32"] = true;
    if (!is_usual(config.loss_scale))
        training["loss_scale"] = loss_scale_to_json(config.loss_scale);
    if (config.gradient_accumulation_steps > 1)
        training["gradient_accumulation_steps"] = config.gradient_accumulation_steps;
    if (config.batch_statistics != BatchStatistics::each_micro_batch)
        training[batch_statistics_key] = name_of(config.batch_statistics);
    if (config.clipping.type != Clipping::none)
        training["clipping"] = {{"type", name_of(config.clipping.type)},
                                {"value", config.clipping.value}};
    if (!config.schedule.is_null()) training["learning_rate_schedule"] = config.schedule;
    if (config.rate_scaling.scale != ScaleRate::none)
        training[scale_rate_key] = name_of(config.rate_scaling.scale);
    if (config.rate_scaling.warmup_epochs > 0.0)
        training[warmup_epochs_key] = config.rate_scaling.warmup_epochs;
    if (config.ema.enabled) training["ema"] = {{"momentum", config.ema.momentum}};
    if (config.recomputation.memory_limit > 0)
        training["recomputation"] = {{"memory_limit", config.recomputation.memory_limit}};
    if (config.early_stopping.enabled)
        training["early_stopping"] = early_stopping_to_json(config.early_stopping);
    training["checkpoint"] = checkpoint_to_json(config.checkpoint);
}

}  // namespace strata::train
