#include "engine/graph/batch_statistics.h"

#include <algorithm>

#include "engine/core/text.h"

namespace strata::graph {

namespace {

// Layers that normalise by a batch's statistics may take them over the replicas.
constexpr const char* synchronized = "synchronized";

bool takes_statistics(const LayerNode& node) {
    const auto& params = node.type->spec.params;
    return std::any_of(params.begin(), params.end(),
                       [](const layers::ParamSpec& param) { return param.key == synchronized; });
}

}  // namespace

std::int64_t normalized_by(const Model& model, std::int64_t own, int replicas) {
    std::int64_t least = 0;
    for (const LayerNode& node : model.layers) {
        if (node.type == nullptr || !takes_statistics(node)) continue;
        const std::int64_t samples = node.config.boolean(synchronized) ? own * replicas : own;
        least = least == 0 ? samples : std::min(least, samples);
    }
    return least;
}

std::string note_of_statistics(const Model& model, std::int64_t own, int replicas) {
    const std::int64_t samples = normalized_by(model, own, replicas);
    return samples == 0
               ? ""
               : " (BatchNormalization then normalises by " + counted(samples, "sample") + ")";
}

}  // namespace strata::graph
