// All optimizers that there are, in menu order.
#include "engine/layers/names.h"
#include "engine/optimizers/adam.h"
#include "engine/optimizers/sgd.h"

namespace strata::optimizers {

const std::vector<const OptimizerDescription*>& catalogue() {
    static const std::vector<const OptimizerDescription*> all{&adam(), &adamw(), &sgd()};
    return all;
}

const OptimizerDescription& find_optimizer(std::string_view type) {
    std::vector<std::string> types;
    for (const OptimizerDescription* optimizer : catalogue()) {
        if (layers::equal_ignoring_case(type, optimizer->type))
            return *optimizer;  // Keras: "adam", too
        types.push_back(optimizer->type);
    }
    layers::refuse_unknown_name("optimizer", type, "optimizer", types);
}

double weight_decay(const layers::Config& config) {
    return config.is_null("weight_decay") ? 0.0 : config.number("weight_decay");
}

}  // namespace strata::optimizers
