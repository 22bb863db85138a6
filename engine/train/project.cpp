// The project file: reading, checking and writing. See run_config.h.
#include <algorithm>
#include <filesystem>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/data/source.h"
#include "engine/io/atomic_file.h"
#include "engine/io/bounded_reader.h"
#include "engine/train/pipeline_json.h"
#include "engine/train/placement_json.h"
#include "engine/train/project_keys.h"
#include "engine/train/run_config.h"
#include "engine/train/training_json.h"

namespace strata::train {
namespace {

Json section(const Json& json, const char* key) {
    const auto it = json.find(key);
    if (it == json.end() || it->is_null()) return Json::object();
    if (!it->is_object()) refuse("expected an object, found " + it->dump(), key);
    return *it;
}

std::string read_name(const Json& json) {
    std::string name = get_string(json, "name", RunConfig().name, "");
    if (const std::string control = control_character(name); !control.empty())
        refuse("the project's name holds the control character " + control, "name",
               "Use letters, digits and signs that can be read");
    return name;
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
        config.name = read_name(json);
        config.model = graph::Model::from_json(section(json, "model"));
        config.data = read_data(section(json, "data"));
        config.training = read_training(section(json, "training"));
        config.placement = read_placement(section(json, "placement"));
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
    if (Json placement = placement_to_json(config.placement); !placement.empty())
        json["placement"] = std::move(placement);
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
