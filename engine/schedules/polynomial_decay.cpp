#include "engine/schedules/polynomial_decay.h"

#include <algorithm>
#include <cmath>

#include "engine/schedules/duration_params.h"

namespace strata::schedules {
namespace {

double rate(const layers::Config& config, double base_rate, std::int64_t update,
            std::int64_t total_updates) {
    const double end = config.number("end_learning_rate");
    auto length = static_cast<double>(updates_or_rest(config, "decay_steps", total_updates));
    auto step = static_cast<double>(update);
    if (config.boolean("cycle"))
        length *= std::max(1.0, std::ceil(step / length));
    else
        step = std::min(step, length);
    return (base_rate - end) * std::pow(1.0 - step / length, config.number("power")) + end;
}

}  // namespace

const ScheduleDescription& polynomial_decay() {
    static const ScheduleDescription description{
        .type = "PolynomialDecay",
        .doc = "Falls to end_learning_rate along a straight line, or a curve by power.",
        .params = {rest_of_run_param("decay_steps"),
                   {.key = "end_learning_rate",
                    .type = layers::ParamType::number,
                    .default_value = 0.0001,
                    .doc = "Rate at the end and after it",
                    .minimum = 0,
                    .maximum = 1e6},
                   {.key = "power",
                    .type = layers::ParamType::number,
                    .default_value = 1.0,
                    .doc = "1 falls along a line, more falls sooner, less falls later",
                    .minimum = 0,
                    .maximum = 100},
                   {.key = "cycle",
                    .type = layers::ParamType::boolean,
                    .default_value = false,
                    .doc = "Whether the rate rises again after decay_steps and falls over a longer "
                           "way"}},
        .rate = rate};
    return description;
}

}  // namespace strata::schedules
