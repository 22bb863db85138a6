// Optimizer updates over flat arrays: one launch for all variables. Called by the CUDA backend
// alone. The gradient is multiplied by gradient_scale first and is itself left as it is.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace strata::kernels {

struct Sgd {
    float learning_rate = 0.01F;
    float momentum = 0.0F;
    bool nesterov = false;
    float gradient_scale = 1.0F;
};

// Keras: v = momentum v - lr g; w += v, or with nesterov w += momentum v - lr g. velocity may be
// null where momentum is 0: w -= lr g.
cudaError_t sgd_update(float* w, const float* gradient, float* velocity, std::int64_t n,
                       Sgd parameters, cudaStream_t stream);

struct Adam {
    double learning_rate = 0.001;
    double beta_1 = 0.9;
    double beta_2 = 0.999;
    float epsilon = 1e-7F;
    std::int64_t update = 1;  // t, from 1
    float gradient_scale = 1.0F;
};

// Kingma and Ba, arXiv 1412.6980, in Keras's form: m += (g - m)(1 - b1); v += (g^2 - v)(1 - b2);
// w -= m * lr sqrt(1 - b2^t) / (1 - b1^t) / (sqrt(v) + epsilon).
cudaError_t adam_update(float* w, const float* gradient, float* m, float* v, std::int64_t n,
                        Adam parameters, cudaStream_t stream);

}  // namespace strata::kernels
