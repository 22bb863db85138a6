// Matrix products for Dense, and column sums for its bias.
#include <dnnl.h>

#include <cstring>

#include "engine/backends/cpu/activation.h"
#include "engine/backends/cpu/column_sums.h"
#include "engine/backends/cpu/onednn.h"
#include "engine/ops/matmul_operands.h"

namespace strata::cpu {
namespace {

void add_bias(ops::MatmulSizes s, const float* bias, float* c) {
    simd([=]() STRATA_BODY {
        for (std::int64_t r = 0; r < s.m; ++r) {
            float* row = c + r * s.n;
#pragma omp simd
            for (std::int64_t i = 0; i < s.n; ++i) row[i] += bias[i];
        }
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Matmul& op) {
    const ops::MatmulSizes s = ops::matmul_sizes(request, op);
    return function_kernel(request.device, [op, s](const Operands& o, const ops::StepScalars&) {
        if (s.m == 0 || s.n == 0) return;
        float* c = o.out(0);
        if (s.k == 0) {
            std::fill_n(c, s.m * s.n, 0.0F);
        } else {
            set_onednn_threads(o.threads);
            expect_success(dnnl_sgemm(op.transpose_a ? 'T' : 'N', op.transpose_b ? 'T' : 'N', s.m,
                                      s.n, s.k, 1.0F, o.in(0), op.transpose_a ? s.m : s.k, o.in(1),
                                      op.transpose_b ? s.k : s.n, 0.0F, c, s.n));
        }
        if (op.has_bias) add_bias(s, o.in(2), c);
        activate_in_place(op.activation, c, s.m * s.n, o.threads);
    });
}

KernelPtr make_kernel(const Request& request, const ops::BiasGradient&) {
    const Matrix shape = ops::bias_gradient_sizes(request);
    return function_kernel(
        request.device,
        [shape](const Operands& o, const ops::StepScalars&) {
            const float* dy = o.in(0);
            const std::int64_t n = shape.columns;
            column_sums<1>(
                o.threads, shape.rows, n, static_cast<float*>(o.workspace),
                [=](std::int64_t r, std::int64_t i, float* s)
                    STRATA_BODY { s[0] += dy[r * n + i]; },
                o.out(0));
        },
        column_sums_bytes<1>(request.device.threads(), shape.rows, shape.columns));
}

}  // namespace strata::cpu
