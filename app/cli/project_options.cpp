#include "app/cli/project_options.h"

#include <filesystem>

#include "engine/core/error.h"
#include "engine/io/bounded_reader.h"

namespace strata::cli {

train::RunConfig read_project(const std::string& path, const std::vector<std::string>& overrides) {
    Json json = parse_json(io::read_text_file(path), path);
    for (const std::string& assignment : overrides) train::apply_override(json, assignment);
    train::RunConfig config = train::project_from_json(json, path);
    config.base = std::filesystem::absolute(path).parent_path().string();
    return config;
}

// Any key fits into an empty project.
std::string fault_of_assignment(const std::string& assignment) {
    try {
        Json any = Json::object();
        train::apply_override(any, assignment);
        return "";
    } catch (const Error& error) {
        const std::string key = assignment.substr(0, assignment.find('='));
        return (error.where() == "--set" ? "" : key + ": ") + error.message() +
               (error.hint().empty() ? "" : ". " + error.hint());
    }
}

}  // namespace strata::cli
