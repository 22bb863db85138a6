#include "engine/interop/keras_layer_config.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/core/error.h"

namespace strata::interop {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
    return text.size() >= end.size() &&
           std::string_view(text).substr(text.size() - end.size()) == end;
}

// Keys that say how a layer is trained or made, not what it computes.
bool is_about_training(const std::string& key) {
    constexpr std::array<std::string_view, 13> plain{
        "name",       "trainable",       "dtype",      "batch_input_shape",    "batch_shape",
        "batch_size", "input_shape",     "input_dim",  "activity_regularizer", "optional",
        "autocast",   "renorm_momentum", "noise_shape"};
    if (std::find(plain.begin(), plain.end(), key) != plain.end()) return true;
    return ends_with(key, "_initializer") || ends_with(key, "_regularizer") ||
           ends_with(key, "_constraint");
}

std::string short_text(const Json& value) {
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return text;
}

[[noreturn]] void refuse(const std::string& key, const std::string& what,
                         const std::string& hint = {}) {
    throw Error(ErrorCode::unsupported, what, key, hint);
}

// A name, or {"class_name": "function", "config": "relu"}.
Json activation_name(const std::string& key, const Json& value) {
    if (value.is_null()) return "linear";
    if (value.is_string()) return value;
    if (value.is_object() && value.value("class_name", "") == "function") {
        const auto name = value.find("config");
        if (name != value.end() && name->is_string()) return *name;
    }
    refuse(key, "is " + short_text(value) + ", not the name of a function",
           "Python code in a file is not run: use an activation of Keras's by its name");
}

// A float32 policy may be a text or an object of some depth; an input needs the text.
Json dtype_name(const Json& value) {
    if (!value.is_object()) return value;
    const auto config = value.find("config");
    if (config == value.end() || !config->is_object()) return "float32";
    return config->value("name", "float32");
}

void check_other_key(const std::string& key, const Json& value) {
    if (value.is_null() || value == Json(false) || is_about_training(key)) return;
    if (key == "data_format") {
        if (value == "channels_last") return;
        refuse(key, "is " + short_text(value) + "; only channels_last is computed here",
               "Convert the model to channels_last in Keras");
    }
    refuse(key, "is " + short_text(value) + ", which is not known here",
           "Build this layer without it, or leave the layer out");
}

}  // namespace

Json layer_config_from_keras(const layers::LayerSpec& spec, const Json& config) {
    Json result = Json::object();
    if (spec.category == layers::LayerCategory::input) {
        const auto shape = sample_shape_from_keras(config);
        if (!shape) refuse("shape", "the input's shape is not in the file");
        result["shape"] = *shape;
        const Json dtype = config.contains("dtype") ? dtype_name(config["dtype"]) : Json();
        // Other inputs are given as float32 here, which the layers compute in anyway.
        if (dtype == "uint8") result["dtype"] = dtype;
        return result;
    }
    for (const auto& [key, value] : config.items()) {
        const auto known = std::find_if(
            spec.params.begin(), spec.params.end(),
            [&name = key](const layers::ParamSpec& param) { return param.key == name; });
        if (known == spec.params.end()) {
            check_other_key(key, value);
            continue;
        }
        if (key == "activation")
            result[key] = activation_name(key, value);
        else if (key == "axis" && value.is_array() && value.size() == 1)
            result[key] = value[0];  // Keras 2 writes BatchNormalization's axis as a list
        else
            result[key] = value;
    }
    return result;
}

std::optional<Json> sample_shape_from_keras(const Json& config) {
    for (const char* key : {"batch_shape", "batch_input_shape"}) {
        const auto shape = config.find(key);
        if (shape == config.end() || shape->is_null()) continue;
        if (!shape->is_array() || shape->empty())
            throw Error(ErrorCode::format, "is " + short_text(*shape) + ", not a shape", key);
        Json sample = Json::array();
        for (std::size_t i = 1; i < shape->size(); ++i) {
            if ((*shape)[i].is_null())
                refuse(key, "is " + short_text(*shape) + ": only the batch may be open",
                       "Give the model a fixed input size in Keras");
            sample.push_back((*shape)[i]);
        }
        return sample;
    }
    return std::nullopt;
}

}  // namespace strata::interop
