// Row-wise activations: a row is read three times, from cache after the first.
#include "kernels/softmax.h"

#include "kernels/common/rows.h"

namespace strata::kernels {
namespace {

// The threshold tau with sum of max(x - largest - tau, 0) = 1, by Michelot's iteration: tau of the
// entries above the last tau, until none falls away. At most one round an entry; no sort, which a
// warp could not do on a row of any length.
template <class Group>
__device__ float sparsemax_threshold(const float* x, std::int64_t cols, float largest,
                                     float* scratch) {
    float tau = -INFINITY;
    float support = INFINITY;
    while (true) {
        float sum = 0.0F;
        float count = 0.0F;
        for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
            const float z = x[c] - largest;
            if (!(z <= tau)) {  // NaN counts, and so reaches every output of its row
                sum += z;
                count += 1.0F;
            }
        }
        sum = Group::sum(sum, scratch);
        count = Group::sum(count, scratch);
        if (count >= support || count == 0.0F) return tau;
        support = count;
        tau = (sum - 1.0F) / count;
        if (tau != tau) return tau;
    }
}

template <class Group>
__global__ void row_forward_kernel(float* y, const float* x, std::int64_t rows, std::int64_t cols,
                                   RowActivation kind) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = Group::row();
    if (row >= rows) return;
    x += row * cols;
    y += row * cols;

    float largest = -INFINITY;
    for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
        largest = Max{}(largest, x[c]);
    }
    largest = Group::reduce(largest, -INFINITY, Max{}, scratch);

    if (kind == RowActivation::sparsemax) {
        const float tau = sparsemax_threshold<Group>(x, cols, largest, scratch);
        for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
            const float z = x[c] - largest - tau;
            y[c] = z < 0.0F ? 0.0F : z;
        }
        return;
    }
    float sum = 0.0F;
    for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
        sum += expf(x[c] - largest);
    }
    sum = Group::sum(sum, scratch);
    const bool log = kind == RowActivation::log_softmax;
    const float factor = log ? logf(sum) : 1.0F / sum;
    for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
        const float z = x[c] - largest;
        y[c] = log ? z - factor : expf(z) * factor;
    }
}

// dx = y (dy - sum dy y); dy - exp(y) sum dy; on the support {y > 0}: dy - mean of dy there.
template <class Group>
__global__ void row_backward_kernel(float* dx, const float* dy, const float* y, std::int64_t rows,
                                    std::int64_t cols, RowActivation kind) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = Group::row();
    if (row >= rows) return;
    dx += row * cols;
    dy += row * cols;
    y += row * cols;

    float sum = 0.0F;
    float support = 0.0F;
    for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
        switch (kind) {
            case RowActivation::softmax:
                sum += dy[c] * y[c];
                break;
            case RowActivation::log_softmax:
                sum += dy[c];
                break;
            case RowActivation::sparsemax:
                sum += y[c] > 0.0F ? dy[c] : 0.0F;
                support += y[c] > 0.0F ? 1.0F : 0.0F;
                break;
        }
    }
    sum = Group::sum(sum, scratch);
    support = Group::sum(support, scratch);
    for (std::int64_t c = Group::first_column(); c < cols; c += Group::threads) {
        switch (kind) {
            case RowActivation::softmax:
                dx[c] = y[c] * (dy[c] - sum);
                break;
            case RowActivation::log_softmax:
                dx[c] = dy[c] - expf(y[c]) * sum;
                break;
            case RowActivation::sparsemax:
                dx[c] = y[c] > 0.0F ? dy[c] - sum / support : 0.0F;
                break;
        }
    }
}

}  // namespace

cudaError_t row_activation_forward(float* y, const float* x, std::int64_t rows, std::int64_t cols,
                                   RowActivation kind, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    if (cols == 0) return cudaSuccess;
    return with_row_group(cols, [&](auto group) {
        using Group = decltype(group);
        return launch(row_forward_kernel<Group>, Group::shape(rows), stream, y, x, rows, cols,
                      kind);
    });
}

cudaError_t row_activation_backward(float* dx, const float* dy, const float* y, std::int64_t rows,
                                    std::int64_t cols, RowActivation kind, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    if (cols == 0) return cudaSuccess;
    return with_row_group(cols, [&](auto group) {
        using Group = decltype(group);
        return launch(row_backward_kernel<Group>, Group::shape(rows), stream, dx, dy, y, rows, cols,
                      kind);
    });
}

}  // namespace strata::kernels
