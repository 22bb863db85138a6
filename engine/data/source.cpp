#include "engine/data/source.h"

#include <filesystem>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/idx_source.h"

namespace strata::data {
namespace {

bool is_text(const Json& config, const char* key) {
    const auto it = config.find(key);
    return it != config.end() && it->is_string();
}

std::filesystem::path from_base(const std::string& path, const std::string& base) {
    const std::filesystem::path given(path);
    return given.is_absolute() || base.empty() ? given : std::filesystem::path(base) / given;
}

void check_dataset(const Json& config, const std::string& where) {
    if (config.contains("images") || config.contains("labels"))
        throw Error(ErrorCode::invalid_argument, "names a data set and files at once", where,
                    "Keep either 'dataset' and 'split', or 'images' and 'labels'");
    const Dataset& dataset = find_dataset(get_string(config, "dataset", "", where), where);
    dataset_files(dataset, get_string(config, "split", "train", where), where);
}

}  // namespace

const std::vector<std::string>& source_keys() {
    static const std::vector<std::string> keys{"type", "images", "labels", "dataset", "split"};
    return keys;
}

void check_source(const Json& config, const std::string& where) {
    refuse_unknown_keys(config, source_keys(), where);
    const std::string type = get_string(config, "type", "", where);
    if (type != "idx")
        throw Error(ErrorCode::invalid_argument,
                    type.empty() ? "the key 'type' is missing" : "unknown type '" + type + "'",
                    where, "The type of source that there is: 'idx'");
    if (config.contains("dataset")) return check_dataset(config, where);
    if (config.contains("split"))
        throw Error(ErrorCode::invalid_argument, "'split' belongs to a 'dataset'", where,
                    R"(Add "dataset": "fashion-mnist", or remove 'split')");
    for (const char* key : {"images", "labels"})
        if (!is_text(config, key) || get_string(config, key, "", where).empty())
            throw Error(ErrorCode::invalid_argument,
                        std::string("the path '") + key + "' is missing", where,
                        "Give the paths of two IDX files as 'images' and 'labels', or a 'dataset'");
}

std::shared_ptr<Source> open_source(const Json& config, const std::string& base,
                                    const std::string& where, bool cache) {
    check_source(config, where);
    if (config.contains("dataset")) {
        const Dataset& dataset = find_dataset(get_string(config, "dataset", "", where), where);
        const auto files =
            dataset_files(dataset, get_string(config, "split", "train", where), where);
        require_installed(dataset, files, where);
        return std::make_shared<IdxSource>(files.images, files.labels, dataset.class_names, cache);
    }
    return std::make_shared<IdxSource>(from_base(get_string(config, "images", "", where), base),
                                       from_base(get_string(config, "labels", "", where), base),
                                       std::vector<std::string>{}, cache);
}

Json with_absolute_paths(const Json& config, const std::string& base) {
    Json out = config;
    if (!out.is_object()) return out;
    for (const char* key : {"images", "labels"})
        if (is_text(out, key))
            out[key] =
                std::filesystem::absolute(from_base(out[key].get<std::string>(), base)).string();
    return out;
}

Json source_from_text(const std::string& text, const std::string& split) {
    if (!text.empty() && text.front() == '{') return parse_json(text, "the data");
    const std::size_t comma = text.find(',');
    if (comma != std::string::npos)
        return {
            {"type", "idx"}, {"images", text.substr(0, comma)}, {"labels", text.substr(comma + 1)}};
    const std::size_t colon = text.find(':');
    return {{"type", "idx"},
            {"dataset", text.substr(0, colon)},
            {"split", colon == std::string::npos ? split : text.substr(colon + 1)}};
}

}  // namespace strata::data
