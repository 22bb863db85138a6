// Losses: one pass writes each row's loss and gradient, a second adds the rows in fixed order.
#include "kernels/loss.h"

#include "kernels/common/activation_formulas.h"
#include "kernels/common/rows.h"

namespace strata::kernels {
namespace {

__device__ float scale_of(const LossOutputs& out) {
    return out.scale == nullptr ? out.gradient_scale : *out.scale;
}

constexpr float probability_epsilon = 1e-7F;  // Keras's

// Both kinds of targets as the weight t(c) of a column: one-hot of a label, or a row of values.
struct Labels {
    const std::int32_t* labels;
    std::int64_t cols;
    struct Row {
        std::int64_t label;
        float total;  // sum of the row; NaN for a label that is no column
        __device__ float operator[](std::int64_t c) const { return c == label ? 1.0F : 0.0F; }
    };
    template <class Group>
    __device__ Row row(std::int64_t r, float*) const {
        const std::int64_t label = labels[r];
        return {label, label >= 0 && label < cols ? 1.0F : NAN};
    }
};

struct Targets {
    const float* targets;
    std::int64_t cols;
    struct Row {
        const float* values;
        float total;
        __device__ float operator[](std::int64_t c) const { return values[c]; }
    };
    template <class Group>
    __device__ Row row(std::int64_t r, float* scratch) const {
        const float* values = targets + r * cols;
        float total = 0.0F;
        for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
            total += values[c];
        }
        return {values, Group::sum(total, scratch)};
    }
};

// With z shifted by the row's maximum and S = sum of exp z: loss = sum t (log S - z). Everything
// that is read of the logits for the loss is read before a reduction, and the gradient is written
// after it, so that the gradient may overwrite the logits.
template <class Group, class Truth>
__global__ void softmax_cross_entropy_kernel(LossOutputs out, double* row_loss, const float* logits,
                                             Truth truth, RowShape shape) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = Group::row();
    if (row >= shape.rows) return;
    const float* z = logits + row * shape.cols;
    const auto t = truth.template row<Group>(row, scratch);

    float largest = -INFINITY;
    for (std::int64_t c = Group::first_column(); c < shape.cols; c += Group::threads) {
        largest = Max{}(largest, z[c]);
    }
    largest = Group::reduce(largest, -INFINITY, Max{}, scratch);

    float sum = 0.0F;
    float weighted = 0.0F;  // sum of t z; a class of weight 0 says nothing, even at z = -inf
    for (std::int64_t c = Group::first_column(); c < shape.cols; c += Group::threads) {
        sum += expf(z[c] - largest);
        weighted += t[c] != 0.0F ? t[c] * (z[c] - largest) : 0.0F;
    }
    sum = Group::sum(sum, scratch);
    weighted = Group::sum(weighted, scratch);
    if (Group::first_column() == 0) row_loss[row] = double{t.total} * logf(sum) - double{weighted};

    for (std::int64_t c = Group::first_column(); c < shape.cols; c += Group::threads) {
        const float p = expf(z[c] - largest) / sum;
        const std::int64_t i = row * shape.cols + c;
        if (out.probabilities != nullptr) out.probabilities[i] = p;
        if (out.gradient != nullptr) {
            out.gradient[i] = (p * t.total - t[c]) * scale_of(out);
        }
    }
}

__device__ bool is_clipped(float q) {
    return q < probability_epsilon || q > 1.0F - probability_epsilon;
}

// With q = p / S, S = sum of p, and c = clip(q): loss = -sum t log c. dq = -t / q inside the clip,
// else 0; dp = (dq - sum dq q) / S.
template <class Group, class Truth>
__global__ void cross_entropy_kernel(LossOutputs out, double* row_loss, const float* probabilities,
                                     Truth truth, RowShape shape) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = Group::row();
    if (row >= shape.rows) return;
    const float* p = probabilities + row * shape.cols;
    const auto t = truth.template row<Group>(row, scratch);

    float sum = 0.0F;
    for (std::int64_t c = Group::first_column(); c < shape.cols; c += Group::threads) sum += p[c];
    sum = Group::sum(sum, scratch);

    float loss = 0.0F;
    float inside_weight = 0.0F;  // -sum dq q: the weight of the columns that were not clipped
    for (std::int64_t c = Group::first_column(); c < shape.cols; c += Group::threads) {
        const float q = p[c] / sum;
        loss -= t[c] * logf(clamp(q, probability_epsilon, 1.0F - probability_epsilon));
        inside_weight += is_clipped(q) ? 0.0F : t[c];
    }
    loss = Group::sum(loss, scratch);
    inside_weight = Group::sum(inside_weight, scratch);
    const float poison = t.total - t.total;  // 0, or NaN for a label that is no column
    if (Group::first_column() == 0) row_loss[row] = double{loss} + double{poison};
    if (out.gradient == nullptr) return;

    for (std::int64_t c = Group::first_column(); c < shape.cols; c += Group::threads) {
        const float q = p[c] / sum;
        const float dq = is_clipped(q) ? 0.0F : -t[c] / q;
        out.gradient[row * shape.cols + c] = ((dq + inside_weight) / sum + poison) * scale_of(out);
    }
}

// One column's loss and derivative of the losses that are means over a row.
struct BinaryFromLogits {
    __device__ float loss(float z, float t) const {
        return (z > 0.0F ? z : 0.0F) - z * t + log1pf(expf(-fabsf(z)));
    }
    __device__ float gradient(float z, float t) const { return sigmoid(z) - t; }
};

struct BinaryFromProbabilities {
    __device__ float loss(float p, float t) const {
        const float q = clamp(p, probability_epsilon, 1.0F - probability_epsilon);
        return -t * logf(q) - (1.0F - t) * logf(1.0F - q);
    }
    __device__ float gradient(float p, float t) const {
        return is_clipped(p) ? 0.0F : (p - t) / (p * (1.0F - p));
    }
};

struct SquaredError {
    __device__ float loss(float p, float t) const { return (p - t) * (p - t); }
    __device__ float gradient(float p, float t) const { return 2.0F * (p - t); }
};

struct BinaryHit {  // no loss, but a mean over a row as well
    float threshold;
    __device__ float loss(float p, float t) const {
        return (p > threshold ? 1.0F : 0.0F) == t ? 1.0F : 0.0F;
    }
    __device__ float gradient(float, float) const { return 0.0F; }
};

template <class Group, class Formula>
__global__ void row_mean_kernel(LossOutputs out, double* row_loss, const float* scores,
                                const float* targets, RowShape shape, Formula formula) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = Group::row();
    if (row >= shape.rows) return;
    const float scale = scale_of(out) / static_cast<float>(shape.cols);
    float sum = 0.0F;
    for (std::int64_t c = Group::first_column(); c < shape.cols; c += Group::threads) {
        const std::int64_t i = row * shape.cols + c;
        const float p = scores[i];
        const float t = targets[i];
        sum += formula.loss(p, t);
        if (out.gradient != nullptr) out.gradient[i] = formula.gradient(p, t) * scale;
    }
    sum = Group::sum(sum, scratch);
    if (Group::first_column() == 0) row_loss[row] = double{sum} / static_cast<double>(shape.cols);
}

template <class Group>
__device__ std::int64_t row_argmax(const float* values, std::int64_t cols, Candidate* scratch) {
    const Candidate none{-INFINITY, INT64_MAX};
    Candidate best = none;
    for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
        best = FirstMax{}(best, Candidate{values[c], c});
    }
    return Group::reduce(best, none, FirstMax{}, scratch).index;
}

template <class Group>
__global__ void argmax_hit_kernel(double* row_hit, const float* scores, const std::int32_t* labels,
                                  const float* targets, RowShape shape) {
    __shared__ Candidate scratch[warps_per_block];
    const std::int64_t row = Group::row();
    if (row >= shape.rows) return;
    const std::int64_t guess = row_argmax<Group>(scores + row * shape.cols, shape.cols, scratch);
    const std::int64_t truth =
        labels != nullptr ? labels[row]
                          : row_argmax<Group>(targets + row * shape.cols, shape.cols, scratch);
    if (Group::first_column() == 0) row_hit[row] = guess == truth ? 1.0 : 0.0;
}

// One block adds the rows: each thread its own stride, then the block, always in the same order.
__global__ void total_kernel(double* total, const double* row_values, std::int64_t rows) {
    __shared__ double scratch[warps_per_block];
    double sum = 0.0;
    for (std::int64_t r = threadIdx.x; r < rows; r += block_size) sum += row_values[r];
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x == 0) *total = sum;
}

// Starts rows(group) for the shape's row width, then the total. Rows without columns count 0.
template <class Rows>
cudaError_t rows_and_total(double* total, RowShape shape, void* workspace, cudaStream_t stream,
                           Rows rows) {
    if (shape.rows < 0 || shape.cols < 0) return cudaErrorInvalidValue;
    if (shape.cols == 0) shape.rows = 0;
    const cudaError_t error = with_row_group(shape.cols, rows);
    if (error != cudaSuccess) return error;
    return launch(total_kernel, LaunchShape{dim3(1), dim3(block_size)}, stream, total,
                  static_cast<const double*>(workspace), shape.rows);
}

template <class Truth>
cudaError_t launch_softmax(LossOutputs out, const float* logits, Truth truth, RowShape shape,
                           void* workspace, cudaStream_t stream) {
    return rows_and_total(out.loss, shape, workspace, stream, [&](auto group) {
        using Group = decltype(group);
        return launch(softmax_cross_entropy_kernel<Group, Truth>, Group::shape(shape.rows), stream,
                      out, static_cast<double*>(workspace), logits, truth, shape);
    });
}

template <class Truth>
cudaError_t launch_cross_entropy(LossOutputs out, const float* p, Truth truth, RowShape shape,
                                 void* workspace, cudaStream_t stream) {
    return rows_and_total(out.loss, shape, workspace, stream, [&](auto group) {
        using Group = decltype(group);
        return launch(cross_entropy_kernel<Group, Truth>, Group::shape(shape.rows), stream, out,
                      static_cast<double*>(workspace), p, truth, shape);
    });
}

template <class Formula>
cudaError_t launch_row_mean(LossOutputs out, const float* scores, const float* targets,
                            RowShape shape, Formula formula, void* workspace, cudaStream_t stream) {
    return rows_and_total(out.loss, shape, workspace, stream, [&](auto group) {
        using Group = decltype(group);
        return launch(row_mean_kernel<Group, Formula>, Group::shape(shape.rows), stream, out,
                      static_cast<double*>(workspace), scores, targets, shape, formula);
    });
}

cudaError_t launch_argmax(double* count, const float* scores, const std::int32_t* labels,
                          const float* targets, RowShape shape, void* workspace,
                          cudaStream_t stream) {
    return rows_and_total(count, shape, workspace, stream, [&](auto group) {
        using Group = decltype(group);
        return launch(argmax_hit_kernel<Group>, Group::shape(shape.rows), stream,
                      static_cast<double*>(workspace), scores, labels, targets, shape);
    });
}

}  // namespace

cudaError_t softmax_cross_entropy(LossOutputs out, const float* logits, const std::int32_t* labels,
                                  RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_softmax(out, logits, Labels{labels, shape.cols}, shape, workspace, stream);
}

cudaError_t softmax_cross_entropy(LossOutputs out, const float* logits, const float* targets,
                                  RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_softmax(out, logits, Targets{targets, shape.cols}, shape, workspace, stream);
}

cudaError_t cross_entropy(LossOutputs out, const float* p, const std::int32_t* labels,
                          RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_cross_entropy(out, p, Labels{labels, shape.cols}, shape, workspace, stream);
}

cudaError_t cross_entropy(LossOutputs out, const float* p, const float* targets, RowShape shape,
                          void* workspace, cudaStream_t stream) {
    return launch_cross_entropy(out, p, Targets{targets, shape.cols}, shape, workspace, stream);
}

cudaError_t binary_cross_entropy_from_logits(LossOutputs out, const float* logits,
                                             const float* targets, RowShape shape, void* workspace,
                                             cudaStream_t stream) {
    return launch_row_mean(out, logits, targets, shape, BinaryFromLogits{}, workspace, stream);
}

cudaError_t binary_cross_entropy(LossOutputs out, const float* p, const float* targets,
                                 RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_row_mean(out, p, targets, shape, BinaryFromProbabilities{}, workspace, stream);
}

cudaError_t mean_squared_error(LossOutputs out, const float* p, const float* targets,
                               RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_row_mean(out, p, targets, shape, SquaredError{}, workspace, stream);
}

cudaError_t sparse_categorical_accuracy(double* count, const float* scores,
                                        const std::int32_t* labels, RowShape shape, void* workspace,
                                        cudaStream_t stream) {
    return launch_argmax(count, scores, labels, nullptr, shape, workspace, stream);
}

cudaError_t categorical_accuracy(double* count, const float* scores, const float* targets,
                                 RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_argmax(count, scores, nullptr, targets, shape, workspace, stream);
}

cudaError_t binary_accuracy(double* count, const float* scores, const float* targets,
                            RowShape shape, float threshold, void* workspace, cudaStream_t stream) {
    const LossOutputs out{count, nullptr, 1.0F, nullptr};
    return launch_row_mean(out, scores, targets, shape, BinaryHit{threshold}, workspace, stream);
}

}  // namespace strata::kernels
