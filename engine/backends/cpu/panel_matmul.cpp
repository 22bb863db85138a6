#include "engine/backends/cpu/panel_matmul.h"

#include <dnnl.h>

#include <algorithm>

#include "engine/backends/cpu/activation.h"
#include "engine/backends/cpu/convert.h"
#include "engine/backends/cpu/onednn.h"
#include "engine/backends/cpu/simd.h"
#include "engine/device/arena.h"

namespace strata::cpu {
namespace {

// B, mostly the weights, is converted a few rows at a time: as many floats as a cache holds, and
// rows enough for the product to run at full speed.
constexpr std::int64_t panel_floats = std::int64_t{1} << 20;
constexpr std::int64_t fewest_rows = 256;

struct Layout {
    ops::MatmulSizes s;
    ops::Matmul op;
    DType bias = DType::float32, c = DType::float32;
    std::int64_t b_rows, b_columns, panel_rows;  // of B as it is stored
    std::size_t a_at = 0, panel_at = 0, bias_at = 0, c_at = 0, bytes = 0;

    Layout(const Request& request, const ops::MatmulSizes& sizes, const ops::Matmul& attributes)
        : s(sizes), op(attributes), c(request.outputs[0].dtype) {
        if (op.has_bias) bias = request.inputs[2].dtype;
        b_rows = op.transpose_b ? s.n : s.k;
        b_columns = op.transpose_b ? s.k : s.n;
        panel_rows = std::clamp(panel_floats / std::max<std::int64_t>(b_columns, 1), fewest_rows,
                                std::max(b_rows, fewest_rows));
        a_at = add(s.m * s.k);
        panel_at = add(std::min(panel_rows, b_rows) * b_columns);
        bias_at = add(is_16_bit_float(bias) ? s.n : 0);
        c_at = add(is_16_bit_float(c) ? s.m * s.n : 0);
    }

    std::size_t add(std::int64_t floats) {
        const std::size_t at = bytes;
        bytes += device::aligned(static_cast<std::size_t>(floats) * sizeof(float));
        return at;
    }
};

void expect_product(bool transpose_a, bool transpose_b, const ops::MatmulSizes& s, const float* a,
                    const float* b, float beta, float* c, std::int64_t lda, std::int64_t ldc) {
    expect_success(dnnl_sgemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', s.m, s.n, s.k, 1.0F,
                              a, lda, b, transpose_b ? s.k : s.n, beta, c, ldc));
}

// Panels of a B that is stored transposed give columns of C, others a part of the sum.
void multiply_panels(const Layout& l, const float* a, const void* b, float* panel, float* c,
                     int threads) {
    const auto* rows = static_cast<const std::byte*>(b);
    const std::int64_t lda = l.op.transpose_a ? l.s.m : l.s.k;
    for (std::int64_t first = 0; first < l.b_rows; first += l.panel_rows) {
        const std::int64_t count = std::min(l.panel_rows, l.b_rows - first);
        to_float32(l.s.type,
                   rows + first * l.b_columns * static_cast<std::int64_t>(size_of(l.s.type)), panel,
                   count * l.b_columns, threads);
        set_onednn_threads(threads);
        ops::MatmulSizes part = l.s;
        if (l.op.transpose_b) {
            part.n = count;
            expect_product(l.op.transpose_a, true, part, a, panel, 0.0F, c + first, lda, l.s.n);
        } else {
            part.k = count;
            expect_product(l.op.transpose_a, false, part,
                           a + first * (l.op.transpose_a ? l.s.m : 1), panel,
                           first == 0 ? 0.0F : 1.0F, c, lda, l.s.n);
        }
    }
}

void run(const Layout& l, const Operands& o) {
    const auto scratch = [&](std::size_t at) {
        return reinterpret_cast<float*>(static_cast<std::byte*>(o.workspace) + at);
    };
    const bool rounds = is_16_bit_float(l.c);
    const std::int64_t count = l.s.m * l.s.n;
    float* c = rounds ? scratch(l.c_at) : o.out(0);
    if (count == 0) return;
    if (l.s.k == 0) {
        std::fill_n(c, count, 0.0F);
    } else {
        float* a = scratch(l.a_at);
        to_float32(l.s.type, o.in<void>(0), a, l.s.m * l.s.k, o.threads);
        multiply_panels(l, a, o.in<void>(1), scratch(l.panel_at), c, o.threads);
    }
    if (l.op.has_bias) {
        const float* bias = o.in(2);
        if (is_16_bit_float(l.bias)) {
            to_float32(l.bias, o.in<void>(2), scratch(l.bias_at), l.s.n);
            bias = scratch(l.bias_at);
        }
        add_bias(l.s, bias, c);
    }
    activate_in_place(l.op.activation, c, count, o.threads);
    if (rounds) from_float32(l.c, c, o.out<void>(0), count, o.threads);
}

}  // namespace

void multiply(const ops::Matmul& op, const ops::MatmulSizes& s, const float* a, const float* b,
              float* c, int threads) {
    set_onednn_threads(threads);
    expect_product(op.transpose_a, op.transpose_b, s, a, b, 0.0F, c, op.transpose_a ? s.m : s.k,
                   s.n);
}

void add_bias(const ops::MatmulSizes& s, const float* bias, float* c) {
    simd([=]() STRATA_BODY {
        for (std::int64_t r = 0; r < s.m; ++r) {
            float* row = c + r * s.n;
#pragma omp simd
            for (std::int64_t i = 0; i < s.n; ++i) row[i] += bias[i];
        }
    });
}

KernelPtr panel_matmul(const Request& request, const ops::MatmulSizes& sizes,
                       const ops::Matmul& op) {
    const Layout layout(request, sizes, op);
    return function_kernel(
        request.device, [layout](const Operands& o, const ops::StepScalars&) { run(layout, o); },
        layout.bytes);
}

}  // namespace strata::cpu
