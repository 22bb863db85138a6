// What devices hold and what their links take, by formula: the planner's and the studio's numbers
// where nothing has been measured yet. Bytes and seconds.
#pragma once

#include <cstdint>

namespace strata::parallel {

// A link between two ranks.
struct Link {
    double bytes_per_s = 0.0;
    double latency = 0.0;  // seconds, of one message
};

// Ring all-reduce of `bytes` over n ranks: 2(n-1)a + 2(n-1)/n * bytes/B (Patarasuk and Yuan,
// "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009).
double all_reduce_seconds(double bytes, int ranks, const Link& link);
// One half of it: a reduce-scatter or an all-gather.
double reduce_scatter_seconds(double bytes, int ranks, const Link& link);
// One message.
double transfer_seconds(double bytes, const Link& link);

// Bytes a parameter of training with Adam: weights, gradients and two moments in float32; with
// 16-bit layers also the copy that they read. ZeRO-1 (Rajbhandari et al., arXiv 1910.02054) divides
// the float32 weights that only the update reads and the moments by the ranks.
struct AdamBytes {
    double copy = 0.0;     // 16 bit; 0 without mixed precision
    double weights = 4.0;  // float32; with mixed precision the master
    double gradients = 4.0;
    double moments = 8.0;

    double total() const { return copy + weights + gradients + moments; }
};
AdamBytes adam_bytes_per_parameter(bool mixed_precision, bool sharded, int ranks);

// Activations of a transformer layer in 16 bits, sequence s, batch b, width h, heads a:
// sbh(34 + 5as/h), or with full recomputation 2sbh (Korthikanti et al., arXiv 2205.05198).
double transformer_activation_bytes(std::int64_t sequence, std::int64_t batch, std::int64_t width,
                                    std::int64_t heads, bool recomputed);

// Interleaved schedule, v chunks a device (arXiv 2104.04473): idle time as a share of the work,
// (p-1)/(vm), and activations against 1F1B's, 1 + (p-1)/(pv).
double interleaved_overhead(int devices, int micro_batches, int chunks);
double interleaved_activation_factor(int devices, int chunks);

}  // namespace strata::parallel
