// Matrix products for Dense, and column sums for its bias.
#include <dnnl.h>

#include <cstring>

#include "engine/backends/cpu/activation.h"
#include "engine/backends/cpu/column_sums.h"
#include "engine/backends/cpu/onednn.h"

namespace strata::cpu {
namespace {

struct Sizes {
    std::int64_t m, n, k;
};

Sizes sizes_of(const Request& request, const ops::Matmul& op) {
    Matrix a = matrix_of(request.inputs[0].shape);
    Matrix b = matrix_of(request.inputs[1].shape);
    const Matrix c = matrix_of(request.outputs[0].shape);
    if (op.transpose_a) std::swap(a.rows, a.columns);
    if (op.transpose_b) std::swap(b.rows, b.columns);
    request.expect(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns,
                   "shapes " + request.inputs[0].shape.text() + " and " +
                       request.inputs[1].shape.text() + " do not give " +
                       request.outputs[0].shape.text());
    return {a.rows, b.columns, a.columns};
}

void add_bias(Sizes s, const float* bias, float* c) {
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
    const std::size_t inputs = op.has_bias ? 3 : 2;
    request.expect_counts(inputs, inputs, 1, 1);
    request.expect_float32();
    expect_fusable(request, op.activation);
    const Sizes s = sizes_of(request, op);
    request.expect(!op.has_bias || request.inputs[2].elements() == s.n, "bias does not fit");
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
    request.expect_counts(1, 1, 1, 1);
    request.expect_float32();
    const Matrix shape = matrix_of(request.inputs[0].shape);
    request.expect(request.outputs[0].elements() == shape.columns, "db does not fit");
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
