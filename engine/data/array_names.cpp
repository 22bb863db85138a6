// The parameters that sources of arrays share, and which arrays of a file are samples and labels.
#include <algorithm>

#include "engine/core/error.h"
#include "engine/data/array_source.h"
#include "engine/layers/text.h"

namespace strata::data {
namespace {

// The usual names, the first that is there is taken; % stands for the split.
constexpr const char* sample_names[] = {"x_%", "X_%",     "%_x",      "%_images",  "%_set_x",
                                        "%/x", "%/X",     "%/images", "%/samples", "x",
                                        "X",   "samples", "images",   "features",  "data"};
constexpr const char* label_names[] = {"y_%", "Y_%",    "%_y",      "%_labels",  "%_set_y",
                                       "%/y", "%/Y",    "%/labels", "%/targets", "y",
                                       "Y",   "labels", "targets",  "target"};

std::string with_split(std::string name, const std::string& split) {
    const std::size_t at = name.find('%');
    return at == std::string::npos ? name : name.replace(at, 1, split);
}

template <std::size_t N>
std::string choose(const std::vector<std::string>& there, const layers::Config& config,
                   const char* key, const char* const (&usual)[N], const std::string& file) {
    const auto is_there = [&](const std::string& name) {
        return std::find(there.begin(), there.end(), name) != there.end();
    };
    const std::string list = there.empty() ? "It holds no arrays"
                                           : "Arrays that it holds: " + layers::joined(there, ", ");
    if (!config.is_null(key)) {
        std::string name = config.text(key);
        if (!is_there(name) && name.size() > 1 && name.front() == '/') name.erase(0, 1);
        if (is_there(name)) return name;
        throw Error(ErrorCode::invalid_argument, "holds no array '" + layers::shortened(name) + "'",
                    file, list);
    }
    for (const char* name : usual)
        if (is_there(with_split(name, config.text("split"))))
            return with_split(name, config.text("split"));
    throw Error(ErrorCode::invalid_argument,
                std::string("has no array with a usual name for ") + key +
                    " (x_train and y_train, x and y, ...)",
                file, std::string("Name it as '") + key + "'. " + list);
}

}  // namespace

std::vector<layers::ParamSpec> array_params() {
    return {
        {.key = "label_kind",
         .type = layers::ParamType::choice,
         .default_value = "auto",
         .doc = "What the labels are: numbers of classes or values (regression); auto takes one "
                "whole number a sample as a class",
         .choices = {"auto", "classes", "values"}},
        {.key = "shape",
         .type = layers::ParamType::shape,
         .default_value = nullptr,
         .doc = "Shape of a sample, where it should be another than the file's, as (28, 28, 1) "
                "for rows of 784 numbers",
         .minimum = 1,
         .maximum = 1e9,
         .optional = true}};
}

ArraySource::Options array_options(const layers::Config& config, const OpenOptions& options) {
    ArraySource::Options out{options.cache, config.text("label_kind"), std::nullopt};
    if (!config.is_null("shape")) {
        const std::vector<std::int64_t> dims = config.shape("shape");
        out.shape = Shape(std::span<const std::int64_t>(dims));
    }
    return out;
}

layers::ParamSpec split_param() {
    return {.key = "split",
            .type = layers::ParamType::choice,
            .default_value = "train",
            .doc =
                "Which part is taken where the file holds two (x_train and x_test) and no names "
                "are given",
            .choices = {"train", "test"}};
}

layers::ParamSpec samples_name_param() {
    return {.key = "samples",
            .type = layers::ParamType::text,
            .default_value = nullptr,
            .doc =
                "Name of the array of samples, first axis = samples; unset: x_train, x or another "
                "usual name",
            .optional = true};
}

layers::ParamSpec labels_name_param() {
    return {.key = "labels",
            .type = layers::ParamType::text,
            .default_value = nullptr,
            .doc = "Name of the array of labels or values; unset: y_train, y or another usual name",
            .optional = true};
}

ArrayNames choose_arrays(const std::vector<std::string>& there, const layers::Config& config,
                         const std::string& file) {
    return {choose(there, config, "samples", sample_names, file),
            choose(there, config, "labels", label_names, file)};
}

}  // namespace strata::data
