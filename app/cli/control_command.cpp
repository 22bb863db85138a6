// `strata control`: asks a run of another process for something, by a file in its directory.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "app/cli/commands.h"
#include "engine/core/error.h"
#include "engine/train/control_file.h"

namespace strata::cli {
namespace {

struct Options {
    std::string run_directory;
    train::ControlRequest request;
};

// "control, learning_rate" as a user types it.
std::string option_of(std::string where) {
    if (const std::size_t comma = where.rfind(", "); comma != std::string::npos)
        where = "--" + where.substr(comma + 2);
    std::replace(where.begin(), where.end(), '_', '-');
    return where;
}

// Wrong use, known before a run is looked for.
void check(const train::ControlRequest& request) {
    const Json json = train::control_to_json(request);
    if (json.empty())
        throw CLI::ValidationError("control",
                                   "nothing is asked for. Say what the run is to do: --pause, "
                                   "--resume, --step, --stop, --save, --learning-rate, "
                                   "--clip-limit or --weight-decay");
    try {
        train::control_from_json(json, "control");
    } catch (const Error& error) {
        throw CLI::ValidationError(
            option_of(error.where()),
            error.message() + (error.hint().empty() ? "" : ". " + error.hint()));
    }
}

int control(const Options& options) {
    train::send_control(options.run_directory, options.request);
    std::puts("The run has taken the request");
    return exit_ok;
}

}  // namespace

void add_control(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    train::ControlRequest& request = options->request;
    CLI::App* command = app.add_subcommand("control", "Change a run that goes on");
    command->add_option("RUN_DIR", options->run_directory, "Directory of the run")->required();
    command->add_flag("--pause", request.pause, "Pause after the step");
    command->add_flag("--resume", request.resume, "Go on");
    command->add_flag("--step", request.step, "Do one step, then pause");
    command->add_flag("--stop", request.stop, "End after the step, with a checkpoint");
    command->add_flag("--save", request.save, "Write a checkpoint after the step");
    command->add_option("--learning-rate", request.learning_rate,
                        "From the next step on; a schedule starts from it");
    command->add_option("--clip-limit", request.clip_limit,
                        "From the next step on, in a run that clips");
    command->add_option("--weight-decay", request.weight_decay, "From the next step on; 0 is none");
    command->footer(
        "Examples:\n"
        "  strata control runs/NAME --pause\n"
        "  strata control runs/NAME --learning-rate 0.0003 --save --resume\n"
        "The run marks each change in its log.");
    command->callback([options, &action] {
        check(options->request);
        action = [options] { return control(*options); };
    });
}

}  // namespace strata::cli
