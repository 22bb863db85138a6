#include "engine/parallel/cost_formulas.h"

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
                                    std::int64_t heads, bool recomputed) {
    const auto s = static_cast<double>(sequence), b = static_cast<double>(batch);
    const auto h = static_cast<double>(width), a = static_cast<double>(heads);
    return recomputed ? 2.0 * s * b * h : s * b * h * (34.0 + 5.0 * a * s / h);
}

double interleaved_overhead(int devices, int micro_batches, int chunks) {
    return static_cast<double>(devices - 1) / (chunks * micro_batches);
}

double interleaved_activation_factor(int devices, int chunks) {
    return 1.0 + static_cast<double>(devices - 1) / (devices * chunks);
}

}  // namespace strata::parallel
