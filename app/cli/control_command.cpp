// `strata control`: asks a run of another process for something, by a file in its directory.
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

int control(const Options& options) {
    if (train::control_to_json(options.request).empty())
        throw Error(ErrorCode::invalid_argument, "nothing is asked for", "",
                    "Say what the run is to do: --pause, --resume, --step, --stop, --save, "
                    "--learning-rate, --clip-limit or --weight-decay");
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
    command->callback([options, &action] { action = [options] { return control(*options); }; });
}

}  // namespace strata::cli
