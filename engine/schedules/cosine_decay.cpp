#include "engine/schedules/cosine_decay.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/schedules/duration_params.h"

namespace strata::schedules {
namespace {

layers::ParamSpec alpha_param() {
    return {.key = "alpha",
            .type = layers::ParamType::number,
            .default_value = 0.0,
            .doc = "Lowest rate as a share of the learning rate",
            .minimum = 0,
            .maximum = 1};
}

// From 1 at `done` = 0 to 0 at 1.
double half_cosine(double done) {
    return 0.5 * (1.0 + std::cos(std::numbers::pi * done));
}

double with_floor(double share, double alpha) {
    return (1.0 - alpha) * share + alpha;
}

struct Period {
    double done;    // share of it that is over
    double height;  // of its first rate, as a share of the learning rate
};

// The periods are first, first t_mul, first t_mul^2, ...: summed up one by one, because a logarithm
// would miss the exact update of a restart by its rounding.
Period period_of(double update, double first, double t_mul, double m_mul) {
    if (t_mul == 1.0) {
        const double restarts = std::floor(update / first);
        return {update / first - restarts, std::pow(m_mul, restarts)};
    }
    double length = first, start = 0.0, height = 1.0;
    while (update >= start + length) {
        start += length;
        length *= t_mul;
        height *= m_mul;
    }
    return {(update - start) / length, height};
}

}  // namespace

const ScheduleDescription& cosine_decay() {
    static const ScheduleDescription description{
        .type = "CosineDecay",
        .doc = "Falls along half a cosine: slowly, then fast, then slowly again.",
        .params = {rest_of_run_param("decay_steps"), alpha_param()},
        .rate = [](const layers::Config& config, double base_rate, std::int64_t update,
                   std::int64_t total_updates) {
            const auto length =
                static_cast<double>(updates_or_rest(config, "decay_steps", total_updates));
            const double done = std::min(static_cast<double>(update), length) / length;
            return base_rate * with_floor(half_cosine(done), config.number("alpha"));
        }};
    return description;
}

const ScheduleDescription& cosine_decay_restarts() {
    static const ScheduleDescription description{
        .type = "CosineDecayRestarts",
        .doc = "Falls along half a cosine, jumps back up and falls again, each time longer.",
        .params = {updates_param("first_decay_steps", 1000, "Updates until the first restart"),
                   {.key = "t_mul",
                    .type = layers::ParamType::number,
                    .default_value = 2.0,
                    .doc = "Factor by which each period is longer than the one before, from 1",
                    .minimum = 1,
                    .maximum = 1e6},
                   {.key = "m_mul",
                    .type = layers::ParamType::number,
                    .default_value = 1.0,
                    .doc = "Factor of the highest rate from one period to the next",
                    .minimum = 0,
                    .maximum = 1e6},
                   alpha_param()},
        .rate = [](const layers::Config& config, double base_rate, std::int64_t update,
                   std::int64_t) {
            const auto first = static_cast<double>(config.integer("first_decay_steps"));
            const Period period = period_of(static_cast<double>(update), first,
                                            config.number("t_mul"), config.number("m_mul"));
            return base_rate *
                   with_floor(period.height * half_cosine(period.done), config.number("alpha"));
        }};
    return description;
}

}  // namespace strata::schedules
