// Losses and accuracy.
#include "kernels/loss.h"

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/loss_operands.h"

namespace strata::cuda {
namespace {

kernels::RowShape row_shape(const Request& request) {
    const Matrix m = matrix_of(request.inputs[0].shape);
    return {m.rows, m.columns};
}

using LabelLoss = cudaError_t (*)(kernels::LossOutputs, const float*, const std::int32_t*,
                                  kernels::RowShape, void*, cudaStream_t);
using TargetLoss = cudaError_t (*)(kernels::LossOutputs, const float*, const float*,
                                   kernels::RowShape, void*, cudaStream_t);

template <typename Target>
KernelPtr loss_kernel(const Request& request,
                      cudaError_t (*launcher)(kernels::LossOutputs, const float*, const Target*,
                                              kernels::RowShape, void*, cudaStream_t)) {
    ops::expect_scores(request, std::is_same_v<Target, std::int32_t>, 2);
    const kernels::RowShape shape = row_shape(request);
    return function_kernel(
        request,
        [launcher, shape](const Operands& o, const ops::StepScalars&) {
            float* gradient = o.outputs.size() > 1 ? o.out(1) : nullptr;
            return launcher({o.out<double>(0), gradient, 1.0F, nullptr, &o.step->loss_scale},
                            o.in(0), o.in<Target>(1), shape, o.workspace, o.stream);
        },
        kernels::loss_workspace_bytes(shape.rows));
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::SoftmaxCrossEntropy&) {
    return loss_kernel(request, static_cast<LabelLoss>(kernels::softmax_cross_entropy));
}

KernelPtr make_kernel(const Request& request, const ops::SoftmaxCrossEntropySoft&) {
    return loss_kernel(request, static_cast<TargetLoss>(kernels::softmax_cross_entropy));
}

KernelPtr make_kernel(const Request& request, const ops::CrossEntropyFromProbabilities& op) {
    if (op.sparse) return loss_kernel(request, static_cast<LabelLoss>(kernels::cross_entropy));
    return loss_kernel(request, static_cast<TargetLoss>(kernels::cross_entropy));
}

KernelPtr make_kernel(const Request& request, const ops::BinaryCrossEntropy& op) {
    return loss_kernel(request, op.from_logits ? kernels::binary_cross_entropy_from_logits
                                               : kernels::binary_cross_entropy);
}

KernelPtr make_kernel(const Request& request, const ops::MeanSquaredError&) {
    return loss_kernel(request, kernels::mean_squared_error);
}

KernelPtr make_kernel(const Request& request, const ops::Accuracy& op) {
    ops::expect_scores(request, op.kind == ops::AccuracyKind::sparse_categorical, 1);
    const kernels::RowShape shape = row_shape(request);
    return function_kernel(
        request,
        [op, shape](const Operands& o, const ops::StepScalars&) {
            auto* count = o.out<double>(0);
            switch (op.kind) {
                case ops::AccuracyKind::sparse_categorical:
                    return kernels::sparse_categorical_accuracy(
                        count, o.in(0), o.in<std::int32_t>(1), shape, o.workspace, o.stream);
                case ops::AccuracyKind::categorical:
                    return kernels::categorical_accuracy(count, o.in(0), o.in(1), shape,
                                                         o.workspace, o.stream);
                case ops::AccuracyKind::binary:
                    return kernels::binary_accuracy(count, o.in(0), o.in(1), shape, op.threshold,
                                                    o.workspace, o.stream);
            }
            return cudaErrorInvalidValue;
        },
        kernels::loss_workspace_bytes(shape.rows));
}

}  // namespace strata::cuda
