// The same training steps on two devices, and how far what they give is apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/graph/executor.h"

namespace strata::selftest {

const std::vector<std::string>& precisions();  // the policies: "float32", "mixed_bfloat16", ...

// How far two devices may be apart in a precision, as a share of a tensor's length. Both round the
// same results to the same type, but sum float32 products in another order, so that a result may
// round to the neighbour: one step in 2^8 (bfloat16) or 2^11 (float16). Where the CPU rounds once,
// cuBLASLt adds a bias of the operands' type, and an activation reads the rounded sum: one step
// more each. A gradient passes three layers: eight steps, each of which few elements take. Float32
// sums differ by some 2^-23 for each of the thousands of terms that may be added: 1e-4.
double tolerance_of(const std::string& precision);

// Samples and targets for a model, drawn anew from the same seed.
struct Problem {
    std::vector<float> inputs, targets;
    std::vector<std::int32_t> labels;
};
Problem problem_for(const graph::Model& model, std::int64_t samples);

struct Steps {
    std::int64_t batch = 5;
    int count = 2;
    float clip_limit = 0.0F, weight_decay = 0.0F;
};

struct History {
    std::vector<graph::BatchResult> results;   // of each step
    std::vector<graph::HostTensor> gradients;  // of the first
    std::vector<graph::HostTensor> state;      // weights and slots after the last
    graph::BatchResult evaluation;             // then
};

// options: device, its threads and memory; the rest is set here.
History history_on(graph::ExecutorOptions options, const graph::Model& model,
                   const graph::TrainingSetup& setup, const Steps& steps);

// The largest of all, as a share of what is allowed: above 1 is too far.
struct Difference {
    double share = 0.0;
    double error = 0.0;  // as a share of the value or the tensor's length
    std::string what;    // "gradient of example/kernel"
    bool near() const { return share <= 1.0; }
};

// |a - b| <= tolerance * |b|, of a tensor's lengths; what is nearly nothing beside the largest
// tensor may be rounding alone. A bias's gradient is a sum over the batch that may cancel: what is
// summed is as long as the largest tensor. what: "gradient", "state".
Difference difference(const std::vector<graph::HostTensor>& a,
                      const std::vector<graph::HostTensor>& b, double tolerance,
                      const std::string& what);
Difference difference(const graph::BatchResult& a, const graph::BatchResult& b, double tolerance,
                      std::int64_t batch);
// Losses, norms and metrics of each step and of the evaluation, gradients and state.
Difference difference(const History& a, const History& b, double tolerance, std::int64_t batch);

}  // namespace strata::selftest
