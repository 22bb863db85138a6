// Optimizer updates: each variable and moment is read once and written once.
#include "kernels/optimizer.h"

#include <cmath>

#include "kernels/common/map.h"

namespace strata::kernels {
namespace {

struct PlainStep {  // in: w, g
    Sgd p;
    __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
        out[0] = in[0] - p.learning_rate * (in[1] * p.gradient_scale);
    }
};

struct MomentumStep {  // in: w, g, velocity
    Sgd p;
    __device__ void operator()(const float (&in)[3], float (&out)[2]) const {
        const float step = p.learning_rate * (in[1] * p.gradient_scale);
        const float velocity = p.momentum * in[2] - step;
        out[0] = in[0] + (p.nesterov ? p.momentum * velocity - step : velocity);
        out[1] = velocity;
    }
};

struct AdamStep {  // in: w, g, m, v
    float alpha, rest_1, rest_2, epsilon, gradient_scale;
    __device__ void operator()(const float (&in)[4], float (&out)[3]) const {
        const float g = in[1] * gradient_scale;
        const float m = in[2] + (g - in[2]) * rest_1;
        const float v = in[3] + (g * g - in[3]) * rest_2;
        out[0] = in[0] - m * alpha / (sqrtf(v) + epsilon);
        out[1] = m;
        out[2] = v;
    }
};

}  // namespace

cudaError_t sgd_update(float* w, const float* gradient, float* velocity, std::int64_t n,
                       Sgd parameters, cudaStream_t stream) {
    if (parameters.momentum == 0.0F) {
        return launch_map(MapArrays<2, 1>{{w, gradient}, {w}}, n, PlainStep{parameters}, stream);
    }
    return launch_map(MapArrays<3, 2>{{w, gradient, velocity}, {w, velocity}}, n,
                      MomentumStep{parameters}, stream);
}

cudaError_t adam_update(float* w, const float* gradient, float* m, float* v, std::int64_t n,
                        Adam parameters, cudaStream_t stream) {
    if (parameters.update < 1) return cudaErrorInvalidValue;
    // The corrections in float64: 1 - b2^t loses three digits in float32 while t is small.
    const auto t = static_cast<double>(parameters.update);
    const double alpha = parameters.learning_rate *
                         std::sqrt(1.0 - std::pow(parameters.beta_2, t)) /
                         (1.0 - std::pow(parameters.beta_1, t));
    const AdamStep step{static_cast<float>(alpha), static_cast<float>(1.0 - parameters.beta_1),
                        static_cast<float>(1.0 - parameters.beta_2), parameters.epsilon,
                        parameters.gradient_scale};
    return launch_map(MapArrays<4, 3>{{w, gradient, m, v}, {w, m, v}}, n, step, stream);
}

}  // namespace strata::kernels
