// A plan as people read it, 80 columns wide, and as JSON. Used by `strata plan`.
#pragma once

#include <string>

#include "engine/core/json.h"
#include "engine/parallel/auto_placement.h"

namespace strata::cli {

// note: a remark on the whole, or "". written: the file that holds the placement, or "".
void print_plan(const std::string& name, const parallel::AutoPlacement& chosen,
                const std::string& note, const std::string& written);
// Bytes and seconds as numbers, shares from 0 to 1.
Json plan_json(const std::string& name, const parallel::AutoPlacement& chosen,
               const std::string& note);

}  // namespace strata::cli
