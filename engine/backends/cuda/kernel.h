// What the op families share: a Kernel made of a function over bound operands, and checks.
// Each family's file defines its make_kernel overloads; backend.cpp calls them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/backends/cuda/cuda_error.h"
#include "engine/backends/cuda/device.h"
#include "engine/ops/backend.h"
#include "kernels/activation.h"

namespace strata::cuda {

using Tensors = std::span<const Tensor>;

struct Operands {
    std::vector<Tensor> inputs, outputs;
    std::vector<const float*> input_pointers;
    void* workspace = nullptr;  // 256-byte aligned
    cudaStream_t stream = nullptr;

    template <typename T = float>
    const T* in(std::size_t i) const {
        return inputs[i].as<T>();
    }
    template <typename T = float>
    T* out(std::size_t i) const {
        return outputs[i].as<T>();
    }
    // For operands that are updated in place, and listed as inputs.
    template <typename T = float>
    T* inout(std::size_t i) const {
        return inputs[i].as<T>();
    }
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
    FunctionKernel(const CudaDevice& device, const char* name, std::size_t workspace_bytes, Run run)
        : device_(device), name_(name), workspace_bytes_(workspace_bytes), run_(std::move(run)) {
        operands_.stream = device.stream();
    }

    std::size_t workspace_bytes() const override {
        return workspace_bytes_ == 0 ? 0 : workspace_bytes_ + workspace_alignment;
    }

    void bind(Tensors inputs, Tensors outputs, void* workspace) override {
        operands_.inputs.assign(inputs.begin(), inputs.end());
        operands_.outputs.assign(outputs.begin(), outputs.end());
        operands_.input_pointers.clear();
        for (const Tensor& input : inputs) operands_.input_pointers.push_back(input.as<float>());
        const auto address = reinterpret_cast<std::uintptr_t>(workspace);
        operands_.workspace = reinterpret_cast<void*>(aligned_workspace(address));
    }

    void run(const ops::StepScalars& scalars) override {
        device_.activate();
        const cudaError_t error = run_(operands_, scalars);
        if (error != cudaSuccess) check(error, name_, device_.info().id);
    }

private:
    const CudaDevice& device_;
    const char* name_;
    Operands operands_;
    std::size_t workspace_bytes_;
    Run run_;
};

// An op about to be made, for the checks' messages.
struct Request {
    const CudaDevice& device;
    const char* name;
    Tensors inputs, outputs;

    // Throws Error{unsupported} naming op, device and `what` where `condition` is false.
    void expect(bool condition, const std::string& what) const;
    void expect_counts(std::size_t inputs_min, std::size_t inputs_max, std::size_t outputs_min,
                       std::size_t outputs_max) const;
    void expect_float32() const;    // all operands
    void expect_same_size() const;  // all operands have the elements of the first input
};

template <typename Run>
std::unique_ptr<ops::Kernel> function_kernel(const Request& request, Run run,
                                             std::size_t workspace_bytes = 0) {
    return std::make_unique<FunctionKernel<Run>>(request.device, request.name, workspace_bytes,
                                                 std::move(run));
}

// A kernel that clears its outputs: results and gradients over nothing are zeros.
std::unique_ptr<ops::Kernel> zeros(const Request& request);

// A tensor seen as (rows, last axis). A scalar is (1, 1).
struct Matrix {
    std::int64_t rows = 1, columns = 1;
};
Matrix matrix_of(const Shape& shape);

// The kernels' form of an element-wise activation. Throws Error{unsupported} on a bad alpha.
kernels::Activation element_activation(const Request& request, const ops::Activation& activation);
// The same for one that runs inside another op: its derivative must follow from its output.
kernels::Activation fused_activation(const Request& request, const ops::Activation& activation);

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
KernelPtr make_kernel(const Request& request, const ops::SoftmaxCrossEntropy& op);
KernelPtr make_kernel(const Request& request, const ops::SoftmaxCrossEntropySoft& op);
KernelPtr make_kernel(const Request& request, const ops::CrossEntropyFromProbabilities& op);
KernelPtr make_kernel(const Request& request, const ops::BinaryCrossEntropy& op);
KernelPtr make_kernel(const Request& request, const ops::MeanSquaredError& op);
KernelPtr make_kernel(const Request& request, const ops::Accuracy& op);
KernelPtr make_kernel(const Request& request, const ops::SgdUpdate& op);
KernelPtr make_kernel(const Request& request, const ops::AdamUpdate& op);
KernelPtr make_kernel(const Request& request, const ops::SumOfSquares& op);

}  // namespace strata::cuda
