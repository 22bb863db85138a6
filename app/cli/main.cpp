// `strata`: the engine from a terminal. Parses, runs one command, turns errors into words.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "engine/backends/cpu/wait_policy.h"
#include "engine/core/error.h"
#include "engine/core/json.h"

namespace strata::cli {

void print_error(const Error& error) {
    std::string text = "strata: ";
    if (!error.where().empty()) text += error.where() + ": ";
    text += error.message() + "\n";
    if (!error.hint().empty()) text += "  " + error.hint() + "\n";
    std::fputs(text.c_str(), stderr);
}

}  // namespace strata::cli

namespace {

using strata::cli::print_error;

// Says so where the first word is no command; CLI11 itself only asks for one.
bool is_unknown_command(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    std::string all;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
        all += (all.empty() ? "" : ", ") + names.back();
    }
    if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end())
        return false;
    const std::string near = strata::nearest_word(word, names);
    print_error({strata::ErrorCode::invalid_argument, "there is no command '" + word + "'", "",
                 near.empty() ? "Commands: " + all : "Did you mean '" + near + "'?"});
    return true;
}

// The words that no option takes, in the order in which they were written.
void print_extras(const CLI::App& app, int argc, char** argv) {
    std::vector<std::string> extras = app.remaining(true);
    std::string words;
    bool places = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto it = std::find(extras.begin(), extras.end(), word);
        if (it == extras.end()) continue;
        extras.erase(it);
        words += (words.empty() ? "" : " ") + word;
        places = places || word == "--devices" || word == "--replicas" || word == "--stages";
    }
    const auto commands = app.get_subcommands();
    const std::string name = commands.empty() ? "strata" : "strata " + commands.front()->get_name();
    print_error({strata::ErrorCode::invalid_argument, name + " takes no '" + words + "'", "",
                 places && name == "strata train"
                     ? "Set the placement: --set placement.replicas=2, or let `strata plan PROJECT "
                       "--devices 2 --write PLACED` choose one"
                     : "See `" + name + " --help`"});
}

int run(int argc, char** argv) {
    using namespace strata::cli;
    CLI::App app("Strata Studio's engine: builds, trains and runs neural networks.", "strata");
    app.set_version_flag("--version", std::string("strata ") + STRATA_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  strata new classic -o fashion.strata\n"
        "  strata train fashion.strata --set training.epochs=3\n"
        "  strata evaluate runs/NAME/last.h5 --data fashion-mnist\n"
        "`strata COMMAND --help` tells more of a command.");
    Action action;
    for (auto* add : {add_new, add_train, add_control, add_evaluate, add_predict, add_inspect,
                      add_plan, add_devices, add_layers, add_import})
        add(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (argc > 1 && is_unknown_command(app, argv[1])) return exit_usage;
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
            print_extras(app, argc, argv);
            return exit_usage;
        }
        return app.exit(error) == 0 ? exit_ok : exit_usage;
    }
    return action();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 2) strata::cpu::use_short_waits(argv);  // what only tells something starts at once
    try {
        const int code = run(argc, argv);
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
        std::fputs("strata: the output could not be written\n", stderr);
    } catch (const strata::Error& error) {
        print_error(error);
        if (error.code() == strata::ErrorCode::interrupted) return strata::cli::exit_lost;
    } catch (const std::bad_alloc&) {
        std::fputs("strata: there is not enough memory\n", stderr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "strata: %s\n", error.what());
    }
    return strata::cli::exit_failed;
}
