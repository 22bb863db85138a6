// Batch normalisation over the last axis of (rows, channels): Ioffe and Szegedy, arXiv 1502.03167,
// with Keras's conventions. Called by the CUDA backend alone. What has a row for each sample or
// cell is of T, what has a number for each channel float32.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/step.h"
#include "kernels/storage.h"

namespace strata::kernels {

struct BatchNormShape {
    std::int64_t rows = 0, channels = 0;
};

// Scratch of batch_norm_training and batch_norm_backward, 4-byte aligned.
std::size_t batch_norm_workspace_bytes(BatchNormShape shape);

struct BatchNormTraining {
    const float* gamma = nullptr;        // (channels)
    const float* beta = nullptr;         // (channels)
    float* moving_mean = nullptr;        // (channels), updated in place:
    float* moving_variance = nullptr;    // moving * momentum + batch * (1 - momentum)
    float* mean = nullptr;               // (channels), written: the batch's mean
    float* inverse_deviation = nullptr;  // (channels), written: 1 / sqrt(biased variance + epsilon)
    float momentum = 0.99F;
    float epsilon = 1e-3F;
    float* variance = nullptr;  // (channels), written where it is not null: biased
};

// y = (x - mean) * inverse_deviation * gamma + beta with the batch's statistics. y may be x.
// Nothing is written where there are no rows.
template <class T>
cudaError_t batch_norm_training(T* y, const T* x, BatchNormShape shape,
                                BatchNormTraining parameters, void* workspace, cudaStream_t stream);

// Its last pass, by the mean and inverse_deviation that lie in `parameters`.
template <class T>
cudaError_t batch_norm_apply(T* y, const T* x, BatchNormShape shape,
                             const BatchNormTraining& parameters, cudaStream_t stream);

// y = (x - moving_mean) / sqrt(moving_variance + epsilon) * gamma + beta. y may be x.
template <class T>
cudaError_t batch_norm_inference(T* y, const T* x, BatchNormShape shape, const float* gamma,
                                 const float* beta, const float* moving_mean,
                                 const float* moving_variance, float epsilon, cudaStream_t stream);

// The same for a batch whose rows lie on several devices, each with its own call; mean and variance
// (channels) are of all rows, and are written to `parameters` as batch_norm_training() does.
template <class T>
cudaError_t batch_norm_with_statistics(T* y, const T* x, BatchNormShape shape,
                                       BatchNormTraining parameters, const float* mean,
                                       const float* variance, cudaStream_t stream);

// sums(c) = sum over the rows of (x - mean(c))^2: what such a variance is made of. workspace as
// above.
template <class T>
cudaError_t squared_deviations(float* sums, const T* x, const float* mean, BatchNormShape shape,
                               void* workspace, cudaStream_t stream);

struct BatchNormBackward {
    const float* gamma = nullptr;              // (channels)
    const float* mean = nullptr;               // (channels), of the forward pass
    const float* inverse_deviation = nullptr;  // (channels)
    float* dgamma = nullptr;                   // (channels), overwritten
    float* dbeta = nullptr;                    // (channels), overwritten
};

// dx, dgamma and dbeta through the batch's statistics. Overwrites; dx may be dy.
template <class T>
cudaError_t batch_norm_backward(T* dx, const T* dy, const T* x, BatchNormShape shape,
                                BatchNormBackward parameters, void* workspace, cudaStream_t stream);

// Its two halves, for a batch on several devices: dgamma and dbeta of this device's rows; then dx,
// with the means over all rows of dy * xhat and of dy, (channels) each.
template <class T>
cudaError_t batch_norm_gradient_sums(const T* dy, const T* x, BatchNormShape shape,
                                     BatchNormBackward parameters, void* workspace,
                                     cudaStream_t stream);
template <class T>
cudaError_t batch_norm_input_gradient(T* dx, const T* dy, const T* x, BatchNormShape shape,
                                      BatchNormBackward parameters, const float* mean_scaled,
                                      const float* mean_plain, cudaStream_t stream);

// The statistics of a window of micro-batches, of which `before` samples came before these
// `samples`: window = that of all of them. A channel whose variance is not finite becomes NaN.
cudaError_t accumulate_statistics(double* window_mean, double* window_variance, const float* mean,
                                  const float* variance, std::int64_t channels, std::int64_t before,
                                  std::int64_t samples, cudaStream_t stream,
                                  const StepValues* values = nullptr);

// average = average * momentum + statistic * (1 - momentum), but for statistics that are not
// finite, and for none where *norm is not; norm may be null.
cudaError_t moving_average(float* average, const double* statistic, std::int64_t n, float momentum,
                           const double* norm, cudaStream_t stream);

}  // namespace strata::kernels
