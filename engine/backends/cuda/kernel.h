// What the op families share: a Kernel made of a function over bound operands.
// Each family's file defines its make_kernel overloads; backend.cpp calls them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/backends/cuda/cuda_error.h"
#include "engine/backends/cuda/device.h"
#include "engine/backends/cuda/storage.h"
#include "engine/ops/backend.h"
#include "engine/ops/bound_operands.h"
#include "engine/ops/request.h"
#include "kernels/activation.h"

namespace strata::cuda {

using ops::Matrix;
using ops::matrix_of;
using ops::Tensors;

// The workspace is 256-byte aligned.
struct Operands : ops::BoundOperands {
    cudaStream_t stream = nullptr;
    const kernels::StepValues* step = nullptr;  // on the device: what StepScalars hold

    void* workspace_at(std::size_t offset) const { return static_cast<char*>(workspace) + offset; }
};

// cuBLASLt wants its workspace on 256 bytes; the arena's parts lie on 64.
inline constexpr std::size_t workspace_alignment = 256;
constexpr std::size_t aligned_workspace(std::size_t bytes) {
    return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

// run(operands, scalars) is called each step; it queues work on the device's stream and gives the
// launch's error.
template <typename Run>
class FunctionKernel final : public ops::Kernel {
public:
    FunctionKernel(CudaDevice& device, const char* name, std::size_t workspace_bytes, Run run)
        : device_(device), name_(name), workspace_bytes_(workspace_bytes), run_(std::move(run)) {
        operands_.stream = device.stream();
        operands_.step = device.step();
    }

    std::size_t workspace_bytes() const override {
        return workspace_bytes_ == 0 ? 0 : workspace_bytes_ + workspace_alignment;
    }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        operands_.assign(inputs, outputs);
        const auto address = reinterpret_cast<std::uintptr_t>(workspace);
        operands_.workspace = reinterpret_cast<void*>(aligned_workspace(address));
    }

    void run(const ops::StepScalars& scalars) override {
        device_.activate();
        device_.put(scalars);
        const cudaError_t error = run_(operands_, scalars);
        if (error != cudaSuccess) check(error, name_, device_.info().id);
    }

private:
    CudaDevice& device_;
    const char* name_;
    Operands operands_;
    std::size_t workspace_bytes_;
    Run run_;
};

// An op about to be made on a GPU.
struct Request : ops::Request {
    CudaDevice& device;
};

template <typename Run>
std::unique_ptr<ops::Kernel> function_kernel(const Request& request, Run run,
                                             std::size_t workspace_bytes = 0) {
    return std::make_unique<FunctionKernel<Run>>(request.device, request.name, workspace_bytes,
                                                 std::move(run));
}

// A kernel that clears its outputs: results and gradients over nothing are zeros.
std::unique_ptr<ops::Kernel> zeros(const Request& request);

// sums (columns), of x's type or float32, of x seen as a matrix; in the operands' workspace.
cudaError_t column_sums(const Tensor& sums, const Tensor& x, Matrix shape, const Operands& o);

// The kernels' form of an element-wise activation.
kernels::Activation element_activation(const ops::Activation& activation);

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

}  // namespace strata::cuda
