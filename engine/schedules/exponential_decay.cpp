#include "engine/schedules/exponential_decay.h"

#include <cmath>

#include "engine/schedules/duration_params.h"

namespace strata::schedules {

const ScheduleDescription& exponential_decay() {
    static const ScheduleDescription description{
        .type = "ExponentialDecay",
        .doc = "Shrinks the rate by the factor decay_rate within every decay_steps updates.",
        .params = {updates_param("decay_steps", 1000,
                                 "Updates within which the rate shrinks by decay_rate"),
                   {.key = "decay_rate",
                    .type = layers::ParamType::number,
                    .default_value = 0.9,
                    .doc = "Factor of the rate after decay_steps updates",
                    .minimum = 0,
                    .maximum = 1,
                    .exclusive_minimum = true},
                   {.key = "staircase",
                    .type = layers::ParamType::boolean,
                    .default_value = false,
                    .doc = "Whether the rate falls in steps, one every decay_steps updates"}},
        .rate = [](const layers::Config& config, double base_rate, std::int64_t update,
                   std::int64_t) {
            double power =
                static_cast<double>(update) / static_cast<double>(config.integer("decay_steps"));
            if (config.boolean("staircase")) power = std::floor(power);
            return base_rate * std::pow(config.number("decay_rate"), power);
        }};
    return description;
}

}  // namespace strata::schedules
