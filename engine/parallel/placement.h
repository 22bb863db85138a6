// Where a model's work is done: the project's "placement". Plain data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "engine/parallel/pipeline_schedule.h"

namespace strata::parallel {

struct PlacementOptions {
    int replicas = 1;
    int ranks = 0;  // processes that train together; 0: as many as a launcher starts
    // The devices of all replicas: first those that the model's layers name, in the order in which
    // the model meets them, then as many for each further replica. Empty: the model's own, and for
    // further replicas the following numbers of the same kind.
    std::vector<std::string> devices;
    ScheduleKind schedule = ScheduleKind::one_f_one_b;
    int micro_batches = 1;  // that each replica cuts its part of a batch into
    int threads = 0;        // of each CPU device; 0: the process's cores, divided
    // Each replica updates a share of the weights and keeps the optimizer's state of that share
    // only (ZeRO stage 1, Rajbhandari et al., arXiv 1910.02054). Not with clipnorm, which needs
    // whole gradients: then every replica keeps and updates all.
    bool sharded_optimizer = true;
    bool pinned = true;  // each device's threads stay on cores of their own, where allowed
    std::map<std::string, std::size_t> memory_limits;  // bytes, by device; "": of each other one

    // Of the model, over all processes.
    int copies() const { return replicas * std::max(ranks, 1); }
    // Of a device, in bytes; 0: its own memory.
    std::size_t memory_limit(const std::string& device) const {
        auto it = memory_limits.find(device);
        if (it == memory_limits.end()) it = memory_limits.find("");
        return it == memory_limits.end() ? 0 : it->second;
    }
};

}  // namespace strata::parallel
