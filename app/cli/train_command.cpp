// `strata train`: one run in the terminal, with signals and progress.
#include <unistd.h>

#include <chrono>
#include <cmath>
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
#include "engine/parallel/launcher.h"
#include "engine/train/control_file.h"
#include "engine/train/event_json.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"

namespace strata::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds flush_every{50};

struct Options {
    std::string project, run_directory;
    std::vector<std::string> overrides;
    bool resume = false, step = false, json = false;
    double timeout = std::chrono::duration<double>(parallel::default_deadline).count();
};

// mpirun gives its processes a terminal of its own making, also where there is only one, whatever
// its output goes to.
bool launcher_shows_terminal() {
    if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return true;
    std::error_code ignored;
    const std::string path = "/proc/" + std::to_string(getppid()) + "/fd/1";
    const std::string output = fs::read_symlink(path, ignored).string();
    return output.starts_with("/dev/pts/") || output.starts_with("/dev/tty");
}

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

// On a rank of several: named by it.
Error named(const train::World& world, const Error& error) {
    if (world.size() == 1) return error;
    const std::string rank = "rank " + std::to_string(world.rank());
    return Error(error.code(), error.message(),
                 error.where().empty() ? rank : rank + ": " + error.where(), error.hint());
}

// Reads the project, and where the run is that goes on. All ranks, so that a fault is told once.
train::RunConfig read_for_all(const Options& options, train::RunOptions& run) {
    train::RunConfig config;
    run.world->together([&] {
        config = read_project(options.project, options.overrides);
        if (run.resume && run.run_directory.empty() && run.world->leads())
            run.run_directory = newest_run(config);
    });
    return config;
}

// The ranks' exit code: that of the signal which ended any of them.
int end_together(train::World& world, parallel::ProcessGroup* group, int code) {
    double highest = code;
    world.largest(std::span(&highest, 1));
    if (group != nullptr) group->close();
    return static_cast<int>(highest);
}

int train_as_rank(const Options& options, train::World& world, parallel::ProcessGroup* group) {
    train::RunOptions run{options.run_directory, options.resume, options.step, true, &world};
    const train::RunConfig config = read_for_all(options, run);
    auto control = std::make_shared<train::Control>();
    if (options.step) control->step();
    const SignalWatch signals([control](int signal) {
        if (signal == SIGUSR2)
            control->toggle_pause();
        else
            control->stop();
    });
    std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away ends the run after the step, too
    const char* terminal = std::getenv("TERM");
    const bool live = isatty(STDOUT_FILENO) != 0 &&
                      (terminal == nullptr || std::string_view(terminal) != "dumb") &&
                      launcher_shows_terminal();
    Progress progress(stdout, live, world.size());
    std::optional<train::ControlWatch> watch;
    auto flushed = std::chrono::steady_clock::now();
    const auto sink = [&](const train::Event& event) {
        if (const auto* plan = std::get_if<train::PlanEvent>(&event))
            watch.emplace(plan->run_directory, control);
        if (std::ferror(stdout) != 0) control->stop();
        if (!options.json) return progress.show(event);
        std::puts(train::event_json(event, config.training.metrics)
                      .dump(-1, ' ', false, Json::error_handler_t::replace)
                      .c_str());
        // Steps in quick succession wait for the buffer; everything else is there at once.
        const auto now = std::chrono::steady_clock::now();
        if (std::holds_alternative<train::StepEvent>(event) && now - flushed < flush_every) return;
        flushed = now;
        std::fflush(stdout);
    };
    const train::EndEvent end = train::Trainer(config, run, sink, control).run();
    if (end.error) throw Error(*end.error);
    return end_together(world, group, signals.exit_code());
}

int train_project(const Options& options) {
    const auto timeout = std::chrono::milliseconds(std::llround(options.timeout * 1000.0));
    const std::unique_ptr<parallel::ProcessGroup> group = parallel::join_processes(timeout);
    train::World world = group ? train::World(*group) : train::World();
    bool told = false;
    world.on_loss([&](const Error& error) {
        print_error(named(world, error));
        told = true;
    });
    try {
        return train_as_rank(options, world, group.get());
    } catch (const Error& error) {
        // Told before the ranks part: the launcher ends all as soon as one of them has failed.
        const bool tells = !told && !world.told_elsewhere();
        if (tells) print_error(named(world, error));
        // Where all know the fault, they part in good order.
        if (group && world.is_whole()) group->close();
        const bool lost = told || (tells && error.code() == ErrorCode::interrupted);
        return lost ? exit_lost : exit_failed;
    }
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
    command->add_flag("--step", options->step,
                      "Make one update, then pause: `strata control` goes on");
    command->add_flag("--json", options->json, "Print one JSON object an event");
    command
        ->add_option("--timeout", options->timeout,
                     "Of several processes: how long one waits for another (default: 30)")
        ->type_name("SECONDS")
        ->check(CLI::Range(1.0, 86400.0));
    command->footer(
        "Examples:\n"
        "  strata train fashion.strata\n"
        "  strata train fashion.strata --set training.epochs=3 --set "
        "model.layers.hidden.config.units=64\n"
        "  strata train fashion.strata --resume\n"
        "  mpirun -np 4 strata train fashion.strata\n"
        "Started by mpirun or srun, the processes train one model: each takes batch_size samples "
        "of "
        "a batch (times placement.replicas), the first one prints and writes. Where one of them "
        "dies "
        "or does not answer, the others name it and end with code 3.\n"
        "Ctrl+C ends after the step with a checkpoint; --resume goes on. So do SIGTERM and "
        "SIGUSR1; "
        "SIGUSR2 pauses and goes on. `strata control` changes a run that goes on.");
    command->callback(
        [options, &action] { action = [options] { return train_project(*options); }; });
}

}  // namespace strata::cli
