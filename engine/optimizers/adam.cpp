#include "engine/optimizers/adam.h"

#include "engine/optimizers/common_params.h"

namespace strata::optimizers {
namespace {

layers::ParamSpec share_param(const char* key, double default_value, const char* doc) {
    return {.key = key,
            .type = layers::ParamType::number,
            .default_value = default_value,
            .doc = doc,
            .minimum = 0,
            .maximum = 1,
            .exclusive_maximum = true};
}

OptimizerDescription describe(const char* type, const char* doc, const Json& weight_decay) {
    return {.type = type,
            .doc = doc,
            .params = {learning_rate_param(0.001),
                       share_param("beta_1", 0.9,
                                   "Share of the running mean that stays at each update, below 1"),
                       share_param(
                           "beta_2", 0.999,
                           "Share of the running mean square that stays at each update, below 1"),
                       {.key = "epsilon",
                        .type = layers::ParamType::number,
                        .default_value = 1e-7,
                        .doc = "Small number added to the divisor against division by zero",
                        .minimum = 0,
                        .maximum = 1,
                        .exclusive_minimum = true},
                       weight_decay_param(weight_decay)},
            .slots = [](const layers::Config&) -> std::vector<std::string> {
                return {"momentum", "velocity"};
            },
            .update = [](const layers::Config& config, ops::ClipKind clip) -> ops::Attributes {
                return ops::AdamUpdate{.beta_1 = static_cast<float>(config.number("beta_1")),
                                       .beta_2 = static_cast<float>(config.number("beta_2")),
                                       .epsilon = static_cast<float>(config.number("epsilon")),
                                       .clip = clip};
            }};
}

}  // namespace

const OptimizerDescription& adam() {
    static const OptimizerDescription description = describe(
        "Adam",
        "Gives each weight a step of its own from the running mean and size of its gradient.",
        nullptr);
    return description;
}

const OptimizerDescription& adamw() {
    static const OptimizerDescription description =
        describe("AdamW", "Adam that also draws each weight towards zero at every update.", 0.004);
    return description;
}

}  // namespace strata::optimizers
