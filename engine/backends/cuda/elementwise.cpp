// Scale and shift, sums, fills, block copies, dropout.
#include "kernels/elementwise.h"

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/elementwise_operands.h"
#include "kernels/dropout.h"

namespace strata::cuda {
namespace {

template <typename From>
KernelPtr scale_shift(const Request& request, const ops::ScaleShift& op) {
    const std::int64_t n = request.inputs[0].elements();
    return with_storage(request.outputs[0].dtype, [&]<typename To>(Stored<To>) {
        return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars&) {
            return kernels::scale_shift(o.out<To>(0), o.in<From>(0), n, op.scale, op.offset,
                                        o.stream);
        });
    });
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::ScaleShift& op) {
    request.expect_counts(1, 1, 1, 1);
    const DType from = request.inputs[0].dtype, to = request.outputs[0].dtype;
    request.expect(
        is_compute_type(from) || from == DType::uint8,
        std::string("x is ") + name_of(from) + "; float32, bfloat16, float16 or uint8 is needed");
    request.expect(is_compute_type(to),
                   std::string("y is ") + name_of(to) + "; float32, bfloat16 or float16 is needed");
    request.expect_same_size();
    if (from == DType::uint8) return scale_shift<std::uint8_t>(request, op);
    return with_storage(from, [&]<typename T>(Stored<T>) { return scale_shift<T>(request, op); });
}

KernelPtr make_kernel(const Request& request, const ops::AddN&) {
    request.expect_counts(2, SIZE_MAX, 1, 1);
    const DType type = request.expect_one_type();
    request.expect_same_size();
    const std::int64_t n = request.outputs[0].elements();
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return function_kernel(request, [n, pointers = std::vector<const T*>()](
                                            const Operands& o, const ops::StepScalars&) mutable {
            pointers.clear();
            for (const Tensor& input : o.inputs) pointers.push_back(input.as<T>());
            return kernels::add_n(o.out<T>(0), pointers.data(), static_cast<int>(pointers.size()),
                                  n, o.stream);
        });
    });
}

KernelPtr make_kernel(const Request& request, const ops::Fill& op) {
    request.expect_counts(0, 0, 1, 1);
    const DType type = request.expect_one_type();
    const std::int64_t n = request.outputs[0].elements();
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return function_kernel(request, [op, n](const Operands& o, const ops::StepScalars&) {
            return kernels::fill(o.out<T>(0), op.value, n, o.stream);
        });
    });
}

KernelPtr make_kernel(const Request& request, const ops::CopyBlock& op) {
    ops::expect_block(request, op);
    const bool empty = ops::is_empty(op);
    const auto size = static_cast<int>(size_of(request.inputs[0].dtype));
    const kernels::BlockCopy block{op.rows,     op.width,    op.x_stride,
                                   op.x_offset, op.y_stride, op.y_offset};
    return function_kernel(
        request, [block, size, empty](const Operands& o, const ops::StepScalars&) {
            if (empty) return cudaSuccess;
            return kernels::copy_block(o.out<void>(0), o.in<void>(0), block, size, o.stream);
        });
}

KernelPtr make_kernel(const Request& request, const ops::Dropout& op) {
    request.expect_counts(1, 1, 1, 1);
    const DType type = request.expect_one_type();
    request.expect_same_size();
    const std::int64_t n = request.inputs[0].elements();
    const std::int64_t sample = ops::dropout_sample(request, op);
    return with_storage(type, [&]<typename T>(Stored<T>) {
        return function_kernel(
            request, [op, n, sample](const Operands& o, const ops::StepScalars&) {
                return kernels::dropout(o.out<T>(0), o.in<T>(0), n,
                                        {op.rate, 0, op.stream, 0, 0, sample, 1, o.step}, o.stream);
            });
    });
}

}  // namespace strata::cuda
