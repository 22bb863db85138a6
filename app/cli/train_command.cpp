// `strata train`: one run in the terminal, with signals and progress.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "app/cli/project_options.h"
#include "app/cli/signals.h"
#include "engine/core/error.h"
#include "engine/io/bounded_reader.h"
#include "engine/train/control_file.h"
#include "engine/train/event_json.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"

namespace strata::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string project, run_directory;
    std::vector<std::string> overrides;
    bool resume = false, json = false;
};

// Whether `run` is a run of the project called `name` that can be gone on with.
bool is_run_of(const fs::path& run, const std::string& name) {
    std::error_code ignored;
    if (!fs::exists(run / "last.h5", ignored) && !fs::exists(run / "best.h5", ignored))
        return false;
    try {
        const std::string file = (run / "project.strata").string();
        return get_string(parse_json(io::read_text_file(file), file), "name", "", file) == name;
    } catch (const Error&) {
        return false;
    }
}

// The newest run of this project with a checkpoint, in runs/ beside it: names begin with the time.
std::string newest_run(const train::RunConfig& config) {
    const fs::path runs = fs::path(config.base) / "runs";
    fs::path newest;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(runs, ignored))
        if (entry.path().filename() > newest.filename() && is_run_of(entry.path(), config.name))
            newest = entry.path();
    if (newest.empty())
        throw Error(ErrorCode::not_found, "there is no run of '" + config.name + "' to go on with",
                    runs.string(), "Name its directory with --run-dir");
    return newest.string();
}

int train_project(const Options& options) {
    const train::RunConfig config = read_project(options.project, options.overrides);
    train::RunOptions run{options.run_directory, options.resume, false};
    if (run.resume && run.run_directory.empty()) run.run_directory = newest_run(config);
    auto control = std::make_shared<train::Control>();
    const SignalWatch signals([control](int signal) {
        if (signal == SIGUSR2)
            control->toggle_pause();
        else
            control->stop();
    });
    std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away ends the run after the step, too
    const char* terminal = std::getenv("TERM");
    const bool live =
        isatty(STDOUT_FILENO) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
    Progress progress(stdout, live);
    std::optional<train::ControlWatch> watch;
    const auto sink = [&](const train::Event& event) {
        if (const auto* plan = std::get_if<train::PlanEvent>(&event))
            watch.emplace(plan->run_directory, control);
        if (std::ferror(stdout) != 0) control->stop();
        if (!options.json) return progress.show(event);
        std::puts(train::event_json(event, config.training.metrics)
                      .dump(-1, ' ', false, Json::error_handler_t::replace)
                      .c_str());
        // Steps wait for the buffer; everything else is there at once.
        if (!std::holds_alternative<train::StepEvent>(event)) std::fflush(stdout);
    };
    const train::EndEvent end = train::Trainer(config, run, sink, control).run();
    if (end.error) throw Error(*end.error);
    return signals.exit_code();
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("train", "Train a project");
    command->add_option("PROJECT", options->project, "Project file (.strata)")->required();
    command
        ->add_option("--set", options->overrides,
                     "Change a key of the project for this run: training.epochs=3")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->check(fault_of_assignment);
    command
        ->add_option("--run-dir", options->run_directory,
                     "Directory of the run (default: runs/<time>-<name> beside the project)")
        ->check([](const std::string& path) {
            return path.empty() ? std::string("a directory's name is needed") : std::string();
        });
    command->add_flag("--resume", options->resume,
                      "Go on from the newest checkpoint of --run-dir, or of the newest run");
    command->add_flag("--json", options->json, "Print one JSON object an event");
    command->footer(
        "Examples:\n"
        "  strata train fashion.strata\n"
        "  strata train fashion.strata --set training.epochs=3 --set "
        "model.layers.hidden.config.units=64\n"
        "  strata train fashion.strata --resume\n"
        "Ctrl+C ends after the step with a checkpoint; --resume goes on. So do SIGTERM and "
        "SIGUSR1; "
        "SIGUSR2 pauses and goes on. `strata control` changes a run that goes on.");
    command->callback(
        [options, &action] { action = [options] { return train_project(*options); }; });
}

}  // namespace strata::cli
