#include "engine/data/source.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/source_description.h"
#include "engine/io/crc32.h"

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

// What is neither a file, nor a folder, nor a name.
[[noreturn]] void refuse_text(const std::string& text) {
    std::vector<std::string> names;
    for (const Dataset& dataset : datasets()) names.push_back(dataset.name);
    for (const SourceDescription* source : catalogue())
        if (needs_no_parameter(*source)) names.push_back(source->type);
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    const std::string near = nearest_word(text, names);
    throw Error(ErrorCode::not_found, "there are no data '" + text + "'", "the data",
                (near.empty() ? "" : "Did you mean '" + near + "'? ") + "Known data sets: " + all +
                    ". For files of your own give FILE.npz, FILE.h5, a folder of images, or two "
                    "files with a comma between");
}

Json from_two_files(const std::string& first, const std::string& second) {
    if (fs::path(first).extension() == ".npy")
        return {{"type", "npy"}, {"samples", first}, {"labels", second}};
    return {{"type", "idx"}, {"images", first}, {"labels", second}};
}

}  // namespace

Json counts_of(const Source& source) {
    Json shape = Json::array();
    for (int axis = 0; axis < source.sample_shape().rank(); ++axis)
        shape.push_back(source.sample_shape()[axis]);
    return {{"samples", source.size()},
            {"shape", std::move(shape)},
            {"type", name_of(source.sample_dtype())},
            {"classes", source.classes()}};
}

Json Source::identity() const {
    constexpr std::int64_t most = 64;  // samples that are read, from the first to the last
    const std::int64_t count = std::min(size(), most);
    const Shape* target = target_shape();
    std::vector<std::byte> sample(static_cast<std::size_t>(sample_shape().elements()) *
                                  size_of(sample_dtype()));
    std::vector<float> targets(target == nullptr ? 0
                                                 : static_cast<std::size_t>(target->elements()));
    std::uint32_t checksum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t index = count == 1 ? 0 : i * (size() - 1) / (count - 1);
        std::int32_t label = 0;
        read(&index, 1, sample.data(), &label);
        checksum = io::crc32(checksum, sample);
        if (target != nullptr) read_targets(&index, 1, targets.data());
        checksum = target == nullptr
                       ? io::crc32(checksum, std::as_bytes(std::span(&label, 1)))
                       : io::crc32(checksum, std::as_bytes(std::span<const float>(targets)));
    }
    Json identity = counts_of(*this);
    identity["checksum"] = checksum;
    return identity;
}

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
    if (!is_dataset(text.substr(0, colon))) refuse_text(text);
    return {{"type", "idx"},
            {"dataset", text.substr(0, colon)},
            {"split", colon == std::string::npos ? split : text.substr(colon + 1)}};
}

}  // namespace strata::data
