// The doctor's findings that are of one layer.
#include <algorithm>
#include <cmath>

#include "engine/core/text.h"
#include "engine/layers/text.h"
#include "engine/train/doctor.h"

namespace strata::train {
namespace {

constexpr int looks = 3;
constexpr double vanishing = 1e-4, back = 1e-3;

}  // namespace

void Doctor::layer_gradients(const std::vector<graph::GradientNorm>& norms) {
    last_norms_ = norms;
    if (norms.empty()) return;
    const auto largest = std::max_element(
        norms.begin(), norms.end(), [](const auto& a, const auto& b) { return a.norm < b.norm; });
    if (!(largest->norm > 0.0) || !std::isfinite(largest->norm)) return;
    for (const graph::GradientNorm& entry : norms) {
        const double share = entry.norm / largest->norm;
        int& row = vanished_[entry.layer];
        row = share < vanishing ? row + 1 : 0;
        judge(Kind::vanishing_gradients, entry.layer, row >= looks, share > back, [&] {
            Words words;
            words.evidence = "its gradient's norm is " + layers::number_text(entry.norm) +
                             ", that of '" + largest->layer + "' " +
                             layers::number_text(largest->norm);
            if (entry.norm > 0.0)
                words.evidence += ": " + grouped(std::llround(1.0 / share)) + " times smaller";
            words.advice =
                "Use relu in place of sigmoid or tanh, normalize between the layers, or let inputs "
                "skip layers";
            const auto activation = setup_.activations.find(entry.layer);
            if (activation != setup_.activations.end() &&
                (activation->second == "sigmoid" || activation->second == "tanh") &&
                entry.layer.find('.') == std::string::npos)
                words.fix = "model.layers." + entry.layer + ".config.activation=relu";
            return words;
        });
    }
}

void Doctor::layer_activity(const std::vector<graph::LayerActivity>& activities) {
    for (const graph::LayerActivity& layer : activities) {
        std::deque<std::int64_t>& seen = dead_[layer.layer];
        seen.push_back(layer.dead);
        if (seen.size() > looks) seen.pop_front();
        const std::int64_t always = *std::min_element(seen.begin(), seen.end());
        judge(Kind::dead_units, layer.layer, seen.size() == looks && 2 * always >= layer.units,
              4 * layer.dead < layer.units, [&] {
                  Words words;
                  words.evidence = (always < layer.units ? "at least " : "") + grouped(always) +
                                   " of " + counted(layer.units, "unit") + " gave 0 for all of " +
                                   counted(layer.samples, "sample") + ", " + std::to_string(looks) +
                                   " times in a row";
                  words.advice =
                      "Lower the learning rate, or use leaky_relu or elu in place of relu";
                  words.fix = lower_rate(3.0);
                  return words;
              });
    }
}

}  // namespace strata::train
