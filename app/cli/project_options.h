// A project as a command takes it: its file and the keys that `--set` changes.
#pragma once

#include <string>
#include <vector>

#include "engine/train/run_config.h"

namespace strata::cli {

// Throws Error naming the file or the key.
train::RunConfig read_project(const std::string& path, const std::vector<std::string>& overrides);
// Why that is no KEY=VALUE, known before a project is read; "" where it is one.
std::string fault_of_assignment(const std::string& assignment);

}  // namespace strata::cli
