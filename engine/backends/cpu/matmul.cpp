// Matrix products for Dense, and column sums for its bias.
#include <algorithm>

#include "engine/backends/cpu/activation.h"
#include "engine/backends/cpu/column_sums.h"
#include "engine/backends/cpu/convert.h"
#include "engine/backends/cpu/onednn_matmul.h"
#include "engine/backends/cpu/panel_matmul.h"
#include "engine/core/half.h"

namespace strata::cpu {
namespace {

KernelPtr half_matmul(const Request& request, const ops::MatmulSizes& s, const ops::Matmul& op) {
    KernelPtr kernel;
    if (s.m > 0 && s.n > 0 && s.k > 0) kernel = onednn_bfloat16_matmul(request, s, op);
    return kernel != nullptr ? std::move(kernel) : panel_matmul(request, s, op);
}

// Sums of a 16-bit db are behind those of the parts in the workspace.
template <typename T>
KernelPtr bias_gradient(const Request& request, Matrix shape) {
    const std::size_t parts =
        column_sums_bytes<1>(request.device.threads(), shape.rows, shape.columns);
    const DType type = request.outputs[0].dtype;
    const bool rounds = is_16_bit_float(type);
    return function_kernel(
        request.device,
        [shape, parts, type, rounds](const Operands& o, const ops::StepScalars&) {
            const T* dy = o.in<T>(0);
            const std::int64_t n = shape.columns;
            auto* const workspace = static_cast<float*>(o.workspace);
            float* sums = rounds ? workspace + parts / sizeof(float) : o.out(0);
            column_sums<1>(
                o.threads, shape.rows, n, workspace,
                [=](std::int64_t r, std::int64_t i, float* s)
                    STRATA_BODY { s[0] += to_float(dy[r * n + i]); },
                sums);
            if (rounds) from_float32(type, sums, o.out<void>(0), n);
        },
        parts + (rounds ? static_cast<std::size_t>(shape.columns) * sizeof(float) : 0));
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Matmul& op) {
    const ops::MatmulSizes s = ops::matmul_sizes(request, op);
    if (s.type != DType::float32) return half_matmul(request, s, op);
    return function_kernel(request.device, [op, s](const Operands& o, const ops::StepScalars&) {
        if (s.m == 0 || s.n == 0) return;
        float* c = o.out(0);
        if (s.k == 0)
            std::fill_n(c, s.m * s.n, 0.0F);
        else
            multiply(op, s, o.in(0), o.in(1), c, o.threads);
        if (op.has_bias) add_bias(s, o.in(2), c);
        activate_in_place(op.activation, c, s.m * s.n, o.threads);
    });
}

KernelPtr make_kernel(const Request& request, const ops::BiasGradient&) {
    const Matrix shape = ops::bias_gradient_sizes(request);
    switch (request.inputs[0].dtype) {
        case DType::bfloat16:
            return bias_gradient<BFloat16>(request, shape);
        case DType::float16:
            return bias_gradient<Float16>(request, shape);
        default:
            return bias_gradient<float>(request, shape);
    }
}

}  // namespace strata::cpu
