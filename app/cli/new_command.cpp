// `strata new` and `strata import`: the commands that write a project.
#include <cstdio>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/table.h"
#include "engine/core/error.h"
#include "engine/train/evaluation.h"
#include "engine/train/run_config.h"

namespace strata::cli {
namespace {

int list_templates() {
    Table table({"Template", "Title", "What it is"}, {false, false, false});
    for (const auto& entry : train::templates()) table.row({entry.name, entry.title, entry.doc});
    std::fputs(table.text().c_str(), stdout);
    return exit_ok;
}

}  // namespace

void require_new_file(const std::string& path, bool force) {
    std::error_code ignored;
    if (force || !std::filesystem::exists(path, ignored)) return;
    throw Error(ErrorCode::invalid_argument, "the file exists", path,
                "Choose another name, or give --force to replace it");
}

void add_new(CLI::App& app, Action& action) {
    struct Options {
        std::string name, output;
        bool list = false, force = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("new", "Make a project from a template");
    auto* name = command->add_option("TEMPLATE", options->name, "Template; --list shows all");
    auto* list = command->add_flag("--list", options->list, "List the templates");
    auto* output = command->add_option("-o,--output", options->output, "Project file to write");
    command->add_flag("--force", options->force, "Replace the file where it exists");
    command->footer("Example:\n  strata new cnn -o clothes.strata");
    command->callback([=, &action] {
        if (!options->list && (name->count() == 0 || output->count() == 0))
            throw CLI::RequiredError(name->count() == 0 ? "TEMPLATE (or --list)" : "-o FILE");
        (void)list;
        action = [options] {
            if (options->list) return list_templates();
            const train::RunConfig config = train::make_template(options->name);
            require_new_file(options->output, options->force);
            train::save_project(config, options->output);
            std::printf("%s\nTrain it with: strata train %s\n", options->output.c_str(),
                        options->output.c_str());
            return exit_ok;
        };
    });
}

void add_import(CLI::App& app, Action& action) {
    struct Options {
        std::string file, output;
        bool force = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "import", "Make a project that starts from the weights of a Keras .h5 file");
    command->add_option("FILE", options->file, "Whole-model .h5 file")->required();
    command->add_option("-o,--output", options->output, "Project file to write")->required();
    command->add_flag("--force", options->force, "Replace the file where it exists");
    command->footer("Example:\n  strata import model.h5 -o model.strata");
    command->callback([options, &action] {
        action = [options] {
            const train::RunConfig config = train::import_project(options->file);
            require_new_file(options->output, options->force);
            train::save_project(config, options->output);
            std::printf("%s\n", options->output.c_str());
            if (config.data.source.is_null())
                std::printf(
                    "It has no data yet. Choose them with --set, for example:\n"
                    "  strata train %s --set 'data.source={\"type\":\"idx\",\"dataset\":"
                    "\"fashion-mnist\",\"split\":\"train\"}'\n",
                    options->output.c_str());
            return exit_ok;
        };
    });
}

}  // namespace strata::cli
