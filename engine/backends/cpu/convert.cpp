#include "engine/backends/cpu/convert.h"

#include <immintrin.h>

#include <cstring>

#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/core/half.h"

namespace strata::cpu {
namespace {

constexpr std::int64_t bytes_moved = 6;  // of one element: 2 on one side, 4 on the other
constexpr std::int64_t lanes = 8;

template <typename T>
void widen(const T* x, float* y, std::int64_t n) {
    simd([=]() STRATA_BODY {
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) y[i] = to_float(x[i]);
    });
}

template <typename T>
void narrow(const float* x, T* y, std::int64_t n) {
    simd([=]() STRATA_BODY {
#pragma omp simd
        for (std::int64_t i = 0; i < n; ++i) y[i] = from_float<T>(x[i]);
    });
}

// The instructions for float16, which the compiler does not put into loops.
[[STRATA_AVX2]] void widen_f16c(const Float16* x, float* y, std::int64_t n) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        _mm256_storeu_ps(y + i,
                         _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i))));
    for (; i < n; ++i) y[i] = to_float(x[i]);
}

[[STRATA_AVX2]] void narrow_f16c(const float* x, Float16* y, std::int64_t n) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(y + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
    for (; i < n; ++i) y[i] = to_float16(x[i]);
}

// to_bfloat16 of eight numbers, in the lower halves of the lanes.
[[STRATA_AVX2]] inline __m256i upper_halves(__m256 x) {
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i upper = _mm256_srli_epi32(bits, 16);
    const __m256i odd = _mm256_and_si256(upper, _mm256_set1_epi32(1));
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd);
    const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    return _mm256_blendv_epi8(_mm256_srli_epi32(sum, 16),
                              _mm256_or_si256(upper, _mm256_set1_epi32(0x40)), nan);
}

// The compiler's loop takes about twice as long.
[[STRATA_AVX2]] void narrow_avx2(const float* x, BFloat16* y, std::int64_t n) {
    std::int64_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        const __m256i packed = _mm256_packus_epi32(upper_halves(_mm256_loadu_ps(x + i)),
                                                   upper_halves(_mm256_loadu_ps(x + i + lanes)));
        constexpr int in_order = 0xD8;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + i),
                            _mm256_permute4x64_epi64(packed, in_order));
    }
    for (; i < n; ++i) y[i] = to_bfloat16(x[i]);
}

}  // namespace

void to_float32(DType type, const void* x, float* y, std::int64_t n) {
    if (type == DType::float32)
        std::memcpy(y, x, static_cast<std::size_t>(n) * sizeof(float));
    else if (type == DType::bfloat16)
        widen(static_cast<const BFloat16*>(x), y, n);
    else if (isa() == Isa::generic)
        widen(static_cast<const Float16*>(x), y, n);
    else
        widen_f16c(static_cast<const Float16*>(x), y, n);
}

void from_float32(DType type, const float* x, void* y, std::int64_t n) {
    const bool generic = isa() == Isa::generic;
    if (type == DType::float32)
        std::memcpy(y, x, static_cast<std::size_t>(n) * sizeof(float));
    else if (type == DType::bfloat16)
        generic ? narrow(x, static_cast<BFloat16*>(y), n)
                : narrow_avx2(x, static_cast<BFloat16*>(y), n);
    else
        generic ? narrow(x, static_cast<Float16*>(y), n)
                : narrow_f16c(x, static_cast<Float16*>(y), n);
}

void to_float32(DType type, const void* x, float* y, std::int64_t n, int threads) {
    const auto size = static_cast<std::int64_t>(size_of(type));
    for_range(threads, n, bytes_moved, 64, [=](std::int64_t begin, std::int64_t end) {
        to_float32(type, static_cast<const std::byte*>(x) + begin * size, y + begin, end - begin);
    });
}

void from_float32(DType type, const float* x, void* y, std::int64_t n, int threads) {
    const auto size = static_cast<std::int64_t>(size_of(type));
    for_range(threads, n, bytes_moved, 64, [=](std::int64_t begin, std::int64_t end) {
        from_float32(type, x + begin, static_cast<std::byte*>(y) + begin * size, end - begin);
    });
}

}  // namespace strata::cpu
