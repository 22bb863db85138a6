// Changes of single keys of a project: what `--set` takes.
#include <algorithm>
#include <string_view>

#include "engine/core/error.h"
#include "engine/train/run_config.h"

namespace strata::train {
namespace {

std::vector<std::string> split_path(const std::string& path) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
        parts.push_back(path.substr(begin, dot - begin));
        begin = dot + 1;
    }
    parts.push_back(path.substr(begin));
    return parts;
}

// The entry of a list whose name (a layer) or stage (of the pipeline) is `word`.
Json& entry_named(Json& list, const std::string& word, const std::string& path) {
    std::vector<std::string> names;
    for (Json& entry : list) {
        for (const char* key : {"name", "stage"}) {
            const auto it = entry.is_object() ? entry.find(key) : entry.end();
            if (it == entry.end() || !it->is_string()) continue;
            if (*it == word) return entry;
            names.push_back(it->get<std::string>());
        }
    }
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    const std::string near = nearest_word(word, names);
    throw Error(ErrorCode::invalid_argument, "there is no entry '" + word + "'", path,
                near.empty() ? "Entries: " + all : "Did you mean '" + near + "'?");
}

// What begins as JSON does is no text.
Json parse_value(const std::string& text, const std::string& path) {
    Json value = Json::parse(text, nullptr, false);
    if (!value.is_discarded()) return value;
    const std::size_t first = text.find_first_not_of(" \t\n");
    if (first == std::string::npos ||
        std::string_view("{[\"").find(text[first]) == std::string::npos)
        return text;
    try {
        return parse_json(text, "--set " + path);
    } catch (const Error& error) {
        throw Error(ErrorCode::invalid_argument, error.message(), error.where(),
                    "Names and texts stand in double quotes there, and the whole in single ones: "
                    R"(--set 'training.clipping={"type": "clipnorm", "value": 1}')");
    }
}

Error has_no(const std::string& path, const Json& value, const std::string& part) {
    return {ErrorCode::invalid_argument,
            "'" + path + "' is " + value.dump() + " and has no '" + part + "'", "--set"};
}

}  // namespace

void check_override(const std::string& assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error(ErrorCode::invalid_argument, "'" + assignment + "' is no assignment", "--set",
                    "Write it as key=value, for example training.epochs=3");
}

void apply_override(Json& project, const std::string& assignment) {
    check_override(assignment);
    const std::size_t equals = assignment.find('=');
    if (!project.is_object())
        throw Error(ErrorCode::format, "the file holds no Strata project", "--set",
                    "Make one with `strata new classic -o project.strata`");
    const std::string path = assignment.substr(0, equals);
    Json* place = &project;
    std::string walked;
    for (const std::string& part : split_path(path)) {
        if (part.empty())
            throw Error(ErrorCode::invalid_argument, "'" + path + "' has an empty part", "--set");
        if (place->is_array()) {
            place = &entry_named(*place, part, walked);
        } else {
            if (place->is_null()) *place = Json::object();
            if (walked == "training.optimizer" && place->is_string()) *place = {{"type", *place}};
            if (!place->is_object()) throw has_no(walked, *place, part);
            place = &(*place)[part];
        }
        walked += (walked.empty() ? "" : ".") + part;
    }
    *place = parse_value(assignment.substr(equals + 1), path);
}

}  // namespace strata::train
