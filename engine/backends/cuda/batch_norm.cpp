// Batch normalisation over the last axis.
#include "kernels/batch_norm.h"

#include <algorithm>

#include "engine/backends/cuda/kernel.h"
#include "engine/ops/batch_norm_operands.h"
#include "kernels/reduce.h"

namespace strata::cuda {
namespace {

kernels::BatchNormShape shape_of(const Request& request, std::size_t first_input) {
    const Matrix m = ops::batch_norm_sizes(request, first_input);
    request.expect(request.outputs[0].elements() == request.inputs[0].elements(),
                   "x and the result differ in size");
    return {m.rows, m.columns};
}

std::size_t batch_norm_scratch(const kernels::BatchNormShape& shape) {
    return std::max(kernels::batch_norm_workspace_bytes(shape),
                    kernels::column_sums_workspace_bytes(shape.rows, shape.channels));
}

// Of two numbers a channel, behind the rest.
std::size_t channel_scratch(bool synchronized, const kernels::BatchNormShape& shape) {
    return synchronized ? 2 * static_cast<std::size_t>(shape.channels) * sizeof(float) : 0;
}

cudaError_t copy_channels(float* to, const float* from, const kernels::BatchNormShape& shape,
                          cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, static_cast<std::size_t>(shape.channels) * sizeof(float),
                           cudaMemcpyDeviceToDevice, stream);
}

// Sums of this GPU's rows, by way of the host, as means over the rows of all replicas. They wait
// for each other there.
class SharedSums {
public:
    SharedSums(CudaDevice& device, std::int64_t rows) : device_(device), rows_(rows) {}

    void average(float* sums, std::int64_t count, ops::ReplicaSums& replicas) {
        values_.resize(static_cast<std::size_t>(count));
        const std::size_t bytes = values_.size() * sizeof(float);
        device_.copy_out(values_.data(), sums, bytes);
        numbers_.assign(values_.begin(), values_.end());
        numbers_.push_back(static_cast<double>(rows_));
        replicas.add_up(numbers_);
        for (std::size_t i = 0; i < values_.size(); ++i)
            values_[i] = static_cast<float>(numbers_[i] / numbers_.back());
        device_.copy_in(sums, values_.data(), bytes);
    }

private:
    CudaDevice& device_;
    std::int64_t rows_;
    std::vector<float> values_;
    std::vector<double> numbers_;
};

template <typename T>
KernelPtr training(const Request& request, const ops::BatchNormTraining& op,
                   const kernels::BatchNormShape& shape) {
    const std::size_t scratch = aligned_workspace(batch_norm_scratch(shape));
    return function_kernel(
        request,
        [op, shape, scratch, sums = SharedSums(request.device, shape.rows)](
            const Operands& o, const ops::StepScalars& s) mutable {
            const T* x = o.in<T>(0);
            float* variance = o.outputs.size() > 3 ? o.out(3) : nullptr;
            const kernels::BatchNormTraining parameters{o.in(1),     o.in(2),    o.inout(3),
                                                        o.inout(4),  o.out(1),   o.out(2),
                                                        op.momentum, op.epsilon, variance};
            if (!op.synchronized || s.replicas == nullptr)
                return kernels::batch_norm_training(o.out<T>(0), x, shape, parameters, o.workspace,
                                                    o.stream);
            auto* const means = static_cast<float*>(o.workspace_at(scratch));
            float* const variances = means + shape.channels;
            cudaError_t error =
                kernels::column_sums(means, x, shape.rows, shape.channels, o.workspace, o.stream);
            if (error != cudaSuccess) return error;
            sums.average(means, shape.channels, *s.replicas);
            error = kernels::squared_deviations(variances, x, means, shape, o.workspace, o.stream);
            if (error != cudaSuccess) return error;
            sums.average(variances, shape.channels, *s.replicas);
            return kernels::batch_norm_with_statistics(o.out<T>(0), x, shape, parameters, means,
                                                       variances, o.stream);
        },
        scratch + channel_scratch(op.synchronized, shape));
}

template <typename T>
KernelPtr backward(const Request& request, const ops::BatchNormBackward& op,
                   const kernels::BatchNormShape& shape) {
    const std::size_t scratch = aligned_workspace(batch_norm_scratch(shape));
    return function_kernel(
        request,
        [op, shape, scratch, sums = SharedSums(request.device, shape.rows)](
            const Operands& o, const ops::StepScalars& s) mutable {
            T* dx = o.out<T>(0);
            const T* dy = o.in<T>(0);
            const T* x = o.in<T>(1);
            const kernels::BatchNormBackward parameters{o.in(2), o.in(3), o.in(4), o.out(1),
                                                        o.out(2)};
            if (!op.synchronized || s.replicas == nullptr)
                return kernels::batch_norm_backward(dx, dy, x, shape, parameters, o.workspace,
                                                    o.stream);
            cudaError_t error =
                kernels::batch_norm_gradient_sums(dy, x, shape, parameters, o.workspace, o.stream);
            // Of dy, then of dy xhat: the order in which every backend adds them up.
            auto* const means = static_cast<float*>(o.workspace_at(scratch));
            float* const scaled = means + shape.channels;
            if (error == cudaSuccess) error = copy_channels(means, o.out(2), shape, o.stream);
            if (error == cudaSuccess) error = copy_channels(scaled, o.out(1), shape, o.stream);
            if (error != cudaSuccess) return error;
            sums.average(means, 2 * shape.channels, *s.replicas);
            return kernels::batch_norm_input_gradient(dx, dy, x, shape, parameters, scaled, means,
                                                      o.stream);
        },
        scratch + channel_scratch(op.synchronized, shape));
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::BatchNormTraining& op) {
    request.expect_counts(5, 5, 3, 4);
    const kernels::BatchNormShape shape = shape_of(request, 1);
    request.expect(shape.rows > 0, "an empty batch has no mean");
    return with_storage(request.inputs[0].dtype,
                        [&]<typename T>(Stored<T>) { return training<T>(request, op, shape); });
}

KernelPtr make_kernel(const Request& request, const ops::BatchNormInference& op) {
    request.expect_counts(5, 5, 1, 1);
    const kernels::BatchNormShape shape = shape_of(request, 1);
    return with_storage(request.inputs[0].dtype, [&]<typename T>(Stored<T>) {
        return function_kernel(request, [op, shape](const Operands& o, const ops::StepScalars&) {
            return kernels::batch_norm_inference(o.out<T>(0), o.in<T>(0), shape, o.in(1), o.in(2),
                                                 o.in(3), o.in(4), op.epsilon, o.stream);
        });
    });
}

KernelPtr make_kernel(const Request& request, const ops::BatchNormBackward& op) {
    request.expect_counts(5, 5, 3, 3);
    request.expect(request.inputs[0].elements() == request.inputs[1].elements(),
                   "dy and x differ in size");
    const kernels::BatchNormShape shape = shape_of(request, 2);
    request.expect(shape.rows > 0, "an empty batch has no mean");
    return with_storage(request.inputs[0].dtype,
                        [&]<typename T>(Stored<T>) { return backward<T>(request, op, shape); });
}

KernelPtr make_kernel(const Request& request, const ops::AccumulateStatistics& op) {
    check_operands(request, op);
    return function_kernel(request, [op](const Operands& o, const ops::StepScalars&) {
        return kernels::accumulate_statistics(o.inout<double>(0), o.inout<double>(1), o.in(2),
                                              o.in(3), o.inputs[0].elements(), 0, op.samples,
                                              o.stream, o.step);
    });
}

KernelPtr make_kernel(const Request& request, const ops::MovingAverage& op) {
    check_operands(request, op);
    return function_kernel(request, [op](const Operands& o, const ops::StepScalars&) {
        const double* norm = o.inputs.size() > 2 ? o.in<double>(2) : nullptr;
        return kernels::moving_average(o.inout(0), o.in<double>(1), o.inputs[0].elements(),
                                       op.momentum, norm, o.stream);
    });
}

}  // namespace strata::cuda
