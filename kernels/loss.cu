// Losses: one pass writes each row's loss and gradient, a second adds the rows in fixed order, in
// two steps where they are many.
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
    // What has to lie on whole accesses: nothing.
    const void* array() const { return nullptr; }
    struct Row {
        std::int64_t label;
        float total;  // sum of the row; NaN for a label that is no column
        template <int Size>
        __device__ Pack<float, Size> pack(std::int64_t p) const {
            Pack<float, Size> values;
            for (int k = 0; k < Size; ++k) values.at[k] = p * Size + k == label ? 1.0F : 0.0F;
            return values;
        }
    };
    template <int Size, class Group>
    __device__ Row row(Group, std::int64_t r, std::int64_t cols, float*) const {
        const std::int64_t label = cols > 0 ? labels[r] : -1;
        return {label, label >= 0 && label < cols ? 1.0F : NAN};
    }
};

struct Targets {
    const float* targets;
    const void* array() const { return targets; }
    struct Row {
        const float* values;
        float total;
        template <int Size>
        __device__ Pack<float, Size> pack(std::int64_t p) const {
            return load_pack<Size>(values, p);
        }
    };
    template <int Size, class Group>
    __device__ Row row(Group group, std::int64_t r, std::int64_t cols, float* scratch) const {
        const float* values = targets + r * cols;
        float total = 0.0F;
        for_each_in_row<Size>(group, values, cols, [&](float value) { total += value; });
        return {values, group.sum(total, scratch)};
    }
};

// visit(value, weight) for a thread's share of a row.
template <int Size, class Group, class Row, class Visit>
__device__ void for_each_weighted(Group group, const float* values, const Row& t, std::int64_t cols,
                                  Visit visit) {
    for_each_pack<Size>(group, cols, [&](auto p) {
        const auto pack = load_pack<Size>(values, p);
        const auto weights = t.template pack<Size>(p);
        for (int k = 0; k < Size; ++k) visit(pack.at[k], weights.at[k]);
    });
}

__device__ float* row_of(float* array, std::int64_t row, RowShape shape) {
    return array == nullptr ? nullptr : array + row * shape.cols;
}

// With z shifted by the row's maximum and S = sum of exp z: loss = sum t (log S - z). Everything
// that is read of the logits for the loss is read before a reduction, and the gradient is written
// after it, so that the gradient may overwrite the logits.
template <int Size, class Group, class Truth>
__global__ void softmax_cross_entropy_kernel(Group group, LossOutputs out, double* row_loss,
                                             const float* logits, Truth truth, RowShape shape) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = group.row();
    const std::int64_t cols = row < shape.rows ? shape.cols : 0;
    const float* z = logits + row * shape.cols;
    const auto t = truth.template row<Size>(group, row, cols, scratch);

    float largest = -INFINITY;
    for_each_in_row<Size>(group, z, cols, [&](float value) { largest = Max{}(largest, value); });
    largest = group.reduce(largest, -INFINITY, Max{}, scratch);

    float sum = 0.0F;
    float weighted = 0.0F;  // sum of t z; a class of weight 0 says nothing, even at z = -inf
    for_each_weighted<Size>(group, z, t, cols, [&](float value, float weight) {
        sum += expf(value - largest);
        weighted += weight != 0.0F ? weight * (value - largest) : 0.0F;
    });
    sum = group.sum(sum, scratch);
    weighted = group.sum(weighted, scratch);
    if (cols > 0 && group.first_column() == 0)
        row_loss[row] = double{t.total} * logf(sum) - double{weighted};

    float* const probabilities = row_of(out.probabilities, row, shape);
    float* const gradient = row_of(out.gradient, row, shape);
    if (probabilities == nullptr && gradient == nullptr) return;
    const float scale = gradient != nullptr ? scale_of(out) : 0.0F;
    for_each_pack<Size>(group, cols, [&](auto k) {
        auto p = load_pack<Size>(z, k);
        for (float& value : p.at) value = expf(value - largest) / sum;
        if (probabilities != nullptr) store_pack(probabilities, k, p);
        if (gradient == nullptr) return;
        const auto weights = t.template pack<Size>(k);
        for (int i = 0; i < Size; ++i) p.at[i] = (p.at[i] * t.total - weights.at[i]) * scale;
        store_pack(gradient, k, p);
    });
}

__device__ bool is_clipped(float q) {
    return q < probability_epsilon || q > 1.0F - probability_epsilon;
}

// With q = p / S, S = sum of p, and c = clip(q): loss = -sum t log c. dq = -t / q inside the clip,
// else 0; dp = (dq - sum dq q) / S.
template <int Size, class Group, class Truth>
__global__ void cross_entropy_kernel(Group group, LossOutputs out, double* row_loss,
                                     const float* probabilities, Truth truth, RowShape shape) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = group.row();
    const std::int64_t cols = row < shape.rows ? shape.cols : 0;
    const float* p = probabilities + row * shape.cols;
    const auto t = truth.template row<Size>(group, row, cols, scratch);

    float sum = 0.0F;
    for_each_in_row<Size>(group, p, cols, [&](float value) { sum += value; });
    sum = group.sum(sum, scratch);

    float loss = 0.0F;
    float inside_weight = 0.0F;  // -sum dq q: the weight of the columns that were not clipped
    for_each_weighted<Size>(group, p, t, cols, [&](float value, float weight) {
        const float q = value / sum;
        loss -= weight * logf(clamp(q, probability_epsilon, 1.0F - probability_epsilon));
        inside_weight += is_clipped(q) ? 0.0F : weight;
    });
    loss = group.sum(loss, scratch);
    inside_weight = group.sum(inside_weight, scratch);
    const float poison = t.total - t.total;  // 0, or NaN for a label that is no column
    if (cols > 0 && group.first_column() == 0) row_loss[row] = double{loss} + double{poison};
    if (out.gradient == nullptr) return;

    const float scale = scale_of(out);
    for_each_pack<Size>(group, cols, [&](auto k) {
        auto values = load_pack<Size>(p, k);
        const auto weights = t.template pack<Size>(k);
        for (int i = 0; i < Size; ++i) {
            const float q = values.at[i] / sum;
            const float dq = is_clipped(q) ? 0.0F : -weights.at[i] / q;
            values.at[i] = ((dq + inside_weight) / sum + poison) * scale;
        }
        store_pack(row_of(out.gradient, row, shape), k, values);
    });
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

template <int Size, class Group, class Formula>
__global__ void row_mean_kernel(Group group, LossOutputs out, double* row_loss, const float* scores,
                                const float* targets, RowShape shape, Formula formula) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = group.row();
    const std::int64_t cols = row < shape.rows ? shape.cols : 0;
    const float scale = scale_of(out) / static_cast<float>(shape.cols);
    float sum = 0.0F;
    float* const gradient = row_of(out.gradient, row, shape);
    for_each_pack<Size>(group, cols, [&](auto k) {
        auto values = load_pack<Size>(scores + row * shape.cols, k);
        const auto truth = load_pack<Size>(targets + row * shape.cols, k);
        for (int i = 0; i < Size; ++i) {
            const float p = values.at[i];
            sum += formula.loss(p, truth.at[i]);
            values.at[i] = formula.gradient(p, truth.at[i]) * scale;
        }
        if (gradient != nullptr) store_pack(gradient, k, values);
    });
    sum = group.sum(sum, scratch);
    if (cols > 0 && group.first_column() == 0) row_loss[row] = double{sum};
}

template <int Size, class Group>
__device__ std::int64_t row_argmax(Group group, const float* values, std::int64_t cols,
                                   Candidate* scratch) {
    const Candidate none{-INFINITY, INT64_MAX};
    Candidate best = none;
    for_each_pack<Size>(group, cols, [&](auto p) {
        const auto pack = load_pack<Size>(values, p);
        for (int k = 0; k < Size; ++k) best = FirstMax{}(best, Candidate{pack.at[k], p * Size + k});
    });
    return group.reduce(best, none, FirstMax{}, scratch).index;
}

template <int Size, class Group>
__global__ void argmax_hit_kernel(Group group, double* row_hit, const float* scores,
                                  const std::int32_t* labels, const float* targets,
                                  RowShape shape) {
    __shared__ Candidate scratch[warps_per_block];
    const std::int64_t row = group.row();
    const std::int64_t cols = row < shape.rows ? shape.cols : 0;
    const std::int64_t first = row * shape.cols;
    const std::int64_t guess = row_argmax<Size>(group, scores + first, cols, scratch);
    std::int64_t truth = 0;
    if (labels == nullptr)
        truth = row_argmax<Size>(group, targets + first, cols, scratch);
    else if (cols > 0)
        truth = labels[row];
    if (cols > 0 && group.first_column() == 0) row_hit[row] = guess == truth ? 1.0 : 0.0;
}

// One sum a block: each thread its own stride, then the block, always in the same order.
__global__ void total_kernel(double* sums, const double* values, std::int64_t count,
                             std::int64_t divisor) {
    __shared__ double scratch[warps_per_block];
    double sum = 0.0;
    for (std::int64_t i = first_item(); i < count; i += item_stride()) sum += values[i];
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum / static_cast<double>(divisor);
}

// Of the rows' values at the workspace's beginning.
cudaError_t launch_total(double* total, std::int64_t rows, std::int64_t divisor, void* workspace,
                         cudaStream_t stream) {
    const double* values = static_cast<const double*>(workspace);
    if (const std::int64_t blocks = loss_partial_sums(rows); blocks > 0) {
        auto* const partial = static_cast<double*>(workspace) + rows;
        const cudaError_t error =
            launch(total_kernel, LaunchShape{dim3(static_cast<unsigned>(blocks)), dim3(block_size)},
                   stream, partial, values, rows, std::int64_t{1});
        if (error != cudaSuccess) return error;
        values = partial;
        rows = blocks;
    }
    return launch(total_kernel, LaunchShape{dim3(1), dim3(block_size)}, stream, total, values, rows,
                  divisor);
}

// Starts rows(group, size) for the shape's row width and how the arrays lie, then the total, which
// is divided by the divisor. Rows without columns count 0.
template <class Rows>
cudaError_t rows_and_total(double* total, RowShape shape, std::int64_t divisor,
                           std::initializer_list<const void*> arrays, void* workspace,
                           cudaStream_t stream, Rows rows) {
    if (shape.rows < 0 || shape.cols < 0) return cudaErrorInvalidValue;
    if (shape.cols == 0) shape.rows = 0, divisor = 1;
    const cudaError_t error = with_row_access<float>(shape.cols, arrays, rows);
    if (error != cudaSuccess) return error;
    return launch_total(total, shape.rows, divisor, workspace, stream);
}

template <class Truth>
cudaError_t launch_softmax(LossOutputs out, const float* logits, Truth truth, RowShape shape,
                           void* workspace, cudaStream_t stream) {
    return rows_and_total(out.loss, shape, 1,
                          {logits, truth.array(), out.gradient, out.probabilities}, workspace,
                          stream, [&](auto group, auto size) {
                              using Group = decltype(group);
                              constexpr int elements = decltype(size)::value;
                              return launch(softmax_cross_entropy_kernel<elements, Group, Truth>,
                                            group.shape(shape.rows), stream, group, out,
                                            static_cast<double*>(workspace), logits, truth, shape);
                          });
}

template <class Truth>
cudaError_t launch_cross_entropy(LossOutputs out, const float* p, Truth truth, RowShape shape,
                                 void* workspace, cudaStream_t stream) {
    return rows_and_total(out.loss, shape, 1, {p, truth.array(), out.gradient}, workspace, stream,
                          [&](auto group, auto size) {
                              using Group = decltype(group);
                              constexpr int elements = decltype(size)::value;
                              return launch(cross_entropy_kernel<elements, Group, Truth>,
                                            group.shape(shape.rows), stream, group, out,
                                            static_cast<double*>(workspace), p, truth, shape);
                          });
}

template <class Formula>
cudaError_t launch_row_mean(LossOutputs out, const float* scores, const float* targets,
                            RowShape shape, Formula formula, void* workspace, cudaStream_t stream) {
    return rows_and_total(out.loss, shape, shape.cols, {scores, targets, out.gradient}, workspace,
                          stream, [&](auto group, auto size) {
                              using Group = decltype(group);
                              constexpr int elements = decltype(size)::value;
                              return launch(row_mean_kernel<elements, Group, Formula>,
                                            group.shape(shape.rows), stream, group, out,
                                            static_cast<double*>(workspace), scores, targets, shape,
                                            formula);
                          });
}

cudaError_t launch_argmax(double* count, const float* scores, const std::int32_t* labels,
                          const float* targets, RowShape shape, void* workspace,
                          cudaStream_t stream) {
    return rows_and_total(
        count, shape, 1, {scores, targets}, workspace, stream, [&](auto group, auto size) {
            using Group = decltype(group);
            return launch(argmax_hit_kernel<decltype(size)::value, Group>, group.shape(shape.rows),
                          stream, group, static_cast<double*>(workspace), scores, labels, targets,
                          shape);
        });
}

}  // namespace

cudaError_t softmax_cross_entropy(LossOutputs out, const float* logits, const std::int32_t* labels,
                                  RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_softmax(out, logits, Labels{labels}, shape, workspace, stream);
}

cudaError_t softmax_cross_entropy(LossOutputs out, const float* logits, const float* targets,
                                  RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_softmax(out, logits, Targets{targets}, shape, workspace, stream);
}

cudaError_t cross_entropy(LossOutputs out, const float* p, const std::int32_t* labels,
                          RowShape shape, void* workspace, cudaStream_t stream) {
    return launch_cross_entropy(out, p, Labels{labels}, shape, workspace, stream);
}

cudaError_t cross_entropy(LossOutputs out, const float* p, const float* targets, RowShape shape,
                          void* workspace, cudaStream_t stream) {
    return launch_cross_entropy(out, p, Targets{targets}, shape, workspace, stream);
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
