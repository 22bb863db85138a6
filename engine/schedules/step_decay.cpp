#include "engine/schedules/step_decay.h"

#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/schedules/duration_params.h"

namespace strata::schedules {
namespace {

void check_pieces(const layers::Config& config) {
    const std::vector<double> boundaries = config.numbers("boundaries");
    const std::vector<double> values = config.numbers("values");
    for (std::size_t i = 0; i < boundaries.size(); ++i)
        if (!(boundaries[i] >= 0.0) || (i > 0 && !(boundaries[i] > boundaries[i - 1])))
            throw Error(ErrorCode::invalid_argument, "the boundaries do not grow", "boundaries",
                        "Give numbers of updates in ascending order, none below 0");
    if (values.size() != boundaries.size() + 1)
        throw Error(ErrorCode::invalid_argument,
                    counted(std::ssize(boundaries), "boundary parts", "boundaries part") + " " +
                        counted(std::ssize(boundaries) + 1, "rate") + ", but " +
                        counted(std::ssize(values), "is", "are") + " given",
                    "values", "Give one rate more than there are boundaries");
    for (double value : values)
        if (!std::isfinite(value) || value < 0.0)
            throw Error(ErrorCode::invalid_argument, "a rate is below 0 or no number", "values",
                        "Give rates of 0 or more");
}

}  // namespace

const ScheduleDescription& step_decay() {
    static const ScheduleDescription description{
        .type = "StepDecay",
        .doc = "Multiplies the rate by gamma after every step_size updates.",
        .params = {updates_param("step_size", 1000, "Updates from one reduction to the next"),
                   {.key = "gamma",
                    .type = layers::ParamType::number,
                    .default_value = 0.1,
                    .doc = "Factor of each reduction",
                    .minimum = 0,
                    .maximum = 1}},
        .rate = [](const layers::Config& config, double base_rate, std::int64_t update,
                   std::int64_t) {
            const std::int64_t steps = update / config.integer("step_size");
            return base_rate * std::pow(config.number("gamma"), static_cast<double>(steps));
        }};
    return description;
}

const ScheduleDescription& piecewise_constant_decay() {
    static const ScheduleDescription description{
        .type = "PiecewiseConstantDecay",
        .doc = "Takes each of a list of rates in turn, the next one after each boundary.",
        .params = {{.key = "boundaries",
                    .type = layers::ParamType::number_list,
                    .default_value = {1000.0},
                    .doc = "Updates after which the next rate holds, ascending"},
                   {.key = "values",
                    .type = layers::ParamType::number_list,
                    .default_value = {0.001, 0.0001},
                    .doc = "Rates, one more than boundaries; they take the place of the "
                           "optimizer's"}},
        .rate =
            [](const layers::Config& config, double, std::int64_t update, std::int64_t) {
                const std::vector<double> boundaries = config.numbers("boundaries");
                std::size_t piece = 0;
                while (piece < boundaries.size() && static_cast<double>(update) > boundaries[piece])
                    ++piece;
                return config.numbers("values").at(piece);
            },
        .check = check_pieces,
        .ignores_base_rate = true};
    return description;
}

}  // namespace strata::schedules
