// What the op families share: a Kernel made of a function over bound operands, and checks.
// Each family's file defines its make_kernel overloads; backend.cpp calls them.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/backends/cpu/device.h"
#include "engine/ops/backend.h"

namespace strata::cpu {

using Tensors = std::span<const Tensor>;

struct Operands {
    std::vector<Tensor> inputs, outputs;
    void* workspace = nullptr;
    int threads = 1;

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
        operands_.inputs.assign(inputs.begin(), inputs.end());
        operands_.outputs.assign(outputs.begin(), outputs.end());
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

// An op about to be made, for the checks' messages.
struct Request {
    const CpuDevice& device;
    const char* name;
    Tensors inputs, outputs;

    // Throws Error{unsupported} naming op, device and `what` where `condition` is false.
    void expect(bool condition, const std::string& what) const;
    void expect_counts(std::size_t inputs_min, std::size_t inputs_max, std::size_t outputs_min,
                       std::size_t outputs_max) const;
    void expect_float32() const;  // all operands
};

// A tensor seen as (rows, last axis). A scalar is (1, 1).
struct Matrix {
    std::int64_t rows = 1, columns = 1;
};
Matrix matrix_of(const Shape& shape);

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

}  // namespace strata::cpu
