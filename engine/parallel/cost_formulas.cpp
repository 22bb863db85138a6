#include "engine/parallel/cost_formulas.h"

#include <cmath>

namespace strata::parallel {

double transfer_seconds(double bytes, const Link& link) {
    return link.latency + bytes / link.bytes_per_s;
}

double reduce_scatter_seconds(double bytes, int ranks, const Link& link) {
    return (ranks - 1) * transfer_seconds(bytes / ranks, link);
}

double all_reduce_seconds(double bytes, int ranks, const Link& link) {
    return 2.0 * reduce_scatter_seconds(bytes, ranks, link);
}

double hierarchical_all_reduce_seconds(double bytes, int ranks, int local, const Link& inner,
                                       const Link& outer) {
    return 2.0 * reduce_scatter_seconds(bytes, local, inner) +
           all_reduce_seconds(bytes / local, ranks / local, outer);
}

double tree_all_reduce_seconds(double bytes, int ranks, const Link& link) {
    return ranks == 1
               ? 0.0
               : 2.0 * (std::ceil(std::log2(ranks)) * link.latency + bytes / link.bytes_per_s);
}

AdamBytes adam_bytes_per_parameter(bool mixed_precision, bool sharded, int ranks) {
    AdamBytes bytes;
    if (mixed_precision) bytes.copy = 2.0;
    if (!sharded) return bytes;
    bytes.moments /= ranks;
    // Without a copy the layers read the float32 weights themselves, all of them.
    if (mixed_precision) bytes.weights /= ranks;
    return bytes;
}

double transformer_activation_bytes(std::int64_t sequence, std::int64_t batch, std::int64_t width,
                                    std::int64_t heads, bool recomputed, int tensor_ranks) {
    const auto s = static_cast<double>(sequence), b = static_cast<double>(batch);
    const auto h = static_cast<double>(width), a = static_cast<double>(heads);
    return recomputed ? 2.0 * s * b * h
                      : s * b * h * (10.0 + (24.0 + 5.0 * a * s / h) / tensor_ranks);
}

double transformer_parameters(const Transformer& model) {
    const auto l = static_cast<double>(model.layers), h = static_cast<double>(model.width);
    const auto words = static_cast<double>(model.vocabulary + model.sequence);
    return 12.0 * l * h * h * (1.0 + 13.0 / (12.0 * h) + words / (12.0 * l * h));
}

double transformer_flops(const Transformer& model, double sequences, bool recomputed) {
    const auto l = static_cast<double>(model.layers), h = static_cast<double>(model.width);
    const auto s = static_cast<double>(model.sequence), v = static_cast<double>(model.vocabulary);
    const double factor = recomputed ? 96.0 : 72.0;
    // The vocabulary's product is not computed again.
    return factor * sequences * s * l * h * h * (1.0 + s / (6.0 * h) + v / (factor / 6.0 * l * h));
}

double tensor_parallel_seconds(const Transformer& model, double batch, int ranks, bool recomputed,
                               const Link& link) {
    const double bytes =
        2.0 * static_cast<double>(model.sequence) * batch * static_cast<double>(model.width);
    return (recomputed ? 6.0 : 4.0) * all_reduce_seconds(bytes, ranks, link);
}

double interleaved_overhead(int devices, int micro_batches, int chunks) {
    return static_cast<double>(devices - 1) / (chunks * micro_batches);
}

double interleaved_activation_factor(int devices, int chunks) {
    return 1.0 + static_cast<double>(devices - 1) / (devices * chunks);
}

double seconds_between_failures(double device_seconds, int devices) {
    return device_seconds / devices;
}

double checkpoint_interval_seconds(double write, double between_failures) {
    return std::sqrt(2.0 * write * between_failures);
}

double lost_share(double write, double between_failures) {
    const double interval = checkpoint_interval_seconds(write, between_failures);
    return write / interval + interval / (2.0 * between_failures);
}

}  // namespace strata::parallel
