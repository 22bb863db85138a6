// All losses that there are, in menu order.
#include <algorithm>

#include "engine/layers/names.h"
#include "engine/losses/binary_crossentropy.h"
#include "engine/losses/categorical_crossentropy.h"
#include "engine/losses/mean_squared_error.h"
#include "engine/losses/sparse_categorical_crossentropy.h"

namespace strata::losses {

const std::vector<const LossDescription*>& catalogue() {
    static const std::vector<const LossDescription*> all{
        &sparse_categorical_crossentropy(), &categorical_crossentropy(), &binary_crossentropy(),
        &mean_squared_error()};
    return all;
}

const LossDescription& find_loss(std::string_view name) {
    std::vector<std::string> names;
    for (const LossDescription* loss : catalogue()) {
        if (name == loss->name || name == loss->keras_class) return *loss;
        if (std::find(loss->aliases.begin(), loss->aliases.end(), name) != loss->aliases.end())
            return *loss;
        names.push_back(loss->name);
    }
    layers::refuse_unknown_name("loss", name, "loss", names);
}

}  // namespace strata::losses
