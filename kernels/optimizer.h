// Optimizer updates and the moving average of weights over flat arrays: one launch for all
// variables. Called by the CUDA backend alone.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/step.h"

namespace strata::kernels {

enum class GradientClip : std::uint8_t { none, value, global_norm };

// How an update sees the accumulated gradient g, which is itself left as it is: g' = g * scale;
// value: clamped to [-limit, limit]; global_norm: times min(1, limit / (sqrt(*norm) * scale)).
// No clipping where limit is 0. norm is read on the device, so that nothing waits for it on the
// host: where it is Inf or NaN the launch writes nothing.
struct GradientRule {
    const double* norm = nullptr;  // in device memory: the sum of squares of g
    double scale = 1.0;
    GradientClip clip = GradientClip::none;
    float limit = 0.0F;
    // Where scale, limit, the learning rate, the weight decay and the update's number are.
    const StepValues* values = nullptr;
};

struct Sgd {
    float learning_rate = 0.01F;
    float momentum = 0.0F;
    bool nesterov = false;
    float weight_decay = 0.0F;  // w -= learning_rate * weight_decay * w before the update
};

// Keras: v = momentum v - lr g'; w += v, or with nesterov w += momentum v - lr g'. velocity may be
// null where momentum is 0: w -= lr g'.
cudaError_t sgd_update(float* w, const float* gradient, float* velocity, std::int64_t n,
                       const Sgd& parameters, const GradientRule& rule, cudaStream_t stream);

struct Adam {
    double learning_rate = 0.001;
    double beta_1 = 0.9;
    double beta_2 = 0.999;
    float epsilon = 1e-7F;
    std::int64_t update = 1;  // t, from 1
    float weight_decay = 0.0F;
};

// Kingma and Ba, arXiv 1412.6980, in Keras's form: m += (g' - m)(1 - b1); v += (g'^2 - v)(1 - b2);
// w -= m * lr sqrt(1 - b2^t) / (1 - b1^t) / (sqrt(v) + epsilon).
cudaError_t adam_update(float* w, const float* gradient, float* m, float* v, std::int64_t n,
                        const Adam& parameters, const GradientRule& rule, cudaStream_t stream);

// average = w at the first update (from 1), else momentum average + (1 - momentum) w; nothing where
// *norm is Inf or NaN.
cudaError_t ema_update(float* average, const float* w, std::int64_t n, float momentum,
                       std::int64_t update, const double* norm, cudaStream_t stream,
                       const StepValues* values = nullptr);

}  // namespace strata::kernels
