// The parts in which the replicas add up a device's gradients: a bucket is ready while the backward
// pass still works on the layers before it. Li et al., "PyTorch Distributed", arXiv 2006.15704.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/graph/plan.h"
#include "engine/parallel/communicator.h"

namespace strata::parallel {

// Consecutive elements of a device's trainable array, whose gradients one stage makes; or, of a
// shared variable, several stages or devices, so that it is complete when all of them are through.
struct Bucket {
    int stage = 0;
    std::size_t begin = 0, end = 0;
    bool shared = false;

    std::size_t size() const { return end - begin; }
};

struct StagePlan {
    int stage = 0;
    const graph::Plan* plan = nullptr;  // Mode::train, of the device's state
};

// In the order in which the backward passes of a device's stages complete them, the last stage's
// first, and the shared variables' behind them; together they cover its trainable variables.
// smallest: elements that a bucket has at least, where its neighbours in the array are completed
// next to each other.
std::vector<Bucket> make_buckets(const graph::StateLayout& state,
                                 const std::vector<StagePlan>& stages, std::size_t smallest);
// That many elements: enough that a message is worth its latency, few enough that the last bucket,
// which nothing hides, is small.
std::size_t smallest_bucket(const graph::StateLayout& state);

// After which op of the plan's program each bucket of its stage is complete, ascending by op. Not
// those of shared variables.
struct Completion {
    std::size_t op = 0, bucket = 0;
};
std::vector<Completion> completions(const graph::StateLayout& state, const StagePlan& stage,
                                    const std::vector<Bucket>& buckets);

// Of a bucket, what a rank of `local` in a process and `world` processes adds up for all: in
// elements of the trainable array. Each process's share of a local rank's share.
Share share_of_bucket(const Bucket& bucket, int rank, int local);
Share share_of_bucket(const Bucket& bucket, int rank, int local, int process, int world);

}  // namespace strata::parallel
