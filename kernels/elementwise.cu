// Element-wise arithmetic and copies: bound by memory, so 16 bytes a thread where alignment allows.
#include "kernels/elementwise.h"

#include "kernels/common/map.h"

namespace strata::kernels {
namespace {

struct ScaleShift {
    float scale, offset;
    __device__ void operator()(const float (&in)[1], float (&out)[1]) const {
        out[0] = in[0] * scale + offset;
    }
};

template <int Count>
struct AddAll {
    __device__ void operator()(const float (&in)[Count], float (&out)[1]) const {
        float sum = in[0];
        for (int k = 1; k < Count; ++k) sum += in[k];
        out[0] = sum;
    }
};

__global__ void fill_kernel(float* y, float value, std::int64_t n) {
    for (std::int64_t i = first_item(); i < n; i += item_stride()) y[i] = value;
}

// Bytes by fours: one 4-byte load and one 16-byte store a thread.
__global__ void scale_shift_bytes_kernel(float* y, const std::uint8_t* x, std::int64_t groups,
                                         std::int64_t n, ScaleShift op) {
    const auto apply = [&](unsigned char value) {
        return static_cast<float>(value) * op.scale + op.offset;
    };
    for (std::int64_t g = first_item(); g < groups; g += item_stride()) {
        const uchar4 v = reinterpret_cast<const uchar4*>(x)[g];
        reinterpret_cast<float4*>(y)[g] =
            make_float4(apply(v.x), apply(v.y), apply(v.z), apply(v.w));
    }
    for (std::int64_t i = groups * 4 + first_item(); i < n; i += item_stride()) y[i] = apply(x[i]);
}

template <class Word, class Index>
__global__ void copy_block_kernel(Word* y, const Word* x, BlockCopy block, Index n) {
    const Index width = static_cast<Index>(block.width);
    const Index stride = static_cast<Index>(item_stride());
    for (Index i = static_cast<Index>(first_item()); i < n; i += stride) {
        const Index row = i / width;
        const Index col = i - row * width;
        y[block.y_offset + row * block.y_stride + col] =
            x[block.x_offset + row * block.x_stride + col];
    }
}

template <class Word>
cudaError_t launch_copy(void* y, const void* x, BlockCopy block, cudaStream_t stream) {
    const std::int64_t n = block.rows * block.width;
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return launch(copy_block_kernel<Word, Index>, linear_shape(n), stream,
                      static_cast<Word*>(y), static_cast<const Word*>(x), block,
                      static_cast<Index>(n));
    });
}

bool all_multiples_of_four(BlockCopy b) {
    return b.width % 4 == 0 && b.x_stride % 4 == 0 && b.x_offset % 4 == 0 && b.y_stride % 4 == 0 &&
           b.y_offset % 4 == 0;
}

template <int Count>
cudaError_t add_some(float* y, const float* const* inputs, std::int64_t n, cudaStream_t stream) {
    MapArrays<Count, 1> arrays{};
    for (int k = 0; k < Count; ++k) arrays.in[k] = inputs[k];
    arrays.out[0] = y;
    return launch_map(arrays, n, AddAll<Count>{}, stream);
}

}  // namespace

cudaError_t fill(float* y, float value, std::int64_t n, cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    return launch(fill_kernel, linear_shape(n), stream, y, value, n);
}

cudaError_t scale_shift(float* y, const float* x, std::int64_t n, float scale, float offset,
                        cudaStream_t stream) {
    return launch_map(MapArrays<1, 1>{{x}, {y}}, n, ScaleShift{scale, offset}, stream);
}

cudaError_t scale_shift(float* y, const std::uint8_t* x, std::int64_t n, float scale, float offset,
                        cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    const bool aligned = is_aligned(y, sizeof(float4)) && is_aligned(x, sizeof(uchar4));
    const std::int64_t groups = aligned ? n / 4 : 0;
    return launch(scale_shift_bytes_kernel, linear_shape(aligned ? ceil_divide(n, 4) : n), stream,
                  y, x, groups, n, ScaleShift{scale, offset});
}

cudaError_t add(float* y, const float* a, const float* b, std::int64_t n, cudaStream_t stream) {
    const float* const inputs[] = {a, b};
    return add_some<2>(y, inputs, n, stream);
}

cudaError_t add_n(float* y, const float* const* inputs, int count, std::int64_t n,
                  cudaStream_t stream) {
    switch (count) {
        case 1:
            return add_some<1>(y, inputs, n, stream);
        case 2:
            return add_some<2>(y, inputs, n, stream);
        case 3:
            return add_some<3>(y, inputs, n, stream);
        case 4:
            return add_some<4>(y, inputs, n, stream);
        default:
            break;
    }
    if (count < 1) return cudaErrorInvalidValue;
    cudaError_t error = add_some<4>(y, inputs, n, stream);
    for (int k = 4; k < count && error == cudaSuccess; ++k) {
        error = add(y, y, inputs[k], n, stream);
    }
    return error;
}

cudaError_t copy_block(void* y, const void* x, BlockCopy block, cudaStream_t stream) {
    if (block.rows < 0 || block.width < 0) return cudaErrorInvalidValue;
    const bool wide = all_multiples_of_four(block) && is_aligned(y, sizeof(uint4)) &&
                      is_aligned(x, sizeof(uint4));
    if (!wide) return launch_copy<std::uint32_t>(y, x, block, stream);
    block.width /= 4;
    block.x_stride /= 4;
    block.x_offset /= 4;
    block.y_stride /= 4;
    block.y_offset /= 4;
    return launch_copy<uint4>(y, x, block, stream);
}

}  // namespace strata::kernels
