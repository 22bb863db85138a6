// A model around an example of the layer catalogue. Used by the self-test and by tests that follow
// from the catalogue.
#pragma once

#include "engine/graph/model.h"

namespace strata::selftest {

// A layer with weights before each of the example's inputs, so that its gradient counts, and a
// classifier behind the example's output: the last layers are "example", "flat" and "classes". An
// example of an input is the model's own, with "hidden" in the example's place.
graph::Model model_around(const layers::LayerDescription& type,
                          const layers::LayerExample& example);

}  // namespace strata::selftest
