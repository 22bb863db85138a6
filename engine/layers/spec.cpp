#include "engine/layers/spec.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/layers/text.h"

namespace strata::layers {
namespace {

std::string kind_of(const ParamSpec& param) {
    switch (param.type) {
        case ParamType::integer:
            return "a whole number";
        case ParamType::number:
            return "a number";
        case ParamType::boolean:
            return "true or false";
        case ParamType::choice:
            return "a text";
        case ParamType::pair:
            return "a whole number or two of them (height, width)";
        case ParamType::shape:
            return "a list of whole numbers";
        case ParamType::number_list:
            return "a number or a list of numbers";
        case ParamType::text:
            return "a text";
        case ParamType::file:
            return "the path of a file";
        case ParamType::folder:
            return "the path of a folder";
    }
    return "a value";
}

std::string limits_of(const ParamSpec& param) {
    const bool low = std::isfinite(param.minimum);
    const bool high = std::isfinite(param.maximum);
    const std::string least =
        (param.exclusive_minimum ? "above " : "at least ") + number_text(param.minimum);
    const std::string most =
        (param.exclusive_maximum ? "below " : "at most ") + number_text(param.maximum);
    if (low && high) return least + " and " + most;
    return low ? least : high ? most : "";
}

// "the archive (.npz)", also of a description that begins with its article.
std::string with_article(const std::string& doc) {
    const std::string text = lower_first(doc);
    return text.starts_with("the ") ? text : "the " + text;
}

std::string default_hint(const ParamSpec& param) {
    if (param.optional) return "It may also stay unset";
    if (param.default_value.is_null()) return "It is " + with_article(param.doc);
    return "The default is " + param.default_value.dump();
}

[[noreturn]] void refuse(const ParamSpec& param, const std::string& what, std::string hint = {}) {
    if (hint.empty()) hint = default_hint(param);
    throw Error(ErrorCode::invalid_argument, what, param.key, hint);
}

[[noreturn]] void refuse_type(const ParamSpec& param, const Json& value) {
    refuse(param, "must be " + kind_of(param) + ", found " + shortened(value.dump()));
}

bool within(const ParamSpec& param, double value) {
    if (!std::isfinite(value)) return false;
    if (param.exclusive_minimum ? value <= param.minimum : value < param.minimum) return false;
    return param.exclusive_maximum ? value < param.maximum : value <= param.maximum;
}

Json checked_integer(const ParamSpec& param, const Json& value, const Json& whole) {
    const std::optional<std::int64_t> number = whole_number(value);
    if (!number && !value.is_number_integer()) refuse_type(param, whole);
    if (!number || !within(param, value.get<double>())) {
        const std::string limits = limits_of(param);
        refuse(param,
               "must be " + (limits.empty() ? "smaller" : limits) + ", found " + value.dump());
    }
    return *number;
}

Json checked_number(const ParamSpec& param, const Json& value, const Json& whole) {
    if (!value.is_number()) refuse_type(param, whole);
    const auto number = value.get<double>();
    if (!std::isfinite(number)) refuse(param, "must be a finite number");
    if (!within(param, number))
        refuse(param, "must be " + limits_of(param) + ", found " + value.dump());
    return number;
}

Json checked_choice(const ParamSpec& param, const Json& value) {
    if (!value.is_string()) refuse_type(param, value);
    auto word = value.get<std::string>();
    for (const auto& [other, choice] : param.synonyms)
        if (word == other) word = choice;
    if (std::find(param.choices.begin(), param.choices.end(), word) != param.choices.end())
        return word;
    const std::string near = nearest_word(word, param.choices);
    refuse(param, "'" + shortened(word) + "' is not one of its choices",
           near.empty() ? "Choose one of " + joined(param.choices, ", ")
                        : "Did you mean '" + near + "'?");
}

Json checked_pair(const ParamSpec& param, const Json& value) {
    if (whole_number(value)) {
        const Json one = checked_integer(param, value, value);
        return Json::array({one, one});
    }
    if (!value.is_array() || value.size() != 2) refuse_type(param, value);
    return Json::array(
        {checked_integer(param, value[0], value), checked_integer(param, value[1], value)});
}

Json checked_list(const ParamSpec& param, const Json& value) {
    if (!value.is_array()) refuse_type(param, value);
    if (param.type == ParamType::shape && value.size() >= Shape::max_rank)
        refuse(param, "has " + std::to_string(value.size()) + " axes",
               "Use at most " + std::to_string(Shape::max_rank - 1));
    Json list = Json::array();
    for (const Json& entry : value)
        list.push_back(param.type == ParamType::shape ? checked_integer(param, entry, value)
                                                      : checked_number(param, entry, value));
    return list;
}

Json checked_text(const ParamSpec& param, const Json& value) {
    if (!value.is_string()) refuse_type(param, value);
    if (value.get_ref<const std::string&>().empty()) refuse(param, "is empty");
    return value;
}

Json checked_value(const ParamSpec& param, const Json& value) {
    switch (param.type) {
        case ParamType::integer:
            return checked_integer(param, value, value);
        case ParamType::number:
            return checked_number(param, value, value);
        case ParamType::boolean:
            if (!value.is_boolean()) refuse_type(param, value);
            return value;
        case ParamType::choice:
            return checked_choice(param, value);
        case ParamType::pair:
            return checked_pair(param, value);
        case ParamType::shape:
            return checked_list(param, value);
        case ParamType::number_list:
            return value.is_number() ? checked_number(param, value, value)
                                     : checked_list(param, value);
        case ParamType::text:
        case ParamType::file:
        case ParamType::folder:
            return checked_text(param, value);
    }
    return value;
}

Json default_of(const ParamSpec& param) {
    return param.default_value.is_null() ? Json() : checked_value(param, param.default_value);
}

}  // namespace

const char* name_of(LayerCategory category) {
    switch (category) {
        case LayerCategory::core:
            return "Core";
        case LayerCategory::convolution:
            return "Convolution";
        case LayerCategory::pooling:
            return "Pooling";
        case LayerCategory::normalization:
            return "Normalization";
        case LayerCategory::regularization:
            return "Regularization";
        case LayerCategory::input:
            return "Input";
        case LayerCategory::merging:
            return "Merging";
        case LayerCategory::preprocessing:
            return "Preprocessing";
    }
    return "";
}

Config Config::checked(const std::vector<ParamSpec>& params, const Json& given) {
    const Json object = given.is_null() ? Json::object() : given;
    std::vector<std::string> known;
    known.reserve(params.size());
    for (const ParamSpec& param : params) known.push_back(param.key);
    refuse_unknown_keys(object, known, "");

    Config config;
    for (const ParamSpec& param : params) {
        const auto it = object.find(param.key);
        const bool is_given = it != object.end() && !it->is_null();
        Json value = is_given ? checked_value(param, *it) : default_of(param);
        if (value.is_null() && !param.optional)
            refuse(param, "no value is given",
                   "Give " + kind_of(param) + ": " + with_article(param.doc));
        config.values_[param.key] = std::move(value);
    }
    return config;
}

Json Config::changed(const std::vector<ParamSpec>& params) const {
    Json out = Json::object();
    for (const ParamSpec& param : params) {
        const Json& value = at(param.key.c_str());
        if (value != default_of(param)) out[param.key] = value;
    }
    return out;
}

const Json& Config::at(const char* key) const {
    const auto it = values_.find(key);
    if (it == values_.end())
        throw Error(ErrorCode::internal, "a configuration without this parameter was asked for it",
                    key);
    return *it;
}

std::int64_t Config::integer(const char* key) const {
    return at(key).get<std::int64_t>();
}

double Config::number(const char* key) const {
    return at(key).get<double>();
}

bool Config::boolean(const char* key) const {
    return at(key).get<bool>();
}

const std::string& Config::text(const char* key) const {
    return at(key).get_ref<const std::string&>();
}

std::pair<int, int> Config::pair(const char* key) const {
    const Json& value = at(key);
    return {value.at(0).get<int>(), value.at(1).get<int>()};
}

std::vector<std::int64_t> Config::shape(const char* key) const {
    return at(key).get<std::vector<std::int64_t>>();
}

std::vector<double> Config::numbers(const char* key) const {
    const Json& value = at(key);
    if (value.is_number()) return {value.get<double>()};
    return value.get<std::vector<double>>();
}

bool Config::is_null(const char* key) const {
    return at(key).is_null();
}

}  // namespace strata::layers
