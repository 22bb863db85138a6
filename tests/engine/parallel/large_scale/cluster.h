// The machines that the document reckons with, and what a step of a transformer takes on them.
#pragma once

#include <cstdint>

#include "engine/parallel/cost_formulas.h"

namespace strata::parallel::large_scale {

// Of published data sheets but for the latencies and the two shares; see the document.
struct Cluster {
    int node = 8;                   // devices in one
    double peak = 312e12;           // FLOP/s of a device in 16 bits
    double memory = 80e9;           // bytes of a device
    double memory_rate = 1.555e12;  // bytes/s of it
    Link inner{300e9, 3e-6};        // between devices of a node, in each direction
    Link outer{25e9, 8e-6};         // of each device to other nodes
    double product_share = 1.0;     // of the peak that matrix products reach
    double storage_rate = 273e9;    // bytes/s of all writers together
    // 54 days of 16384 devices with 419 failures.
    double device_seconds = 54.0 * 86400.0 * 16384.0 / 419.0;
};

// How a transformer is divided: tensor and pipeline ranks, and as many replicas as are left.
struct Division {
    int devices = 1, tensor = 1, pipeline = 1, chunks = 1;
    double micro_batch = 1.0;  // sequences
    double batch = 1.0;        // sequences of all replicas
    double gradient_bytes = 4.0;
    bool recomputed = true;

    int replicas() const { return devices / (tensor * pipeline); }
    double micro_batches() const { return batch / (replicas() * micro_batch); }
};

// Seconds of a step. Nothing but the all-reduce could be hidden behind the computing.
struct StepCost {
    double products = 0.0, memory = 0.0;  // of matrix products, of reading and writing activations
    double tensor = 0.0, transfers = 0.0, idle = 0.0, all_reduce = 0.0;

    double total() const { return products + memory + tensor + transfers + idle + all_reduce; }
};

StepCost step_of(const Transformer& model, const Division& division, const Cluster& cluster);
// FLOP/s of a device as arXiv 2104.04473 counts them, with recomputation.
double achieved(const Transformer& model, const Division& division, double seconds);
// The share of the peak with which the step takes so many seconds.
double fitted_product_share(const Transformer& model, const Division& division, Cluster cluster,
                            double seconds);

struct MemoryCost {
    double state = 0.0, activations = 0.0;  // bytes of the device that needs most
    double total() const { return state + activations; }
};
MemoryCost memory_of(const Transformer& model, const Division& division, bool sharded);

// Over all replicas of a device's gradients, which lie in as many nodes as there are replicas where
// a replica fills whole nodes.
double gradient_seconds(double bytes, const Division& division, const Cluster& cluster);

}  // namespace strata::parallel::large_scale
