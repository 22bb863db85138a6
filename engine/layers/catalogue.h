// All layers that there are, in palette order. A new layer is a pair of files and one line in
// catalogue.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "engine/layers/layer.h"

namespace strata::layers {

const std::vector<const LayerDescription*>& catalogue();

// By type or alias. Throws Error{not_found} that names the nearest type; Lambda is refused in words
// of its own: it would run code from a file.
const LayerDescription& find_layer(std::string_view type);

}  // namespace strata::layers
