// The models of the speed comparison; torch_side.py builds the same ones.
#pragma once

#include <string>

#include "engine/graph/plan.h"

namespace strata::benchmarks {

inline constexpr double learning_rate = 1e-3;

// "classic", "cnn", "residual", "wide" or "deep"; else throws Error.
graph::Model make_model(const std::string& name);
int image_side(const std::string& name);  // pixels; a sample is its square
graph::TrainingSetup make_setup();        // sparse cross-entropy and Adam

}  // namespace strata::benchmarks
