// Row-wise activations: a row is read three times, from cache after the first, in whole accesses of
// Size elements where rows and arrays lie so.
#include "kernels/softmax.h"

#include "kernels/common/rows.h"

namespace strata::kernels {
namespace {

// The threshold tau with sum of max(x - largest - tau, 0) = 1, by Michelot's iteration: tau of the
// entries above the last tau, until none falls away. At most one round an entry; no sort, which a
// warp could not do on a row of any length.
template <int Size, class Group, class T>
__device__ float sparsemax_threshold(Group group, const T* x, std::int64_t cols, float largest,
                                     float* scratch) {
    float tau = -INFINITY;
    float support = INFINITY;
    bool done = false;  // and tau stays, while rows beside this one go on
    while (true) {
        float sum = 0.0F;
        float count = 0.0F;
        for_each_in_row<Size>(group, x, cols, [&](float value) {
            const float z = value - largest;
            if (!(z <= tau)) {  // NaN counts, and so reaches every output of its row
                sum += z;
                count += 1.0F;
            }
        });
        sum = group.sum(sum, scratch);
        count = group.sum(count, scratch);
        if (count >= support || count == 0.0F) done = true;
        if (!done) {
            support = count;
            tau = (sum - 1.0F) / count;
            done = tau != tau;
        }
        if (!group.any(!done)) return tau;
    }
}

template <int Size, class Group, class T>
__global__ void row_forward_kernel(Group group, T* y, const T* x, std::int64_t rows,
                                   std::int64_t cols, RowActivation kind) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = group.row();
    x += row * cols;
    y += row * cols;
    if (row >= rows) cols = 0;

    float largest = -INFINITY;
    for_each_in_row<Size>(group, x, cols, [&](float value) { largest = Max{}(largest, value); });
    largest = group.reduce(largest, -INFINITY, Max{}, scratch);

    if (kind == RowActivation::sparsemax) {
        const float tau = sparsemax_threshold<Size>(group, x, cols, largest, scratch);
        map_row<Size>(group, y, x, cols, [&](float value) {
            const float z = value - largest - tau;
            return z < 0.0F ? 0.0F : z;
        });
        return;
    }
    float sum = 0.0F;
    for_each_in_row<Size>(group, x, cols, [&](float value) { sum += expf(value - largest); });
    sum = group.sum(sum, scratch);
    const bool log = kind == RowActivation::log_softmax;
    const float factor = log ? logf(sum) : 1.0F / sum;
    map_row<Size>(group, y, x, cols, [&](float value) {
        const float z = value - largest;
        return log ? z - factor : expf(z) * factor;
    });
}

// dx = y (dy - sum dy y); dy - exp(y) sum dy; on the support {y > 0}: dy - mean of dy there.
template <int Size, class Group, class T>
__global__ void row_backward_kernel(Group group, T* dx, const T* dy, const T* y, std::int64_t rows,
                                    std::int64_t cols, RowActivation kind) {
    __shared__ float scratch[warps_per_block];
    const std::int64_t row = group.row();
    dx += row * cols;
    dy += row * cols;
    y += row * cols;
    if (row >= rows) cols = 0;

    float sum = 0.0F;
    float support = 0.0F;
    const auto add = [&](float d, float result) {
        switch (kind) {
            case RowActivation::softmax:
                sum += d * result;
                break;
            case RowActivation::log_softmax:
                sum += d;
                break;
            case RowActivation::sparsemax:
                sum += result > 0.0F ? d : 0.0F;
                support += result > 0.0F ? 1.0F : 0.0F;
                break;
        }
    };
    if (kind == RowActivation::log_softmax)
        for_each_in_row<Size>(group, dy, cols, [&](float d) { add(d, 0.0F); });
    else
        for_each_in_rows<Size>(group, dy, y, cols, add);
    sum = group.sum(sum, scratch);
    support = group.sum(support, scratch);
    map_rows<Size>(group, dx, dy, y, cols, [&](float d, float result) {
        if (kind == RowActivation::softmax) return result * (d - sum);
        if (kind == RowActivation::log_softmax) return d - expf(result) * sum;
        return result > 0.0F ? d - sum / support : 0.0F;
    });
}

}  // namespace

template <class T>
cudaError_t row_activation_forward(T* y, const T* x, std::int64_t rows, std::int64_t cols,
                                   RowActivation kind, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    if (cols == 0) return cudaSuccess;
    return with_row_access<T>(cols, {x, y}, [&](auto group, auto size) {
        using Group = decltype(group);
        return launch(row_forward_kernel<decltype(size)::value, Group, T>, group.shape(rows),
                      stream, group, y, x, rows, cols, kind);
    });
}

template <class T>
cudaError_t row_activation_backward(T* dx, const T* dy, const T* y, std::int64_t rows,
                                    std::int64_t cols, RowActivation kind, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    if (cols == 0) return cudaSuccess;
    return with_row_access<T>(cols, {dx, dy, y}, [&](auto group, auto size) {
        using Group = decltype(group);
        return launch(row_backward_kernel<decltype(size)::value, Group, T>, group.shape(rows),
                      stream, group, dx, dy, y, rows, cols, kind);
    });
}

#define STRATA_INSTANTIATE(T)                                                             \
    template cudaError_t row_activation_forward(T*, const T*, std::int64_t, std::int64_t, \
                                                RowActivation, cudaStream_t);             \
    template cudaError_t row_activation_backward(T*, const T*, const T*, std::int64_t,    \
                                                 std::int64_t, RowActivation, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
