// Batch normalisation over the last axis, all other axes seen as rows.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "engine/backends/cpu/column_sums.h"
#include "engine/backends/cpu/half_kernel.h"
#include "engine/backends/cpu/kernel.h"
#include "engine/ops/batch_norm_operands.h"

namespace strata::cpu {
namespace {

Matrix sizes_of(const Request& request, std::size_t first_input) {
    const Matrix sizes = ops::batch_norm_sizes(request, first_input);
    request.expect(request.outputs[0].elements() == request.inputs[0].elements(),
                   "x and y differ in size");
    return sizes;
}

// y = x * scale + offset, a scale and an offset for each column; workspace holds them (2 C).
void apply(Matrix shape, const float* x, const float* scale, const float* offset, float* y,
           int threads) {
    const std::int64_t c = shape.columns;
    for_range(threads, shape.rows, 8 * c, 1, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
            for (std::int64_t r = begin; r < end; ++r) {
                const float* from = x + r * c;
                float* to = y + r * c;
#pragma omp simd
                for (std::int64_t i = 0; i < c; ++i) to[i] = from[i] * scale[i] + offset[i];
            }
        });
    });
}

// The sums of the columns over the rows of all replicas; returns how many rows these are.
float add_up(std::int64_t rows, std::span<float> sums, ops::ReplicaSums* replicas) {
    if (replicas == nullptr) return static_cast<float>(rows);
    std::vector<double> numbers(sums.begin(), sums.end());
    numbers.push_back(static_cast<double>(rows));
    replicas->add_up(numbers);
    std::transform(numbers.begin(), numbers.end() - 1, sums.begin(),
                   [](double sum) { return static_cast<float>(sum); });
    return static_cast<float>(numbers.back());
}

// Mean, then the mean of squared distances from it: no cancellation.
void training(Matrix shape, const ops::BatchNormTraining& op, const Operands& o,
              ops::ReplicaSums* replicas) {
    const std::int64_t c = shape.columns;
    const float* x = o.in(0);
    const float* gamma = o.in(1);
    const float* beta = o.in(2);
    float* moving_mean = o.inout(3);
    float* moving_variance = o.inout(4);
    float* mean = o.out(1);
    float* inverse = o.out(2);
    float* variances = o.outputs.size() > 3 ? o.out(3) : nullptr;
    auto* scale = static_cast<float*>(o.workspace);
    float* offset = scale + c;
    float* sums = offset + c;
    const auto columns = static_cast<std::size_t>(c);
    column_sums<1>(
        o.threads, shape.rows, c, sums,
        [=](std::int64_t r, std::int64_t i, float* s) STRATA_BODY { s[0] += x[r * c + i]; }, mean);
    const float per_row = 1.0F / add_up(shape.rows, {mean, columns}, replicas);
    for (std::int64_t i = 0; i < c; ++i) mean[i] *= per_row;
    column_sums<1>(
        o.threads, shape.rows, c, sums,
        [=](std::int64_t r, std::int64_t i, float* s) STRATA_BODY {
            const float d = x[r * c + i] - mean[i];
            s[0] += d * d;
        },
        inverse);
    add_up(shape.rows, {inverse, columns}, replicas);
    for (std::int64_t i = 0; i < c; ++i) {
        const float variance = inverse[i] * per_row;
        if (variances != nullptr) variances[i] = variance;
        if (std::isfinite(variance)) {
            moving_mean[i] += (mean[i] - moving_mean[i]) * (1.0F - op.momentum);
            moving_variance[i] += (variance - moving_variance[i]) * (1.0F - op.momentum);
        }
        inverse[i] = 1.0F / std::sqrt(variance + op.epsilon);
        scale[i] = gamma[i] * inverse[i];
        offset[i] = beta[i] - mean[i] * scale[i];
    }
    apply(shape, x, scale, offset, o.out(0), o.threads);
}

void inference(Matrix shape, const ops::BatchNormInference& op, const Operands& o) {
    const std::int64_t c = shape.columns;
    auto* scale = static_cast<float*>(o.workspace);
    float* offset = scale + c;
    for (std::int64_t i = 0; i < c; ++i) {
        scale[i] = o.in(1)[i] / std::sqrt(o.in(4)[i] + op.epsilon);
        offset[i] = o.in(2)[i] - o.in(3)[i] * scale[i];
    }
    apply(shape, o.in(0), scale, offset, o.out(0), o.threads);
}

// dx = gamma inverse / m (m dy - sum(dy) - xhat sum(dy xhat)), xhat = (x - mean) inverse.
void backward(Matrix shape, const Operands& o, ops::ReplicaSums* replicas) {
    const std::int64_t c = shape.columns;
    const float* dy = o.in(0);
    const float* x = o.in(1);
    const float* gamma = o.in(2);
    const float* mean = o.in(3);
    const float* inverse = o.in(4);
    float* dx = o.out(0);
    auto* totals = static_cast<float*>(o.workspace);  // sum(dy), sum(dy xhat), each C
    column_sums<2>(
        o.threads, shape.rows, c, totals + 2 * c,
        [=](std::int64_t r, std::int64_t i, float* s) STRATA_BODY {
            const float g = dy[r * c + i];
            s[0] += g;
            s[1] += g * ((x[r * c + i] - mean[i]) * inverse[i]);
        },
        totals);
    std::copy(totals, totals + c, o.out(2));
    std::copy(totals + c, totals + 2 * c, o.out(1));
    const float per_row =
        1.0F / add_up(shape.rows, {totals, 2 * static_cast<std::size_t>(c)}, replicas);
    for_range(o.threads, shape.rows, 16 * c, 1, [=](std::int64_t begin, std::int64_t end) {
        simd([=]() STRATA_BODY {
            for (std::int64_t r = begin; r < end; ++r) {
                const std::int64_t at = r * c;
#pragma omp simd
                for (std::int64_t i = 0; i < c; ++i) {
                    const float normal = (x[at + i] - mean[i]) * inverse[i];
                    const float mean_part = (totals[i] + normal * totals[c + i]) * per_row;
                    dx[at + i] = gamma[i] * inverse[i] * (dy[at + i] - mean_part);
                }
            }
        });
    });
}

// The first micro-batch overwrites: what stood there may be NaN.
void accumulate(const ops::AccumulateStatistics& op, const Operands& o,
                const ops::StepScalars& scalars) {
    auto* window_mean = o.inout<double>(0);
    auto* window_variance = o.inout<double>(1);
    const auto before = static_cast<double>(scalars.samples_before);
    const double share =
        static_cast<double>(op.samples) / (before + static_cast<double>(op.samples));
    for (std::int64_t i = 0; i < o.inputs[0].elements(); ++i) {
        const auto variance = static_cast<double>(o.in(3)[i]);
        const double mean = std::isfinite(variance) ? static_cast<double>(o.in(2)[i])
                                                    : std::numeric_limits<double>::quiet_NaN();
        if (scalars.samples_before == 0) {
            window_mean[i] = mean;
            window_variance[i] = variance + (mean - mean);
            continue;
        }
        const double distance = mean - window_mean[i];
        window_mean[i] += distance * share;
        window_variance[i] +=
            share * (variance - window_variance[i]) + share * (1.0 - share) * distance * distance;
    }
}

void follow(const ops::MovingAverage& op, const Operands& o) {
    if (o.inputs.size() > 2 && !std::isfinite(*o.in<double>(2))) return;
    float* average = o.inout(0);
    for (std::int64_t i = 0; i < o.inputs[0].elements(); ++i) {
        const auto statistic = static_cast<float>(o.in<double>(1)[i]);
        if (std::isfinite(statistic)) average[i] += (statistic - average[i]) * (1.0F - op.momentum);
    }
}

std::size_t two_rows(Matrix shape) {
    return 2 * static_cast<std::size_t>(shape.columns) * sizeof(float);
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::BatchNormTraining& op) {
    request.expect_counts(5, 5, 3, 4);
    const Matrix shape = sizes_of(request, 1);
    request.expect(shape.rows > 0, "an empty batch has no mean");
    if (has_16_bit(request)) return widened_kernel(request, op);
    return function_kernel(
        request.device,
        [shape, op](const Operands& o, const ops::StepScalars& s) {
            training(shape, op, o, op.synchronized ? s.replicas : nullptr);
        },
        two_rows(shape) +
            column_sums_bytes<1>(request.device.threads(), shape.rows, shape.columns));
}

KernelPtr make_kernel(const Request& request, const ops::BatchNormInference& op) {
    request.expect_counts(5, 5, 1, 1);
    const Matrix shape = sizes_of(request, 1);
    if (has_16_bit(request)) return widened_kernel(request, op);
    return function_kernel(
        request.device,
        [shape, op](const Operands& o, const ops::StepScalars&) { inference(shape, op, o); },
        two_rows(shape));
}

KernelPtr make_kernel(const Request& request, const ops::BatchNormBackward& op) {
    request.expect_counts(5, 5, 3, 3);
    request.expect(request.inputs[0].elements() == request.inputs[1].elements(),
                   "dy and x differ in size");
    const Matrix shape = sizes_of(request, 2);
    request.expect(shape.rows > 0, "an empty batch has no mean");
    if (has_16_bit(request)) return widened_kernel(request, op);
    return function_kernel(
        request.device,
        [shape, op](const Operands& o, const ops::StepScalars& s) {
            backward(shape, o, op.synchronized ? s.replicas : nullptr);
        },
        two_rows(shape) +
            column_sums_bytes<2>(request.device.threads(), shape.rows, shape.columns));
}

KernelPtr make_kernel(const Request& request, const ops::AccumulateStatistics& op) {
    check_operands(request, op);
    return function_kernel(request.device, [op](const Operands& o, const ops::StepScalars& s) {
        accumulate(op, o, s);
    });
}

KernelPtr make_kernel(const Request& request, const ops::MovingAverage& op) {
    check_operands(request, op);
    return function_kernel(request.device,
                           [op](const Operands& o, const ops::StepScalars&) { follow(op, o); });
}

}  // namespace strata::cpu
