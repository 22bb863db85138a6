#include "tests/engine/parallel/large_scale/cluster.h"

#include <algorithm>

namespace strata::parallel::large_scale {
namespace {

// Each byte of the activations is written and read in the forward pass, in its repetition and, as a
// gradient, in the backward pass.
constexpr double passes_over_activations = 6.0;

double layers_of_stage(const Transformer& model, const Division& division) {
    return static_cast<double>(model.layers) / division.pipeline;
}

double parameters_of_device(const Transformer& model, const Division& division) {
    return transformer_parameters(model) / (division.tensor * division.pipeline);
}

}  // namespace

double gradient_seconds(double bytes, const Division& division, const Cluster& cluster) {
    const int model_ranks = division.tensor * division.pipeline, replicas = division.replicas();
    const int together =
        std::max(1, std::min(replicas, cluster.node / std::min(cluster.node, model_ranks)));
    return hierarchical_all_reduce_seconds(bytes, replicas, together, cluster.inner, cluster.outer);
}

StepCost step_of(const Transformer& model, const Division& division, const Cluster& cluster) {
    const double layers = layers_of_stage(model, division), b = division.micro_batch;
    const double m = division.micro_batches();
    const double flops = transformer_flops(model, division.batch, division.recomputed);
    StepCost cost;
    cost.products = flops / division.devices / (cluster.peak * cluster.product_share);
    const double activations = transformer_activation_bytes(model.sequence, 1, model.width,
                                                            model.heads, false, division.tensor) *
                               b;
    cost.memory = m * layers * passes_over_activations * activations / cluster.memory_rate;
    cost.tensor =
        m * layers *
        tensor_parallel_seconds(model, b, division.tensor, division.recomputed, cluster.inner);
    // Its tensor-parallel ranks send a part each; out and back, once a chunk.
    const double part = 2.0 * static_cast<double>(model.sequence) * b *
                        static_cast<double>(model.width) / division.tensor;
    if (division.pipeline > 1)
        cost.transfers = m * 2.0 * division.chunks * transfer_seconds(part, cluster.outer);
    cost.idle = interleaved_overhead(division.pipeline, static_cast<int>(m), division.chunks) *
                (cost.products + cost.memory + cost.tensor + cost.transfers);
    cost.all_reduce = gradient_seconds(
        division.gradient_bytes * parameters_of_device(model, division), division, cluster);
    return cost;
}

double achieved(const Transformer& model, const Division& division, double seconds) {
    return transformer_flops(model, division.batch, true) / division.devices / seconds;
}

double fitted_product_share(const Transformer& model, const Division& division, Cluster cluster,
                            double seconds) {
    cluster.product_share = 1.0;
    const StepCost cost = step_of(model, division, cluster);
    return cost.products / (seconds - (cost.total() - cost.products));
}

MemoryCost memory_of(const Transformer& model, const Division& division, bool sharded) {
    const double layers = layers_of_stage(model, division), b = division.micro_batch;
    const auto bytes = [&](bool recomputed, int tensor) {
        return transformer_activation_bytes(model.sequence, 1, model.width, model.heads, recomputed,
                                            tensor) *
               b;
    };
    MemoryCost cost;
    cost.state = parameters_of_device(model, division) *
                 adam_bytes_per_parameter(true, sharded, division.replicas()).total();
    // The first stage holds most micro-batches: as many as there are stages, if there are so many.
    const double in_flight =
        std::min<double>(division.pipeline, division.micro_batches()) *
        (division.chunks > 1 ? interleaved_activation_factor(division.pipeline, division.chunks)
                             : 1.0);
    cost.activations = in_flight * layers * bytes(division.recomputed, division.tensor) +
                       (division.recomputed ? bytes(false, division.tensor) : 0.0);
    return cost;
}

}  // namespace strata::parallel::large_scale
