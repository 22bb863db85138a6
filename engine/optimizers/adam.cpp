#include "engine/optimizers/adam.h"

#include "engine/optimizers/learning_rate.h"

namespace strata::optimizers {
namespace {

layers::ParamSpec decay_param(const char* key, double default_value, const char* doc) {
    return {.key = key,
            .type = layers::ParamType::number,
            .default_value = default_value,
            .doc = doc,
            .minimum = 0,
            .maximum = 1,
            .exclusive_maximum = true};
}

}  // namespace

const OptimizerDescription& adam() {
    static const OptimizerDescription description{
        .type = "Adam",
        .doc =
            "Gives each weight a step of its own from the running mean and size of its gradient.",
        .params = {learning_rate_param(0.001),
                   decay_param("beta_1", 0.9,
                               "Share of the running mean that stays at each update, below 1"),
                   decay_param(
                       "beta_2", 0.999,
                       "Share of the running mean square that stays at each update, below 1"),
                   {.key = "epsilon",
                    .type = layers::ParamType::number,
                    .default_value = 1e-7,
                    .doc = "Small number added to the divisor against division by zero",
                    .minimum = 0,
                    .maximum = 1,
                    .exclusive_minimum = true}},
        .slots = [](const layers::Config&) -> std::vector<std::string> {
            return {"momentum", "velocity"};
        },
        .update = [](const layers::Config& config) -> ops::Attributes {
            return ops::AdamUpdate{.beta_1 = static_cast<float>(config.number("beta_1")),
                                   .beta_2 = static_cast<float>(config.number("beta_2")),
                                   .epsilon = static_cast<float>(config.number("epsilon"))};
        }};
    return description;
}

}  // namespace strata::optimizers
