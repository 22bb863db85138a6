// Stand-in for the CUDA toolkit's header of the same name: matrix products of a warp on the tensor
// cores, 16 x 16 x 16 of float16 or bfloat16 and 16 x 16 x 8 of TF32, with sums in float32. Which
// lane holds which element is the header's own affair, as CUDA leaves it open.
#pragma once

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_emulator.h"
#include "cuda_fp16.h"

namespace cuda_emulator {

// One lane's part in d = a b + c of the warp: its elements of a 16 x 16 x depth product, every
// 32nd of the row-major matrices. Returns when all lanes have come.
struct LanesProduct {
    float* d;
    const float *a, *b, *c;
    int depth;
};
void warp_product(const LanesProduct& lane, const std::source_location& where);

// Fails the kernel unless the pointer lies on 32 bytes and the lines are 16 bytes or a multiple
// apart, which the hardware asks for.
void check_fragment_lines(const void* pointer, std::size_t line_bytes);

}  // namespace cuda_emulator

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
    static_assert(M == 16 && N == 16);
    static_assert(std::is_same_v<Use, accumulator> ||
                  (std::is_same_v<T, precision::tf32> ? K == 8 : K == 16));
    static_assert(!std::is_same_v<Use, accumulator> || std::is_same_v<T, float>);
    static constexpr int rows = std::is_same_v<Use, matrix_b> ? K : M;
    static constexpr int cols = std::is_same_v<Use, matrix_a> ? K : N;
    static constexpr int num_elements = rows * cols / 32;
    float x[num_elements];
};

inline float element(__half x) {
    return __half2float(x);
}
inline float element(__nv_bfloat16 x) {
    return __bfloat162float(x);
}
inline float element(float x) {
    return x;
}

// To TF32's 10 fraction bits, to nearest, ties away.
inline float __float_to_tf32(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return x - x == 0.0F ? std::bit_cast<float>((bits + 0x1000U) & ~0x1FFFU) : x;
}

template <class Use, int K, class T, class Layout>
void fill_fragment(fragment<Use, 16, 16, K, T, Layout>& f, float value) {
    for (float& x : f.x) x = value;
}

template <class Use, int K, class T, class Layout, class Stored>
void load_matrix_sync(fragment<Use, 16, 16, K, T, Layout>& f, const Stored* from, unsigned stride) {
    static_assert(std::is_same_v<T, Stored> ||
                  (std::is_same_v<T, precision::tf32> && std::is_same_v<Stored, float>));
    using F = fragment<Use, 16, 16, K, T, Layout>;
    cuda_emulator::check_fragment_lines(from, stride * sizeof(Stored));
    for (int i = 0; i < F::num_elements; ++i) {
        const int e = cuda_emulator::lane() + 32 * i;
        const int row = e / F::cols;
        const int col = e % F::cols;
        const bool by_rows = std::is_same_v<Layout, row_major>;
        f.x[i] = element(from[by_rows ? row * static_cast<int>(stride) + col
                                      : col * static_cast<int>(stride) + row]);
    }
}

template <int K>
void store_matrix_sync(float* to, const fragment<accumulator, 16, 16, K, float>& f, unsigned stride,
                       layout_t layout) {
    cuda_emulator::check_fragment_lines(to, stride * sizeof(float));
    for (int i = 0; i < 8; ++i) {
        const int e = cuda_emulator::lane() + 32 * i;
        const int line = static_cast<int>(stride);
        to[layout == mem_row_major ? e / 16 * line + e % 16 : e % 16 * line + e / 16] = f.x[i];
    }
}

template <int K, class T, class A, class B>
void mma_sync(fragment<accumulator, 16, 16, K, float>& d,
              const fragment<matrix_a, 16, 16, K, T, A>& a,
              const fragment<matrix_b, 16, 16, K, T, B>& b,
              const fragment<accumulator, 16, 16, K, float>& c,
              std::source_location where = std::source_location::current()) {
    cuda_emulator::warp_product({d.x, a.x, b.x, c.x, K}, where);
}

}  // namespace nvcuda::wmma
