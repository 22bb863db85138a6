// Optimizer updates: each variable and moment is read once and written once.
#include "kernels/optimizer.h"

#include <cmath>

#include "kernels/common/map.h"

namespace strata::kernels {
namespace {

// The factor of the gradient and the limit of its elements, as one block sees them.
struct Clamp {
    float scale, limit;
    __device__ float operator()(float g) const { return fminf(fmaxf(g * scale, -limit), limit); }
};

__device__ inline Clamp clamp_of(const GradientRule& rule) {
    double scale = rule.scale;
    if (rule.clip == GradientClip::global_norm && rule.limit > 0.0F) {
        const double length = sqrt(*rule.norm) * scale;
        const double limit = rule.limit;
        if (length > limit) scale *= limit / length;
    }
    const bool by_value = rule.clip == GradientClip::value && rule.limit > 0.0F;
    return {static_cast<float>(scale), by_value ? rule.limit : INFINITY};
}

struct PlainStep {  // in: w, g
    float learning_rate, decay;
    __device__ void operator()(const Clamp& gradient, const float (&in)[2], float (&out)[1]) const {
        const float kept = in[0] - decay * in[0];
        out[0] = kept - learning_rate * gradient(in[1]);
    }
};

struct MomentumStep {  // in: w, g, velocity
    float learning_rate, momentum, decay;
    bool nesterov;
    __device__ void operator()(const Clamp& gradient, const float (&in)[3], float (&out)[2]) const {
        const float step = learning_rate * gradient(in[1]);
        const float velocity = momentum * in[2] - step;
        const float kept = in[0] - decay * in[0];
        out[0] = kept + (nesterov ? momentum * velocity - step : velocity);
        out[1] = velocity;
    }
};

struct AdamStep {  // in: w, g, m, v
    float alpha, rest_1, rest_2, epsilon, decay;
    __device__ void operator()(const Clamp& gradient, const float (&in)[4], float (&out)[3]) const {
        const float g = gradient(in[1]);
        const float m = in[2] + (g - in[2]) * rest_1;
        const float v = in[3] + (g * g - in[3]) * rest_2;
        const float kept = in[0] - decay * in[0];
        out[0] = kept - m * alpha / (sqrtf(v) + epsilon);
        out[1] = m;
        out[2] = v;
    }
};

struct AverageStep {  // in: average, w
    float momentum, rest;
    __device__ void operator()(const Clamp&, const float (&in)[2], float (&out)[1]) const {
        out[0] = momentum * in[0] + rest * in[1];
    }
};

struct FirstAverage {  // in: w; the average may be NaN, or not there yet
    __device__ void operator()(const Clamp&, const float (&in)[1], float (&out)[1]) const {
        out[0] = in[0];
    }
};

// As map_kernel(), but the step also gets the gradient's rule, and is not taken where the norm is
// not finite. One thread of a block works the rule out: the root and the quotient in float64 are
// slow on most GPUs.
template <int Inputs, int Outputs, class Step>
__global__ void update_kernel(MapArrays<Inputs, Outputs> arrays, std::int64_t packs, std::int64_t n,
                              Step step, GradientRule rule) {
    __shared__ Clamp shared;
    const double norm = *rule.norm;
    if (!(norm - norm == 0.0)) return;
    if (threadIdx.x == 0) shared = clamp_of(rule);
    __syncthreads();
    const Clamp gradient = shared;
    const auto op = [&](const float(&in)[Inputs], float(&out)[Outputs]) {
        step(gradient, in, out);
    };
    map_all(arrays, packs, n, op);
}

template <int Inputs, int Outputs, class Step>
cudaError_t launch_update(const MapArrays<Inputs, Outputs>& arrays, std::int64_t n, Step step,
                          const GradientRule& rule, cudaStream_t stream) {
    if (n < 0 || rule.norm == nullptr) return cudaErrorInvalidValue;
    const std::int64_t packs = packs_of(arrays, n);
    return launch(update_kernel<Inputs, Outputs, Step>,
                  map_shape(packs, n - packs * pack_size<float>), stream, arrays, packs, n, step,
                  rule);
}

}  // namespace

cudaError_t sgd_update(float* w, const float* gradient, float* velocity, std::int64_t n,
                       const Sgd& p, const GradientRule& rule, cudaStream_t stream) {
    const float decay = p.learning_rate * p.weight_decay;
    if (p.momentum == 0.0F) {
        return launch_update(MapArrays<2, 1>{{w, gradient}, {w}}, n,
                             PlainStep{p.learning_rate, decay}, rule, stream);
    }
    return launch_update(MapArrays<3, 2>{{w, gradient, velocity}, {w, velocity}}, n,
                         MomentumStep{p.learning_rate, p.momentum, decay, p.nesterov}, rule,
                         stream);
}

cudaError_t adam_update(float* w, const float* gradient, float* m, float* v, std::int64_t n,
                        const Adam& p, const GradientRule& rule, cudaStream_t stream) {
    if (p.update < 1) return cudaErrorInvalidValue;
    // The corrections in float64: 1 - b2^t loses three digits in float32 while t is small.
    const auto t = static_cast<double>(p.update);
    const double alpha =
        p.learning_rate * std::sqrt(1.0 - std::pow(p.beta_2, t)) / (1.0 - std::pow(p.beta_1, t));
    const AdamStep step{static_cast<float>(alpha), static_cast<float>(1.0 - p.beta_1),
                        static_cast<float>(1.0 - p.beta_2), p.epsilon,
                        static_cast<float>(p.learning_rate * double{p.weight_decay})};
    return launch_update(MapArrays<4, 3>{{w, gradient, m, v}, {w, m, v}}, n, step, rule, stream);
}

cudaError_t ema_update(float* average, const float* w, std::int64_t n, float momentum,
                       std::int64_t update, const double* norm, cudaStream_t stream) {
    if (update < 1) return cudaErrorInvalidValue;
    const GradientRule rule{norm};
    if (update == 1)
        return launch_update(MapArrays<1, 1>{{w}, {average}}, n, FirstAverage{}, rule, stream);
    return launch_update(MapArrays<2, 1>{{average, w}, {average}}, n,
                         AverageStep{momentum, 1.0F - momentum}, rule, stream);
}

}  // namespace strata::kernels
