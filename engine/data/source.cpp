#include "engine/data/source.h"

#include <filesystem>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/source_description.h"

namespace strata::data {
namespace {

namespace fs = std::filesystem;

fs::path from_base(const std::string& path, const std::string& base) {
    const fs::path given(path);
    return given.is_absolute() || base.empty() ? given : fs::path(base) / given;
}

const SourceDescription& description_of(const Json& config, const std::string& where) {
    if (!config.is_object())
        throw Error(ErrorCode::invalid_argument, "must be an object with the key 'type'", where,
                    R"(Example: {"type": "idx", "dataset": "fashion-mnist"})");
    const std::string type = get_string(config, "type", "", where);
    if (const SourceDescription* found = find_source(type)) return *found;
    std::vector<std::string> types;
    std::string list;
    for (const SourceDescription* source : catalogue()) {
        types.push_back(source->type);
        list += (list.empty() ? "" : ", ") + source->type;
    }
    const std::string near = nearest_word(type, types);
    throw Error(ErrorCode::invalid_argument,
                type.empty() ? "the key 'type' is missing" : "unknown type '" + type + "'", where,
                near.empty() || type.empty() ? "The types of source that there are: " + list
                                             : "Did you mean '" + near + "'?");
}

layers::Config checked(const SourceDescription& source, Json config, const std::string& where) {
    config.erase("type");
    try {
        layers::Config complete = layers::Config::checked(source.params, config);
        if (source.check) source.check(complete);
        return complete;
    } catch (const Error& error) {
        throw error.at(where);
    }
}

bool needs_no_parameter(const SourceDescription& source) {
    for (const layers::ParamSpec& param : source.params)
        if (param.default_value.is_null()) return false;
    return true;
}

bool is_dataset(const std::string& name) {
    for (const Dataset& dataset : datasets())
        if (dataset.name == name) return true;
    return false;
}

Json from_two_files(const std::string& first, const std::string& second) {
    if (fs::path(first).extension() == ".npy")
        return {{"type", "npy"}, {"samples", first}, {"labels", second}};
    return {{"type", "idx"}, {"images", first}, {"labels", second}};
}

}  // namespace

void Source::read_targets(const std::int64_t*, std::int64_t, float*) const {
    throw Error(ErrorCode::internal, "targets were asked of a source that has labels");
}

void check_source(const Json& config, const std::string& where) {
    checked(description_of(config, where), config, where);
}

std::shared_ptr<Source> open_source(const Json& config, const std::string& base,
                                    const std::string& where, bool cache) {
    const SourceDescription& source = description_of(config, where);
    checked(source, config, where);
    return source.open(checked(source, with_absolute_paths(config, base), where), {where, cache});
}

std::vector<std::string> path_keys(const Json& config) {
    std::vector<std::string> keys;
    const auto type = config.is_object() ? config.find("type") : config.end();
    if (type == config.end() || !type->is_string()) return keys;
    if (const SourceDescription* source = find_source(type->get<std::string>()))
        for (const layers::ParamSpec& param : source->params)
            if (is_path(param)) keys.push_back(param.key);
    return keys;
}

Json with_absolute_paths(const Json& config, const std::string& base) {
    Json out = config;
    for (const std::string& key : path_keys(config)) {
        const auto it = out.find(key);
        if (it != out.end() && it->is_string() && !it->get_ref<const std::string&>().empty())
            *it = fs::absolute(from_base(it->get<std::string>(), base)).string();
    }
    return out;
}

Json source_from_text(const std::string& text, const std::string& split) {
    if (!text.empty() && text.front() == '{') return parse_json(text, "the data");
    if (const std::size_t comma = text.find(','); comma != std::string::npos)
        return from_two_files(text.substr(0, comma), text.substr(comma + 1));
    const std::string ending = fs::path(text).extension().string();
    if (ending == ".npz") return {{"type", "npz"}, {"file", text}, {"split", split}};
    if (ending == ".h5" || ending == ".hdf5")
        return {{"type", "hdf5"}, {"file", text}, {"split", split}};
    const SourceDescription* generator = find_source(text);
    // Other points of the same kind, not those that were trained on.
    if (generator && needs_no_parameter(*generator))
        return {{"type", text}, {"seed", split == "test" ? 2 : 1}};
    std::error_code ignored;
    if (!is_dataset(text) &&
        (text.find('/') != std::string::npos || fs::is_directory(text, ignored)))
        return {{"type", "images"}, {"folder", text}};
    const std::size_t colon = text.find(':');
    return {{"type", "idx"},
            {"dataset", text.substr(0, colon)},
            {"split", colon == std::string::npos ? split : text.substr(colon + 1)}};
}

}  // namespace strata::data
