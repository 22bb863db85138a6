// Losses with their gradients, and accuracy. Called by the CUDA backend alone.
//
// Common to all: scores, targets and gradients are row-major (rows, cols), one sample (or position)
// a row; labels are int32 (rows). `loss` and `count` are one float64 in device memory: the sum over
// the rows, overwritten. The gradient may be null (not wanted), is that of the sum times
// `gradient_scale`, is overwritten, and may be the scores themselves. A label outside [0, cols)
// makes the loss and the row's gradient NaN. workspace: loss_workspace_bytes(rows), 8-byte aligned.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace strata::kernels {

// Blocks that add up so many rows before one adds up theirs; 0 where one has them all at once.
// Fixed by the rows alone, so that the order of the sum is the same on every GPU.
constexpr std::int64_t loss_partial_sums(std::int64_t rows) {
    constexpr std::int64_t few_rows = 4096, rows_per_block = 1024, most = 1024;
    if (rows <= few_rows) return 0;
    const std::int64_t blocks = (rows + rows_per_block - 1) / rows_per_block;
    return blocks < most ? blocks : most;
}

// Each row's value, then the partial sums.
constexpr std::size_t loss_workspace_bytes(std::int64_t rows) {
    return static_cast<std::size_t>(rows + loss_partial_sums(rows)) * sizeof(double);
}

struct RowShape {
    std::int64_t rows = 0, cols = 0;
};

// Where a loss writes. `probabilities` (softmax only) may be null; it may not be the scores.
struct LossOutputs {
    double* loss = nullptr;
    float* gradient = nullptr;
    float gradient_scale = 1.0F;
    float* probabilities = nullptr;
    const float* scale = nullptr;  // where the gradient_scale is, in device memory
};

// Softmax and cross-entropy fused: loss = logsumexp(z) - z[label]; gradient = softmax(z) - onehot.
cudaError_t softmax_cross_entropy(LossOutputs out, const float* logits, const std::int32_t* labels,
                                  RowShape shape, void* workspace, cudaStream_t stream);
// The same with targets t: loss = -sum t log softmax(z); gradient = softmax(z) * sum(t) - t.
cudaError_t softmax_cross_entropy(LossOutputs out, const float* logits, const float* targets,
                                  RowShape shape, void* workspace, cudaStream_t stream);

// From probabilities p, as Keras: rows divided by their sum, then clipped to [1e-7, 1 - 1e-7].
cudaError_t cross_entropy(LossOutputs out, const float* p, const std::int32_t* labels,
                          RowShape shape, void* workspace, cudaStream_t stream);
cudaError_t cross_entropy(LossOutputs out, const float* p, const float* targets, RowShape shape,
                          void* workspace, cudaStream_t stream);

// Mean over a row of max(z,0) - z t + log(1 + exp(-|z|)).
cudaError_t binary_cross_entropy_from_logits(LossOutputs out, const float* logits,
                                             const float* targets, RowShape shape, void* workspace,
                                             cudaStream_t stream);
// Mean over a row of -t log p - (1-t) log(1-p), p clipped to [1e-7, 1 - 1e-7]; the gradient is 0
// where p was clipped.
cudaError_t binary_cross_entropy(LossOutputs out, const float* p, const float* targets,
                                 RowShape shape, void* workspace, cudaStream_t stream);

// Mean over a row of (p - t)^2.
cudaError_t mean_squared_error(LossOutputs out, const float* p, const float* targets,
                               RowShape shape, void* workspace, cudaStream_t stream);

// count = rows whose argmax (the first of equals) is the label.
cudaError_t sparse_categorical_accuracy(double* count, const float* scores,
                                        const std::int32_t* labels, RowShape shape, void* workspace,
                                        cudaStream_t stream);
// count = rows whose argmax is that of the targets.
cudaError_t categorical_accuracy(double* count, const float* scores, const float* targets,
                                 RowShape shape, void* workspace, cudaStream_t stream);
// count = sum over the rows of the share of columns with (score > threshold) = target.
cudaError_t binary_accuracy(double* count, const float* scores, const float* targets,
                            RowShape shape, float threshold, void* workspace, cudaStream_t stream);

}  // namespace strata::kernels
