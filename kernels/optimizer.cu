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
    double scale = rule.values == nullptr ? rule.scale : rule.values->gradient_scale;
    const float limit = rule.values == nullptr ? rule.limit : rule.values->clip_limit;
    if (rule.clip == GradientClip::global_norm && limit > 0.0F) {
        const double length = sqrt(*rule.norm) * scale;
        if (length > limit) scale *= limit / length;
    }
    const bool by_value = rule.clip == GradientClip::value && limit > 0.0F;
    return {static_cast<float>(scale), by_value ? limit : INFINITY};
}

// x^n by squares: few products, each rounded once.
__host__ __device__ inline double power(double x, std::int64_t n) {
    double result = 1.0;
    for (; n > 0; n /= 2, x *= x)
        if (n % 2 == 1) result *= x;
    return result;
}

struct PlainStep {  // in: w, g
    float learning_rate, decay;
    __device__ void load(const StepValues& v) {
        learning_rate = v.learning_rate;
        decay = v.learning_rate * v.weight_decay;
    }
    __device__ void operator()(const Clamp& gradient, const float (&in)[2], float (&out)[1]) const {
        const float kept = in[0] - decay * in[0];
        out[0] = kept - learning_rate * gradient(in[1]);
    }
};

struct MomentumStep {  // in: w, g, velocity
    float learning_rate, momentum, decay;
    bool nesterov;
    __device__ void load(const StepValues& v) {
        learning_rate = v.learning_rate;
        decay = v.learning_rate * v.weight_decay;
    }
    __device__ void operator()(const Clamp& gradient, const float (&in)[3], float (&out)[2]) const {
        const float step = learning_rate * gradient(in[1]);
        const float velocity = momentum * in[2] - step;
        const float kept = in[0] - decay * in[0];
        out[0] = kept + (nesterov ? momentum * velocity - step : velocity);
        out[1] = velocity;
    }
};

struct AdamStep {  // in: w, g, m, v
    double beta_1, beta_2;
    float alpha, rest_1, rest_2, epsilon, decay;
    // The corrections in float64: 1 - b2^t loses three digits in float32 while t is small.
    __host__ __device__ void set(double learning_rate, double weight_decay, std::int64_t t) {
        alpha = static_cast<float>(learning_rate * sqrt(1.0 - power(beta_2, t)) /
                                   (1.0 - power(beta_1, t)));
        decay = static_cast<float>(learning_rate * weight_decay);
    }
    __device__ void load(const StepValues& v) { set(v.learning_rate, v.weight_decay, v.update); }
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
    __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
        out[0] = momentum * in[0] + rest * in[1];
    }
};

struct FirstAverage {  // in: w; the average may be NaN, or not there yet
    __device__ void operator()(const float (&in)[1], float (&out)[1]) const { out[0] = in[0]; }
};

// As map_kernel(), but the step also gets the gradient's rule, and is not taken where the norm is
// not finite. One thread of a block works both out: the root and the quotient in float64 are slow
// on most GPUs.
template <int Inputs, int Outputs, class Step>
__global__ void update_kernel(MapArrays<Inputs, Outputs> arrays, std::int64_t packs, std::int64_t n,
                              Step step, GradientRule rule) {
    __shared__ Clamp shared_clamp;
    __shared__ Step shared_step;
    const double norm = *rule.norm;
    if (!(norm - norm == 0.0)) return;
    if (threadIdx.x == 0) {
        shared_clamp = clamp_of(rule);
        if (rule.values != nullptr) step.load(*rule.values);
        shared_step = step;
    }
    __syncthreads();
    const Clamp gradient = shared_clamp;
    const Step taken = shared_step;
    const auto op = [&](const float(&in)[Inputs], float(&out)[Outputs]) {
        taken(gradient, in, out);
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

// The first average does not look at what was there before.
__global__ void average_kernel(MapArrays<2, 1> arrays, std::int64_t packs, std::int64_t n,
                               AverageStep step, std::int64_t update, const double* norm,
                               const StepValues* values) {
    if (!(*norm - *norm == 0.0)) return;
    if (values != nullptr) update = values->update;
    if (update == 1)
        map_all(MapArrays<1, 1>{{arrays.in[1]}, {arrays.out[0]}}, packs, n, FirstAverage{});
    else
        map_all(arrays, packs, n, step);
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
    AdamStep step{p.beta_1,
                  p.beta_2,
                  0.0F,
                  static_cast<float>(1.0 - p.beta_1),
                  static_cast<float>(1.0 - p.beta_2),
                  p.epsilon,
                  0.0F};
    step.set(p.learning_rate, p.weight_decay, p.update);
    return launch_update(MapArrays<4, 3>{{w, gradient, m, v}, {w, m, v}}, n, step, rule, stream);
}

cudaError_t ema_update(float* average, const float* w, std::int64_t n, float momentum,
                       std::int64_t update, const double* norm, cudaStream_t stream,
                       const StepValues* values) {
    if (n < 0 || update < 1 || norm == nullptr) return cudaErrorInvalidValue;
    const MapArrays<2, 1> arrays{{average, w}, {average}};
    const std::int64_t packs = packs_of(arrays, n);
    return launch(average_kernel, map_shape(packs, n - packs * pack_size<float>), stream, arrays,
                  packs, n, AverageStep{momentum, 1.0F - momentum}, update, norm, values);
}

}  // namespace strata::kernels
