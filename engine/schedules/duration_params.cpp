#include "engine/schedules/duration_params.h"

#include <algorithm>

namespace strata::schedules {

layers::ParamSpec updates_param(const char* key, std::int64_t default_value, const char* doc) {
    return {.key = key,
            .type = layers::ParamType::integer,
            .default_value = default_value,
            .doc = doc,
            .minimum = 1,
            .maximum = 1e15};
}

layers::ParamSpec rest_of_run_param(const char* key) {
    return {.key = key,
            .type = layers::ParamType::integer,
            .default_value = nullptr,
            .doc = "Updates from the start to the lowest rate; empty for all that the run has left",
            .minimum = 1,
            .maximum = 1e15,
            .optional = true};
}

bool is_rest_of_run(const layers::ParamSpec& param) {
    return param.optional && param.type == layers::ParamType::integer;
}

std::int64_t updates_or_rest(const layers::Config& config, const char* key,
                             std::int64_t total_updates) {
    if (!config.is_null(key)) return config.integer(key);
    return std::max<std::int64_t>(total_updates, 1);
}

}  // namespace strata::schedules
