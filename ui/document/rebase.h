// A project that moves to another folder: its relative paths go on naming the same files. Called by
// the document.
#pragma once

#include <string>

#include "engine/train/run_config.h"

namespace strata::ui {

// Sets config.base and rewrites the relative paths of data and initial weights: relative where they
// lie inside the new folder, else absolute. False where the folder is the same.
bool rebase(train::RunConfig& config, const std::string& base);

}  // namespace strata::ui
