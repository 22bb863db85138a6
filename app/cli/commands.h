// The commands of `strata`. Each adds itself to the parser; what it runs goes into `action`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "engine/core/error.h"

namespace strata::cli {

inline constexpr int exit_ok = 0, exit_failed = 1, exit_usage = 2;
inline constexpr int exit_lost = 3;  // another process of the run was lost: it can be gone on with

// To stderr: "strata: where: message", and the hint.
void print_error(const Error& error);

// Throws Error{invalid_argument} where there is such a file and no --force.
void require_new_file(const std::string& path, bool force);

// Returns the exit code; throws Error. Run by main() after parsing.
using Action = std::function<int()>;

void add_new(CLI::App& app, Action& action);
void add_train(CLI::App& app, Action& action);
void add_control(CLI::App& app, Action& action);
void add_evaluate(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_inspect(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_layers(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);

}  // namespace strata::cli
