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
// In nodes of `local` ranks: a reduce-scatter inside each, rings of one rank of every node for the
// shares, an all-gather inside. local must divide ranks.
double hierarchical_all_reduce_seconds(double bytes, int ranks, int local, const Link& inner,
                                       const Link& outer);
// Two binary trees of half the bytes each (Sanders, Speck and Traeff, "Two-tree algorithms for full
// bandwidth broadcast, reduction and scan", 2009), cut so fine that bytes and latency add up:
// 2 ceil(log2 n) a + 2 bytes/B.
double tree_all_reduce_seconds(double bytes, int ranks, const Link& link);
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
// sbh(34 + 5as/h), or with full recomputation 2sbh (Korthikanti et al., arXiv 2205.05198). Its
// matrices over t tensor-parallel ranks: sbh(10 + 24/t + 5as/(ht)) on each; 2sbh stays.
double transformer_activation_bytes(std::int64_t sequence, std::int64_t batch, std::int64_t width,
                                    std::int64_t heads, bool recomputed, int tensor_ranks = 1);

// A transformer of l layers with a vocabulary of V words (Narayanan et al., arXiv 2104.04473,
// equations 2 and 3): 12lh^2 (1 + 13/(12h) + (V+s)/(12lh)) parameters, and for a step on b
// sequences 72bslh^2 (1 + s/(6h) + V/(12lh)) FLOPs, a quarter of the layers' part more with full
// recomputation: 96bslh^2 (1 + s/(6h) + V/(16lh)).
struct Transformer {
    std::int64_t layers = 0, width = 0, heads = 0, vocabulary = 0, sequence = 0;
};
double transformer_parameters(const Transformer& model);
double transformer_flops(const Transformer& model, double sequences, bool recomputed);
// What one of t tensor-parallel ranks sums over the others for a layer and micro-batch of b: two
// all-reduces of 2sbh bytes in each direction, two more with recomputation.
double tensor_parallel_seconds(const Transformer& model, double batch, int ranks, bool recomputed,
                               const Link& link);

// Interleaved schedule, v chunks a device (arXiv 2104.04473): idle time as a share of the work,
// (p-1)/(vm), and activations against 1F1B's, 1 + (p-1)/(pv).
double interleaved_overhead(int devices, int micro_batches, int chunks);
double interleaved_activation_factor(int devices, int chunks);

// Devices that fail one by one after `device_seconds` on average.
double seconds_between_failures(double device_seconds, int devices);
// Young's interval between checkpoints that take `write` seconds, sqrt(2 * write * between)
// ("A first order approximation to the optimum checkpoint interval", 1974), and the share of time
// that writing them and working again what failures undo then take.
double checkpoint_interval_seconds(double write, double between_failures);
double lost_share(double write, double between_failures);

}  // namespace strata::parallel
