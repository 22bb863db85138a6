// All optimizers that there are, in menu order.
#include "engine/layers/names.h"
#include "engine/optimizers/adam.h"
#include "engine/optimizers/sgd.h"

namespace strata::optimizers {

const std::vector<const OptimizerDescription*>& catalogue() {
    static const std::vector<const OptimizerDescription*> all{&adam(), &sgd()};
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

}  // namespace strata::optimizers
