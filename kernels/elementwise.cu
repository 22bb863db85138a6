// Scaling, conversion, sums and copies: bound by memory, so 16 bytes a thread where alignment
// allows.
#include "kernels/elementwise.h"

#include "kernels/common/map.h"

namespace strata::kernels {
namespace {

template <int Count>
struct AddAll {
    __device__ void operator()(const float (&in)[Count], float (&out)[1]) const {
        float sum = in[0];
        for (int k = 1; k < Count; ++k) sum += in[k];
        out[0] = sum;
    }
};

template <int Size, class T>
__global__ void fill_kernel(T* y, float value, std::int64_t packs) {
    Pack<T, Size> all;
    for (int k = 0; k < Size; ++k) all.at[k] = rounded<T>(value);
    for (std::int64_t p = first_item(); p < packs; p += item_stride()) store_pack(y, p, all);
}

struct ScaleShift {
    float scale, offset;
    template <class To, class From>
    __device__ To apply(From x) const {
        return rounded<To>(to_float(x) * scale + offset);
    }
};

// As many elements as 16 bytes of the wider type hold.
template <class From, class To>
inline constexpr int scale_pack = pack_size<From> < pack_size<To> ? pack_size<From> : pack_size<To>;

template <class From, class To>
__global__ void scale_shift_kernel(To* y, const From* x, std::int64_t packs, std::int64_t n,
                                   ScaleShift op) {
    constexpr int size = scale_pack<From, To>;
    for_each_two(
        packs, [&](std::int64_t p) { return load_pack<size>(x, p); },
        [&](std::int64_t p, const Pack<From, size>& from) {
            Pack<To, size> to;
            for (int k = 0; k < size; ++k) to.at[k] = op.apply<To>(from.at[k]);
            store_pack(y, p, to);
        });
    for (std::int64_t i = packs * size + first_item(); i < n; i += item_stride()) {
        y[i] = op.apply<To>(x[i]);
    }
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

// block: in bytes.
template <class Word>
cudaError_t launch_copy(void* y, const void* x, const BlockCopy& block, cudaStream_t stream) {
    constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
    const BlockCopy words{block.rows,
                          block.width / size,
                          block.x_stride / size,
                          block.x_offset / size,
                          block.y_stride / size,
                          block.y_offset / size};
    const std::int64_t n = words.rows * words.width;
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return launch(copy_block_kernel<Word, Index>, linear_shape(n), stream,
                      static_cast<Word*>(y), static_cast<const Word*>(x), words,
                      static_cast<Index>(n));
    });
}

template <class T, int Count>
cudaError_t add_some(T* y, const T* const* inputs, std::int64_t n, cudaStream_t stream) {
    MapArrays<Count, 1, T> arrays{};
    for (int k = 0; k < Count; ++k) arrays.in[k] = inputs[k];
    arrays.out[0] = y;
    return launch_map(arrays, n, AddAll<Count>{}, stream);
}

constexpr int most_added = 8;  // arrays of one launch

}  // namespace

template <class T>
cudaError_t fill(T* y, float value, std::int64_t n, cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    constexpr int size = pack_size<T>;
    const std::int64_t packs = is_aligned(y, widest_access) ? n / size : 0;
    const cudaError_t error =
        launch(fill_kernel<size, T>, linear_shape(packs), stream, y, value, packs);
    if (error != cudaSuccess) return error;
    const std::int64_t rest = n - packs * size;
    return launch(fill_kernel<1, T>, linear_shape(rest), stream, y + packs * size, value, rest);
}

template <class From, class To>
cudaError_t scale_shift(To* y, const From* x, std::int64_t n, float scale, float offset,
                        cudaStream_t stream) {
    if (n < 0) return cudaErrorInvalidValue;
    constexpr int size = scale_pack<From, To>;
    const bool aligned = is_aligned(y, sizeof(To) * size) && is_aligned(x, sizeof(From) * size);
    const std::int64_t packs = aligned ? n / size : 0;
    return launch(scale_shift_kernel<From, To>, two_packs_shape(packs, n - packs * size), stream, y,
                  x, packs, n, ScaleShift{scale, offset});
}

template <class T>
cudaError_t add_n(T* y, const T* const* inputs, int count, std::int64_t n, cudaStream_t stream) {
    switch (count) {
        case 1:
            return add_some<T, 1>(y, inputs, n, stream);
        case 2:
            return add_some<T, 2>(y, inputs, n, stream);
        case 3:
            return add_some<T, 3>(y, inputs, n, stream);
        case 4:
            return add_some<T, 4>(y, inputs, n, stream);
        case 5:
            return add_some<T, 5>(y, inputs, n, stream);
        case 6:
            return add_some<T, 6>(y, inputs, n, stream);
        case 7:
            return add_some<T, 7>(y, inputs, n, stream);
        case most_added:
            return add_some<T, most_added>(y, inputs, n, stream);
        default:
            break;
    }
    if (count < 1) return cudaErrorInvalidValue;
    cudaError_t error = add_some<T, most_added>(y, inputs, n, stream);
    for (int k = most_added; k < count && error == cudaSuccess; ++k) {
        const T* const both[] = {y, inputs[k]};
        error = add_some<T, 2>(y, both, n, stream);
    }
    return error;
}

cudaError_t copy_block(void* y, const void* x, const BlockCopy& block, int element_bytes,
                       cudaStream_t stream) {
    if (block.rows < 0 || block.width < 0 || element_bytes < 1) return cudaErrorInvalidValue;
    const auto size = std::int64_t{element_bytes};
    const BlockCopy bytes{block.rows,
                          block.width * size,
                          block.x_stride * size,
                          block.x_offset * size,
                          block.y_stride * size,
                          block.y_offset * size};
    const auto all = static_cast<std::uintptr_t>(bytes.width | bytes.x_stride | bytes.x_offset |
                                                 bytes.y_stride | bytes.y_offset) |
                     reinterpret_cast<std::uintptr_t>(y) | reinterpret_cast<std::uintptr_t>(x);
    if (all % sizeof(uint4) == 0) return launch_copy<uint4>(y, x, bytes, stream);
    if (all % sizeof(uint2) == 0) return launch_copy<uint2>(y, x, bytes, stream);
    if (all % sizeof(std::uint32_t) == 0) return launch_copy<std::uint32_t>(y, x, bytes, stream);
    if (all % sizeof(std::uint16_t) == 0) return launch_copy<std::uint16_t>(y, x, bytes, stream);
    return launch_copy<std::uint8_t>(y, x, bytes, stream);
}

#define STRATA_INSTANTIATE(T)                                                                     \
    template cudaError_t fill(T*, float, std::int64_t, cudaStream_t);                             \
    template cudaError_t add_n(T*, const T* const*, int, std::int64_t, cudaStream_t);             \
    template cudaError_t scale_shift(T*, const std::uint8_t*, std::int64_t, float, float,         \
                                     cudaStream_t);                                               \
    template cudaError_t scale_shift(T*, const float*, std::int64_t, float, float, cudaStream_t); \
    template cudaError_t scale_shift(T*, const BFloat16*, std::int64_t, float, float,             \
                                     cudaStream_t);                                               \
    template cudaError_t scale_shift(T*, const Float16*, std::int64_t, float, float, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
