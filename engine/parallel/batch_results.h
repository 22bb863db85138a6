// The losses and metrics of a batch's micro-batches, in memory that their devices copy to. Used by
// BatchRunner.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/device/device.h"
#include "engine/graph/model_executor.h"

namespace strata::parallel {

class BatchResults {
public:
    // of_each: numbers of a micro-batch, its loss and its metrics.
    BatchResults(int replicas, std::size_t of_each)
        : of_each_(of_each), replicas_(static_cast<std::size_t>(replicas)) {}
    ~BatchResults();
    BatchResults(const BatchResults&) = delete;
    BatchResults& operator=(const BatchResults&) = delete;

    // Zeros for so many micro-batches of a replica, of `most` at most. device: that copies them.
    void begin(int replica, device::Device& device, std::size_t micro_batches, std::size_t most);
    double* of(int replica, int micro_batch);
    std::size_t bytes_of_each() const { return of_each_ * sizeof(double); }
    // In the order of the samples, whoever was first.
    graph::BatchResult sums() const;

private:
    struct Replica {
        device::Device* device = nullptr;
        double* numbers = nullptr;
        std::size_t micro_batches = 0;
    };

    std::size_t of_each_;
    std::vector<Replica> replicas_;
};

}  // namespace strata::parallel
