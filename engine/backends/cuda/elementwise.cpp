// Scale and shift, sums, fills, block copies, dropout.
#include "kernels/elementwise.h"

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/elementwise_operands.h"
#include "kernels/dropout.h"

namespace strata::cuda {

KernelPtr make_kernel(const Request& request, const ops::ScaleShift& op) {
    request.expect_counts(1, 1, 1, 1);
    request.expect(request.outputs[0].dtype == DType::float32, "y must be float32");
    request.expect_same_size();
    const DType type = request.inputs[0].dtype;
    request.expect(type == DType::float32 || type == DType::uint8,
                   std::string("x is ") + name_of(type) + ", float32 or uint8 is needed");
    const std::int64_t n = request.inputs[0].elements();
    return function_kernel(request, [op, type, n](const Operands& o, const ops::StepScalars&) {
        if (type == DType::uint8)
            return kernels::scale_shift(o.out(0), o.in<std::uint8_t>(0), n, op.scale, op.offset,
                                        o.stream);
        return kernels::scale_shift(o.out(0), o.in(0), n, op.scale, op.offset, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::AddN&) {
    request.expect_counts(2, SIZE_MAX, 1, 1);
    request.expect_float32();
    request.expect_same_size();
    return function_kernel(
        request, [n = request.outputs[0].elements()](const Operands& o, const ops::StepScalars&) {
            return kernels::add_n(o.out(0), o.input_pointers.data(),
                                  static_cast<int>(o.input_pointers.size()), n, o.stream);
        });
}

KernelPtr make_kernel(const Request& request, const ops::Fill& op) {
    request.expect_counts(0, 0, 1, 1);
    request.expect_float32();
    const std::int64_t n = request.outputs[0].elements();
    return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars&) {
        return kernels::fill(o.out(0), op.value, n, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::CopyBlock& op) {
    ops::expect_block(request, op);
    const bool empty = ops::is_empty(op);
    const DType type = request.inputs[0].dtype;
    const auto size = static_cast<std::int64_t>(size_of(type));
    request.expect(size % 4 == 0, std::string("elements of ") + name_of(type) +
                                      "; those of 4 or 8 bytes are needed");
    const std::int64_t words = size / 4;
    const kernels::BlockCopy block{op.rows,
                                   op.width * words,
                                   op.x_stride * words,
                                   op.x_offset * words,
                                   op.y_stride * words,
                                   op.y_offset * words};
    return function_kernel(request, [block, empty](const Operands& o, const ops::StepScalars&) {
        if (empty) return cudaSuccess;
        return kernels::copy_block(o.out<void>(0), o.in<void>(0), block, o.stream);
    });
}

KernelPtr make_kernel(const Request& request, const ops::Dropout& op) {
    request.expect_counts(1, 1, 1, 1);
    request.expect_float32();
    request.expect_same_size();
    const std::int64_t n = request.inputs[0].elements();
    const std::int64_t sample = ops::dropout_sample(request, op);
    return function_kernel(request, [op, n, sample](const Operands& o, const ops::StepScalars& s) {
        return kernels::dropout(
            o.out(0), o.in(0), n,
            {op.rate, s.seed, op.stream, s.step, s.first_sample, sample, s.sample_stride},
            o.stream);
    });
}

}  // namespace strata::cuda
