// Losses whose columns are independent (binary cross-entropy, squared error), and accuracy.
#include <cmath>

#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/row_sums.h"
#include "engine/backends/cpu/rows.h"
#include "engine/ops/loss_operands.h"

namespace strata::cpu {
namespace {

constexpr float clip_epsilon = 1e-7F;  // Keras's backend epsilon

// Loss and gradient of one element, before the division by the columns.
struct Term {
    float loss, gradient;
};

struct LogitsTerm {
    STRATA_INLINE Term operator()(float z, float t) const {
        const float s = fast_sigmoid(z);
        return {fast_softplus(z) - z * t, s - t};
    }
};

// Keras clips p to [epsilon, 1 - epsilon]; the gradient passes where p is not clipped.
struct ProbabilityTerm {
    STRATA_INLINE Term operator()(float p, float t) const {
        const float q = clip(p, clip_epsilon, 1.0F - clip_epsilon);
        const double high = std::log(static_cast<double>(q));
        const double low = std::log1p(-static_cast<double>(q));
        const auto td = static_cast<double>(t);
        const bool passes = p >= clip_epsilon && p <= 1.0F - clip_epsilon;
        return {static_cast<float>(-(td * high + (1.0 - td) * low)),
                passes ? (q - t) / (q * (1.0F - q)) : 0.0F};
    }
};

struct SquareTerm {
    STRATA_INLINE Term operator()(float p, float t) const {
        const float d = p - t;
        return {d * d, 2.0F * d};
    }
};

template <typename Function>
KernelPtr column_loss(const Request& request, const Function& term) {
    request.expect_counts(2, 2, 1, 2);
    request.expect(
        request.inputs[0].dtype == DType::float32 && request.inputs[1].dtype == DType::float32,
        "predictions and targets must be float32");
    request.expect(request.inputs[0].elements() == request.inputs[1].elements(),
                   "predictions and targets differ in size");
    request.expect(request.outputs[0].dtype == DType::float64, "the loss must be float64");
    const Matrix shape = matrix_of(request.inputs[0].shape);
    return function_kernel(request.device, [=](const Operands& o, const ops::StepScalars& scalars) {
        const float* prediction = o.in(0);
        const float* target = o.in(1);
        float* gradient = o.outputs.size() > 1 ? o.out(1) : nullptr;
        const std::int64_t c = shape.columns;
        const float scale = scalars.loss_scale / static_cast<float>(c > 0 ? c : 1);
        const auto row = [=](std::int64_t r) STRATA_BODY -> double {
            const float* p = prediction + r * c;
            const float* t = target + r * c;
            double loss = 0.0;
            if (gradient == nullptr) {
#pragma omp simd reduction(+ : loss)
                for (std::int64_t i = 0; i < c; ++i)
                    loss += static_cast<double>(term(p[i], t[i]).loss);
            } else {
                float* g = gradient + r * c;
#pragma omp simd reduction(+ : loss)
                for (std::int64_t i = 0; i < c; ++i) {
                    const Term both = term(p[i], t[i]);
                    g[i] = both.gradient * scale;
                    loss += static_cast<double>(both.loss);
                }
            }
            return c > 0 ? loss / static_cast<double>(c) : 0.0;
        };
        *o.out<double>(0) = sum_of_rows(o.threads, shape.rows, 24 * c, row);
    });
}

// correct(r): 1, 0 or a share, of row r of the predictions p and the second operand.
template <typename Target, typename Correct>
KernelPtr count_kernel(const Request& request, std::int64_t width, const Correct& correct) {
    const Matrix shape = matrix_of(request.inputs[0].shape);
    return function_kernel(request.device, [=](const Operands& o, const ops::StepScalars&) {
        const float* p = o.in(0);
        const auto* t = o.in<Target>(1);
        const std::int64_t c = shape.columns;
        *o.out<double>(0) =
            sum_of_rows(o.threads, shape.rows, 4 * c, [=](std::int64_t r) STRATA_BODY -> double {
                return correct(p + r * c, t + r * width, c);
            });
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::BinaryCrossEntropy& op) {
    if (op.from_logits) return column_loss(request, LogitsTerm{});
    return column_loss(request, ProbabilityTerm{});
}

KernelPtr make_kernel(const Request& request, const ops::MeanSquaredError&) {
    return column_loss(request, SquareTerm{});
}

KernelPtr make_kernel(const Request& request, const ops::Accuracy& op) {
    const bool sparse = op.kind == ops::AccuracyKind::sparse_categorical;
    ops::expect_scores(request, sparse, 1, {"predictions", "count"});
    const Matrix shape = matrix_of(request.inputs[0].shape);
    if (sparse)
        return count_kernel<std::int32_t>(
            request, 1, [](const float* p, const std::int32_t* label, std::int64_t c) STRATA_BODY {
                return c > 0 && first_of_largest(p, c) == *label ? 1.0 : 0.0;
            });
    if (op.kind == ops::AccuracyKind::categorical)
        return count_kernel<float>(
            request, shape.columns, [](const float* p, const float* t, std::int64_t c) STRATA_BODY {
                return c > 0 && first_of_largest(p, c) == first_of_largest(t, c) ? 1.0 : 0.0;
            });
    return count_kernel<float>(
        request, shape.columns,
        [threshold = op.threshold](const float* p, const float* t, std::int64_t c) STRATA_BODY {
            double right = 0.0;
#pragma omp simd reduction(+ : right)
            for (std::int64_t i = 0; i < c; ++i)
                right += (p[i] > threshold ? 1.0F : 0.0F) == t[i] ? 1.0 : 0.0;
            return c > 0 ? right / static_cast<double>(c) : 0.0;
        });
}

}  // namespace strata::cpu
