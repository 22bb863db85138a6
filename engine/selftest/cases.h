// What the catalogues offer, as small trainings that two devices must do alike: derived, so that
// what is added to a catalogue is tested, too.
#pragma once

#include <string>
#include <vector>

#include "engine/selftest/steps.h"

namespace strata::selftest {

struct Case {
    std::string name;  // "softmax", "Adam, clipnorm 0.02"
    graph::Model model;
    graph::TrainingSetup setup;
    Steps steps;
};

// All types that compute something: an input without an example has nothing to compare.
std::vector<const layers::LayerDescription*> computing_layers();
// Each of the layer's examples between layers with weights.
std::vector<Case> cases_of(const layers::LayerDescription& type, const std::string& precision);
// With the loss's own activation, which is fused into it, and with others, which are not; with each
// metric that has a meaning for it.
std::vector<Case> cases_of(const losses::LossDescription& loss, const std::string& precision);

struct Recipe {
    std::string name;  // "SGD with momentum"
    std::string optimizer;
    Json config;
};
// Every optimizer with its defaults, and SGD with its options.
std::vector<Recipe> recipes();
// Three steps each: with no clipping, limits that are met and are not, weight decay and an average.
std::vector<Case> cases_of(const Recipe& recipe, const std::string& precision);

}  // namespace strata::selftest
