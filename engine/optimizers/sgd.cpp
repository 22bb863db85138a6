#include "engine/optimizers/sgd.h"

#include "engine/optimizers/common_params.h"

namespace strata::optimizers {

const OptimizerDescription& sgd() {
    static const OptimizerDescription description{
        .type = "SGD",
        .doc = "Steps against the gradient; momentum carries a share of the last step on.",
        .params = {learning_rate_param(0.01),
                   {.key = "momentum",
                    .type = layers::ParamType::number,
                    .default_value = 0.0,
                    .doc = "Share of the last step that is added to the next, from 0 to 1",
                    .minimum = 0,
                    .maximum = 1},
                   {.key = "nesterov",
                    .type = layers::ParamType::boolean,
                    .default_value = false,
                    .doc = "Whether momentum looks ahead (Nesterov), which matters only with "
                           "momentum above 0"},
                   weight_decay_param(nullptr)},
        .slots = [](const layers::Config& config) -> std::vector<std::string> {
            if (config.number("momentum") == 0.0) return {};
            return {"momentum"};
        },
        .update = [](const layers::Config& config, ops::ClipKind clip) -> ops::Attributes {
            return ops::SgdUpdate{.momentum = static_cast<float>(config.number("momentum")),
                                  .nesterov = config.boolean("nesterov"),
                                  .clip = clip};
        }};
    return description;
}

}  // namespace strata::optimizers
