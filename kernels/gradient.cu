// Accumulation and clipping of gradients, in place.
#include "kernels/gradient.h"

#include <algorithm>

#include "kernels/common/map.h"
#include "kernels/common/rows.h"

namespace strata::kernels {
namespace {

// By packs as wide as the gradient's accesses allow.
template <class T>
__global__ void accumulate_kernel(float* sum, const T* gradient, std::int64_t packs, std::int64_t n,
                                  bool first, const StepValues* values) {
    if (values != nullptr) first = values->first_in_window != 0;
    constexpr int size = pack_size<float>;
    for (std::int64_t p = first_item(); p < packs; p += item_stride()) {
        const Pack<T, size> g = load_pack<size>(gradient, p);
        Pack<float, size> total{};
        if (!first) total = load_pack<size>(sum, p);
        for (int k = 0; k < size; ++k) {
            const float value = to_float(g.at[k]);
            total.at[k] = first ? value : total.at[k] + value;
        }
        store_pack(sum, p, total);
    }
    for (std::int64_t i = packs * size + first_item(); i < n; i += item_stride()) {
        const float g = to_float(gradient[i]);
        sum[i] = first ? g : sum[i] + g;
    }
}

__global__ void accumulate_sums_kernel(double* sum, const double* x, std::int64_t n, bool first,
                                       const StepValues* values) {
    if (values != nullptr) first = values->first_in_window != 0;
    for (std::int64_t i = first_item(); i < n; i += item_stride())
        sum[i] = first ? x[i] : sum[i] + x[i];
}

// As many segments go in one launch as its parameters hold: a model has few variables, and those
// on a table in memory would have to be copied there before.
constexpr int most_segments = 64;
struct SegmentTable {
    GradientSegment rows[most_segments];
};

// A segment begins anywhere: its elements up to the first access of 16 bytes, whole accesses, and
// the rest.
struct SegmentPacks {
    static constexpr int size = pack_size<float>;
    std::int64_t before, packs, count;

    __device__ SegmentPacks(const float* x, std::int64_t n) : count(n) {
        const auto address = reinterpret_cast<std::uintptr_t>(x) / sizeof(float);
        before = static_cast<std::int64_t>((size - address % size) % size);
        if (before > n) before = n;
        packs = (n - before) / size;
    }
    // pack(i) with x + before moved on by i accesses, one(i) for the elements beside them.
    template <class EachPack, class EachOne>
    __device__ void for_each(EachPack pack, EachOne one) const {
        for (std::int64_t p = first_item(); p < packs; p += item_stride()) pack(p);
        const std::int64_t rest = count - packs * size;
        for (std::int64_t i = first_item(); i < rest; i += item_stride())
            one(i < before ? i : i + packs * size);
    }
};

// Grid (blocks, segments): partial[segment][block].
__global__ void segment_squares_kernel(double* partial, const float* gradient, SegmentTable table) {
    __shared__ double scratch[warps_per_block];
    const GradientSegment segment = table.rows[blockIdx.y];
    const float* x = gradient + segment.offset;
    double sum = 0.0;
    const SegmentPacks packs(x, segment.count);
    const auto add = [&](double v) { sum += v * v; };
    packs.for_each(
        [&](std::int64_t p) {
            for (const float v : load_pack<SegmentPacks::size>(x + packs.before, p).at) add(v);
        },
        [&](std::int64_t i) { add(x[i]); });
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x == 0) partial[std::int64_t{blockIdx.y} * gridDim.x + blockIdx.x] = sum;
}

// Each block adds the few partial sums up itself, in the same order: one launch less.
__global__ void segment_scale_kernel(float* gradient, const double* partial, SegmentTable table,
                                     double scale, double limit, const StepValues* values) {
    if (values != nullptr) {
        scale = values->gradient_scale;
        limit = values->clip_limit;
        if (!(limit > 0.0)) return;
    }
    __shared__ double scratch[warps_per_block];
    __shared__ float shared_factor;
    const double* parts = partial + std::int64_t{blockIdx.y} * gridDim.x;
    double sum = 0.0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += block_size) sum += parts[i];
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x == 0) {
        const double norm = sqrt(sum) * scale;
        const bool clips = norm > limit && norm - norm == 0.0;
        shared_factor = clips ? static_cast<float>(limit / norm) : 1.0F;
    }
    __syncthreads();
    const float factor = shared_factor;
    if (factor == 1.0F) return;
    const GradientSegment segment = table.rows[blockIdx.y];
    float* x = gradient + segment.offset;
    const SegmentPacks packs(x, segment.count);
    packs.for_each(
        [&](std::int64_t p) {
            auto pack = load_pack<SegmentPacks::size>(x + packs.before, p);
            for (float& v : pack.at) v *= factor;
            store_pack(x + packs.before, p, pack);
        },
        [&](std::int64_t i) { x[i] *= factor; });
}

// Blocks for each segment, by the longest: fixed by the segments alone, so that the order of the
// sums is.
std::int64_t blocks_of(const GradientSegment* segments, std::size_t count) {
    constexpr std::int64_t most_blocks = 1024;
    constexpr std::int64_t items_per_thread = 16;
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < count; ++i) longest = std::max(longest, segments[i].count);
    return std::min(most_blocks, ceil_divide(longest, block_size * items_per_thread));
}

std::size_t table_size(std::size_t count) {
    return std::min<std::size_t>(count, most_segments);
}

}  // namespace

template <class T>
cudaError_t accumulate_gradient(float* sum, const T* gradient, std::int64_t n, bool first,
                                cudaStream_t stream, const StepValues* values) {
    if (n < 0) return cudaErrorInvalidValue;
    constexpr int size = pack_size<float>;
    const bool aligned = is_aligned(sum, widest_access) && is_aligned(gradient, size * sizeof(T));
    const std::int64_t packs = aligned ? n / size : 0;
    return launch(accumulate_kernel<T>, map_shape(packs, n - packs * size), stream, sum, gradient,
                  packs, n, first, values);
}

#define STRATA_INSTANTIATE(T)                                                                    \
    template cudaError_t accumulate_gradient(float*, const T*, std::int64_t, bool, cudaStream_t, \
                                             const StepValues*);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

cudaError_t accumulate_sums(double* sum, const double* x, std::int64_t n, bool first,
                            cudaStream_t stream, const StepValues* values) {
    if (n < 0) return cudaErrorInvalidValue;
    return launch(accumulate_sums_kernel, linear_shape(n), stream, sum, x, n, first, values);
}

std::size_t clip_by_norm_workspace_bytes(const GradientSegment* segments, std::size_t count) {
    return static_cast<std::size_t>(blocks_of(segments, count)) * table_size(count) *
           sizeof(double);
}

cudaError_t clip_by_norm(float* gradient, const GradientSegment* segments, std::size_t count,
                         double scale, double limit, void* workspace, cudaStream_t stream,
                         const StepValues* values) {
    if (values == nullptr && !(limit > 0.0)) return cudaErrorInvalidValue;
    auto* partial = static_cast<double*>(workspace);
    for (std::size_t first = 0; first < count; first += most_segments) {
        const std::size_t rows = table_size(count - first);
        SegmentTable table;
        std::copy_n(segments + first, rows, table.rows);
        const LaunchShape shape{
            dim3(static_cast<unsigned>(blocks_of(table.rows, rows)), static_cast<unsigned>(rows)),
            dim3(block_size)};
        cudaError_t error = launch(segment_squares_kernel, shape, stream, partial, gradient, table);
        if (error != cudaSuccess) return error;
        error = launch(segment_scale_kernel, shape, stream, gradient, partial, table, scale, limit,
                       values);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace strata::kernels
