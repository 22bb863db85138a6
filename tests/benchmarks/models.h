// The two models of the speed comparison; torch_side.py builds the same ones.
#pragma once

#include <string>

#include "engine/graph/plan.h"

namespace strata::benchmarks {

inline constexpr double learning_rate = 1e-3;

graph::Model make_model(const std::string& name);  // "classic" or "cnn"; else throws Error
graph::TrainingSetup make_setup();                 // sparse cross-entropy and Adam

}  // namespace strata::benchmarks
