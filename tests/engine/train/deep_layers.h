// A model whose gradients vanish. Used by the doctor's tests.
#pragma once

#include <string>

#include "engine/core/json.h"

namespace strata::train {

// The first three layers and the last, and ten of sigmoid between them: each takes a quarter or
// less of the gradient.
inline Json with_ten_sigmoids(const Json& layers) {
    Json deep = Json::array();
    for (int i = 0; i < 3; ++i) deep.push_back(layers[i]);
    for (int i = 0; i < 10; ++i)
        deep.push_back({{"name", "deep_" + std::to_string(i)},
                        {"type", "Dense"},
                        {"config", {{"units", 8}, {"activation", "sigmoid"}}}});
    deep.push_back(layers.back());
    return deep;
}

}  // namespace strata::train
