// What becomes of a batch's statistics: those of a window of micro-batches, and moving averages.
#include "kernels/batch_norm.h"
#include "kernels/common/launch.h"

namespace strata::kernels {
namespace {

// Chan, Golub and LeVeque's combination. The first micro-batch overwrites: what stood there may be
// NaN.
__global__ void accumulate_statistics_kernel(double* window_mean, double* window_variance,
                                             const float* mean, const float* variance,
                                             std::int64_t channels, std::int64_t before,
                                             std::int64_t samples, const StepValues* values) {
    if (values != nullptr) before = values->samples_before;
    const bool first = before == 0;
    const double share =
        static_cast<double>(samples) / (static_cast<double>(before) + static_cast<double>(samples));
    for (std::int64_t i = first_item(); i < channels; i += item_stride()) {
        const double v = variance[i];
        const double m = v - v == 0.0 ? double{mean[i]} : v - v;
        if (first) {
            window_mean[i] = m;
            window_variance[i] = v + (m - m);
            continue;
        }
        const double distance = m - window_mean[i];
        window_mean[i] += distance * share;
        window_variance[i] +=
            share * (v - window_variance[i]) + share * (1.0 - share) * distance * distance;
    }
}

__global__ void moving_average_kernel(float* average, const double* statistic, std::int64_t n,
                                      float momentum, const double* norm) {
    if (norm != nullptr && !(*norm - *norm == 0.0)) return;
    for (std::int64_t i = first_item(); i < n; i += item_stride()) {
        const auto s = static_cast<float>(statistic[i]);
        if (s - s == 0.0F) average[i] = average[i] * momentum + s * (1.0F - momentum);
    }
}

}  // namespace

cudaError_t accumulate_statistics(double* window_mean, double* window_variance, const float* mean,
                                  const float* variance, std::int64_t channels, std::int64_t before,
                                  std::int64_t samples, cudaStream_t stream,
                                  const StepValues* values) {
    if (channels < 0 || before < 0 || samples < 1) return cudaErrorInvalidValue;
    return launch(accumulate_statistics_kernel, linear_shape(channels), stream, window_mean,
                  window_variance, mean, variance, channels, before, samples, values);
}

cudaError_t moving_average(float* average, const double* statistic, std::int64_t n, float momentum,
                           const double* norm, cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    return launch(moving_average_kernel, linear_shape(n), stream, average, statistic, n, momentum,
                  norm);
}

}  // namespace strata::kernels
