#include "engine/parallel/batch_results.h"

#include <algorithm>

namespace strata::parallel {

BatchResults::~BatchResults() {
    for (const Replica& replica : replicas_)
        if (replica.numbers != nullptr) replica.device->release_host(replica.numbers);
}

void BatchResults::begin(int replica, device::Device& device, std::size_t micro_batches,
                         std::size_t most) {
    Replica& own = replicas_[static_cast<std::size_t>(replica)];
    if (own.numbers == nullptr) {
        own.device = &device;
        own.numbers = static_cast<double*>(device.allocate_host(most * bytes_of_each()));
    }
    own.micro_batches = micro_batches;
    std::fill_n(own.numbers, micro_batches * of_each_, 0.0);
}

double* BatchResults::of(int replica, int micro_batch) {
    return replicas_[static_cast<std::size_t>(replica)].numbers +
           static_cast<std::size_t>(micro_batch) * of_each_;
}

graph::BatchResult BatchResults::sums() const {
    graph::BatchResult result;
    result.metric_sums.assign(of_each_ - 1, 0.0);
    for (const Replica& replica : replicas_)
        for (std::size_t m = 0; m < replica.micro_batches; ++m) {
            const double* numbers = replica.numbers + m * of_each_;
            result.loss_sum += numbers[0];
            for (std::size_t i = 0; i < result.metric_sums.size(); ++i)
                result.metric_sums[i] += numbers[i + 1];
        }
    return result;
}

}  // namespace strata::parallel
