// What the op families share: a Kernel made of a function over bound operands.
// Each family's file defines its make_kernel overloads; backend.cpp calls them.
#pragma once

#include <memory>
#include <utility>

#include "engine/backends/cpu/device.h"
#include "engine/ops/backend.h"
#include "engine/ops/bound_operands.h"
#include "engine/ops/request.h"

namespace strata::cpu {

using ops::Matrix;
using ops::matrix_of;
using ops::Tensors;

struct Operands : ops::BoundOperands {
    int threads = 1;
};

// run(operands, scalars) is called each step.
template <typename Run>
class FunctionKernel final : public ops::Kernel {
public:
    FunctionKernel(int threads, std::size_t workspace_bytes, Run run)
        : workspace_bytes_(workspace_bytes), run_(std::move(run)) {
        operands_.threads = threads;
    }

    std::size_t workspace_bytes() const override { return workspace_bytes_; }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        operands_.assign(inputs, outputs);
        operands_.workspace = workspace;
    }

    void run(const ops::StepScalars& scalars) override { run_(operands_, scalars); }

private:
    Operands operands_;
    std::size_t workspace_bytes_;
    Run run_;
};

template <typename Run>
std::unique_ptr<ops::Kernel> function_kernel(const CpuDevice& device, Run run,
                                             std::size_t workspace_bytes = 0) {
    return std::make_unique<FunctionKernel<Run>>(device.threads(), workspace_bytes, std::move(run));
}

// An op about to be made on a CPU.
struct Request : ops::Request {
    const CpuDevice& device;
};

using KernelPtr = std::unique_ptr<ops::Kernel>;
KernelPtr make_kernel(const Request& request, const ops::Matmul& op);
KernelPtr make_kernel(const Request& request, const ops::BiasGradient& op);
KernelPtr make_kernel(const Request& request, const ops::Conv2D& op);
KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardData& op);
KernelPtr make_kernel(const Request& request, const ops::Conv2DBackwardWeights& op);
KernelPtr make_kernel(const Request& request, const ops::Pool2D& op);
KernelPtr make_kernel(const Request& request, const ops::Pool2DBackward& op);
KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2D& op);
KernelPtr make_kernel(const Request& request, const ops::GlobalAveragePool2DBackward& op);
KernelPtr make_kernel(const Request& request, const ops::BatchNormTraining& op);
KernelPtr make_kernel(const Request& request, const ops::BatchNormInference& op);
KernelPtr make_kernel(const Request& request, const ops::BatchNormBackward& op);
KernelPtr make_kernel(const Request& request, const ops::ActivationForward& op);
KernelPtr make_kernel(const Request& request, const ops::ActivationBackward& op);
KernelPtr make_kernel(const Request& request, const ops::ScaleShift& op);
KernelPtr make_kernel(const Request& request, const ops::AddN& op);
KernelPtr make_kernel(const Request& request, const ops::Fill& op);
KernelPtr make_kernel(const Request& request, const ops::CopyBlock& op);
KernelPtr make_kernel(const Request& request, const ops::Dropout& op);
KernelPtr make_kernel(const Request& request, const ops::AugmentImages& op);
KernelPtr make_kernel(const Request& request, const ops::AugmentImagesBackward& op);
KernelPtr make_kernel(const Request& request, const ops::SoftmaxCrossEntropy& op);
KernelPtr make_kernel(const Request& request, const ops::SoftmaxCrossEntropySoft& op);
KernelPtr make_kernel(const Request& request, const ops::CrossEntropyFromProbabilities& op);
KernelPtr make_kernel(const Request& request, const ops::BinaryCrossEntropy& op);
KernelPtr make_kernel(const Request& request, const ops::MeanSquaredError& op);
KernelPtr make_kernel(const Request& request, const ops::Accuracy& op);
KernelPtr make_kernel(const Request& request, const ops::SgdUpdate& op);
KernelPtr make_kernel(const Request& request, const ops::AdamUpdate& op);
KernelPtr make_kernel(const Request& request, const ops::SumOfSquares& op);
KernelPtr make_kernel(const Request& request, const ops::AccumulateGradient& op);
KernelPtr make_kernel(const Request& request, const ops::ClipByVariableNorm& op);
KernelPtr make_kernel(const Request& request, const ops::EmaUpdate& op);
KernelPtr make_kernel(const Request& request, const ops::AccumulateStatistics& op);
KernelPtr make_kernel(const Request& request, const ops::MovingAverage& op);

}  // namespace strata::cpu
