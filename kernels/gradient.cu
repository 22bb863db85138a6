// Accumulation and clipping of gradients, in place.
#include "kernels/gradient.h"

#include <algorithm>

#include "kernels/common/map.h"
#include "kernels/common/rows.h"

namespace strata::kernels {
namespace {

struct Overwrite {
    __device__ void operator()(const float (&in)[2], float (&out)[1]) const { out[0] = in[1]; }
};

struct Add {
    __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
        out[0] = in[0] + in[1];
    }
};

__device__ inline float float_of_bits(std::uint32_t bits) {
    union {
        std::uint32_t bits;
        float value;
    } both{bits};
    return both.value;
}

struct FromBFloat {
    __device__ float operator()(std::uint16_t x) const {
        return float_of_bits(std::uint32_t{x} << 16);
    }
};

// float16 by its bits: exponent and mantissa move up, the exponent's bias grows by 112; all ones in
// the exponent stay all ones; under the smallest exponent the mantissa counts units of 2^-24.
struct FromHalf {
    __device__ float operator()(std::uint16_t x) const {
        const std::uint32_t magnitude = x & 0x7FFFU;
        const std::uint32_t bias = magnitude >= 0x7C00U ? 224U << 23 : 112U << 23;
        const float value = magnitude < 0x0400U ? static_cast<float>(magnitude) * 0x1p-24F
                                                : float_of_bits((magnitude << 13) + bias);
        return (x & 0x8000U) != 0 ? -value : value;
    }
};

template <class From>
__global__ void accumulate_kernel(float* sum, const std::uint16_t* gradient, std::int64_t n,
                                  bool first, From from) {
    const std::int64_t stride = item_stride();
    for (std::int64_t i = first_item(); i < n; i += stride) {
        const float g = from(gradient[i]);
        sum[i] = first ? g : sum[i] + g;
    }
}

template <class From>
cudaError_t accumulate_16(float* sum, const void* gradient, std::int64_t n, bool first, From from,
                          cudaStream_t stream) {
    return launch(accumulate_kernel<From>, linear_shape(n), stream, sum,
                  static_cast<const std::uint16_t*>(gradient), n, first, from);
}

// As many segments go in one launch as its parameters hold: a model has few variables, and those
// on a table in memory would have to be copied there before.
constexpr int most_segments = 64;
struct SegmentTable {
    GradientSegment rows[most_segments];
};

// Grid (blocks, segments): partial[segment][block].
__global__ void segment_squares_kernel(double* partial, const float* gradient, SegmentTable table) {
    __shared__ double scratch[warps_per_block];
    const GradientSegment segment = table.rows[blockIdx.y];
    const float* x = gradient + segment.offset;
    double sum = 0.0;
    for (std::int64_t i = first_item(); i < segment.count; i += item_stride()) {
        const double v = x[i];
        sum += v * v;
    }
    sum = block_reduce<warps_per_block>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x == 0) partial[std::int64_t{blockIdx.y} * gridDim.x + blockIdx.x] = sum;
}

// Each block adds the few partial sums up itself, in the same order: one launch less.
__global__ void segment_scale_kernel(float* gradient, const double* partial, SegmentTable table,
                                     double scale, double limit) {
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
    for (std::int64_t i = first_item(); i < segment.count; i += item_stride()) x[i] *= factor;
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

cudaError_t accumulate_gradient(float* sum, const void* gradient, GradientType type, std::int64_t n,
                                bool first, cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    switch (type) {
        case GradientType::bfloat16:
            return accumulate_16(sum, gradient, n, first, FromBFloat{}, stream);
        case GradientType::float16:
            return accumulate_16(sum, gradient, n, first, FromHalf{}, stream);
        case GradientType::float32:
            break;
    }
    const MapArrays<2, 1> arrays{{sum, static_cast<const float*>(gradient)}, {sum}};
    return first ? launch_map(arrays, n, Overwrite{}, stream)
                 : launch_map(arrays, n, Add{}, stream);
}

std::size_t clip_by_norm_workspace_bytes(const GradientSegment* segments, std::size_t count) {
    return static_cast<std::size_t>(blocks_of(segments, count)) * table_size(count) *
           sizeof(double);
}

cudaError_t clip_by_norm(float* gradient, const GradientSegment* segments, std::size_t count,
                         double scale, double limit, void* workspace, cudaStream_t stream) {
    if (!(limit > 0.0)) return cudaErrorInvalidValue;
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
        error = launch(segment_scale_kernel, shape, stream, gradient, partial, table, scale, limit);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace strata::kernels
