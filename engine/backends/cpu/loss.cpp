// Cross-entropies: rows of class scores, float64 sums. Small matrices: one thread, or a fixed cut
// of the rows whose sums are added in order.
#include <cmath>

#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/row_sums.h"
#include "engine/backends/cpu/rows.h"
#include "engine/ops/loss_operands.h"

namespace strata::cpu {
namespace {

constexpr float clip_epsilon = 1e-7F;  // Keras's backend epsilon

// Loss of one row of logits with an integer label; gradient may be nullptr or the logits.
STRATA_INLINE double sparse_row(const float* z, std::int32_t label, float* gradient, std::int64_t c,
                                float loss_scale) {
    const float top = row_max(z, c);
    const bool valid = label >= 0 && label < c;
    const float chosen = valid ? z[label] - top : std::numeric_limits<float>::quiet_NaN();
    float sum = 0.0F;
    if (gradient != nullptr) {
        sum = exp_row(z, gradient, top, c);
        scale_row(gradient, loss_scale / sum, c);
        if (valid) gradient[label] -= loss_scale;
    } else {
#pragma omp simd reduction(+ : sum)
        for (std::int64_t i = 0; i < c; ++i) sum += fast_exp(z[i] - top);
    }
    return std::log(static_cast<double>(sum)) - static_cast<double>(chosen);
}

STRATA_INLINE double soft_row(const float* z, const float* t, float* gradient, std::int64_t c,
                              float loss_scale) {
    const float top = row_max(z, c);
    float sum = 0.0F;
    float weight = 0.0F;
    float score = 0.0F;
#pragma omp simd reduction(+ : sum, weight, score)
    for (std::int64_t i = 0; i < c; ++i) {
        sum += fast_exp(z[i] - top);
        weight += t[i];
        score += t[i] * (z[i] - top);
    }
    if (gradient != nullptr) {
        const float factor = weight / sum;
#pragma omp simd
        for (std::int64_t i = 0; i < c; ++i)
            gradient[i] = (fast_exp(z[i] - top) * factor - t[i]) * loss_scale;
    }
    return static_cast<double>(weight) * std::log(static_cast<double>(sum)) -
           static_cast<double>(score);
}

// Keras: q = clip(p / sum(p)), loss = -sum t log q. The gradient passes where q is not clipped.
// target(i): share of class i.
template <typename Target>
STRATA_INLINE double probability_row(const float* p, const Target& target, float* gradient,
                                     std::int64_t c, float loss_scale) {
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < c; ++i) sum += p[i];
    const float inverse = 1.0F / sum;
    double loss = 0.0;
    float passed = 0.0F;  // sum of the targets whose probability is not clipped
    for (std::int64_t i = 0; i < c; ++i) {
        const float t = target(i);
        if (t == 0.0F) continue;
        const float q = p[i] * inverse;
        loss -= static_cast<double>(t) *
                std::log(static_cast<double>(clip(q, clip_epsilon, 1.0F - clip_epsilon)));
        if (q >= clip_epsilon && q <= 1.0F - clip_epsilon) passed += t;
    }
    if (gradient == nullptr) return loss;
    for (std::int64_t i = 0; i < c; ++i) {
        const float q = p[i] * inverse;
        const bool passes = q >= clip_epsilon && q <= 1.0F - clip_epsilon;
        const float t = target(i);
        gradient[i] = loss_scale * (passed * inverse - (passes && t != 0.0F ? t / p[i] : 0.0F));
    }
    return loss;
}

// row(scores, second operand, gradient or nullptr, c, loss_scale) of each row, summed.
template <typename Target, typename Row>
KernelPtr loss_kernel(const Request& request, bool sparse, const Row& row) {
    ops::expect_scores(request, sparse, 2, {"scores", "loss"});
    const Matrix shape = matrix_of(request.inputs[0].shape);
    const std::int64_t width = sparse ? 1 : shape.columns;
    return function_kernel(request.device, [=](const Operands& o, const ops::StepScalars& scalars) {
        const float* scores = o.in(0);
        const auto* targets = o.in<Target>(1);
        float* gradient = o.outputs.size() > 1 ? o.out(1) : nullptr;
        const float scale = scalars.loss_scale;
        const std::int64_t c = shape.columns;
        *o.out<double>(0) =
            sum_of_rows(o.threads, shape.rows, 16 * c, [=](std::int64_t r) STRATA_BODY -> double {
                return row(scores + r * c, targets + r * width,
                           gradient == nullptr ? nullptr : gradient + r * c, c, scale);
            });
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::SoftmaxCrossEntropy&) {
    return loss_kernel<std::int32_t>(
        request, true,
        [](const float* z, const std::int32_t* label, float* gradient, std::int64_t c, float scale)
            STRATA_BODY { return sparse_row(z, *label, gradient, c, scale); });
}

KernelPtr make_kernel(const Request& request, const ops::SoftmaxCrossEntropySoft&) {
    return loss_kernel<float>(
        request, false,
        [](const float* z, const float* t, float* gradient, std::int64_t c, float scale)
            STRATA_BODY { return soft_row(z, t, gradient, c, scale); });
}

KernelPtr make_kernel(const Request& request, const ops::CrossEntropyFromProbabilities& op) {
    if (op.sparse)
        return loss_kernel<std::int32_t>(
            request, true,
            [](const float* p, const std::int32_t* label, float* gradient, std::int64_t c,
               float scale) STRATA_BODY {
                const std::int64_t chosen = *label;
                if (chosen < 0 || chosen >= c) return std::numeric_limits<double>::quiet_NaN();
                const auto target = [=](std::int64_t i)
                                        STRATA_BODY { return i == chosen ? 1.0F : 0.0F; };
                return probability_row(p, target, gradient, c, scale);
            });
    return loss_kernel<float>(
        request, false,
        [](const float* p, const float* t, float* gradient, std::int64_t c, float scale)
            STRATA_BODY {
                const auto target = [=](std::int64_t i) STRATA_BODY { return t[i]; };
                return probability_row(p, target, gradient, c, scale);
            });
}

}  // namespace strata::cpu
