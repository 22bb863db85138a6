// Parameters that schedules share.
#pragma once

#include "engine/layers/spec.h"

namespace strata::schedules {

// A whole number of updates, at least 1.
layers::ParamSpec updates_param(const char* key, std::int64_t default_value, const char* doc);
// The same; unset it is all that are left of the run.
layers::ParamSpec rest_of_run_param(const char* key);
bool is_rest_of_run(const layers::ParamSpec& param);
std::int64_t updates_or_rest(const layers::Config& config, const char* key,
                             std::int64_t total_updates);

}  // namespace strata::schedules
