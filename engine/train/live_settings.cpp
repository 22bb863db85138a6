#include "engine/train/live_settings.h"

#include "engine/core/error.h"
#include "engine/layers/text.h"
#include "engine/optimizers/common_params.h"

namespace strata::train {

const layers::ParamSpec& learning_rate_rule() {
    static const layers::ParamSpec rule = optimizers::learning_rate_param(0.001);
    return rule;
}

// Steps use it in float32, where a smaller one would be 0 and a larger one infinite.
const layers::ParamSpec& clip_limit_rule() {
    static const layers::ParamSpec rule{
        .key = "clip_limit",
        .type = layers::ParamType::number,
        .default_value = nullptr,
        .doc = "Largest value or norm that a gradient keeps, as the kind of clipping has it",
        .minimum = 1e-30,
        .maximum = 1e30};
    return rule;
}

const layers::ParamSpec& weight_decay_rule() {
    static const layers::ParamSpec rule = optimizers::weight_decay_param(nullptr);
    return rule;
}

double checked(const layers::ParamSpec& rule, double value, const std::string& where) {
    try {
        return layers::Config::checked({rule}, {{rule.key, value}}).number(rule.key.c_str());
    } catch (const Error& error) {
        throw Error(error.code(), error.message(), where,
                    "It is the " + layers::lower_first(rule.doc));
    }
}

}  // namespace strata::train
