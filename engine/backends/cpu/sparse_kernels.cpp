#include "engine/backends/cpu/sparse_kernels.h"

#include <immintrin.h>

#include "engine/backends/cpu/simd.h"

namespace strata::cpu {
namespace {

// ---- any x86-64

void add_run_plain(const Entry* entries, std::int64_t count, const float* source, float* target,
                   std::int64_t floats) {
    for (std::int64_t first = 0; first < floats; first += vector_floats) {
        float sums[vector_floats];
        for (int i = 0; i < vector_floats; ++i) sums[i] = target[first + i];
        for (std::int64_t e = 0; e < count; ++e) {
            const float* from = source + entries[e].at + first;
            for (int i = 0; i < vector_floats; ++i) sums[i] += from[i] * entries[e].value;
        }
        for (int i = 0; i < vector_floats; ++i) target[first + i] = sums[i];
    }
}

std::int64_t find_nonzeros_plain(const float* row, std::int64_t count, std::int32_t* places) {
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        places[found] = static_cast<std::int32_t>(i);
        found += row[i] != 0.0F ? 1 : 0;
    }
    return found;
}

// ---- AVX2: N registers of 8

template <int N>
[[STRATA_AVX2]] void add_avx2(const Entry* entries, std::int64_t count, const float* source,
                              float* target) {
    __m256 sums[N];
#pragma GCC unroll 12
    for (int i = 0; i < N; ++i) sums[i] = _mm256_loadu_ps(target + 8 * i);
    for (std::int64_t e = 0; e < count; ++e) {
        const float* from = source + entries[e].at;
        const __m256 value = _mm256_set1_ps(entries[e].value);
#pragma GCC unroll 12
        for (int i = 0; i < N; ++i)
            sums[i] = _mm256_fmadd_ps(_mm256_loadu_ps(from + 8 * i), value, sums[i]);
    }
#pragma GCC unroll 12
    for (int i = 0; i < N; ++i) _mm256_storeu_ps(target + 8 * i, sums[i]);
}

void add_run_avx2(const Entry* entries, std::int64_t count, const float* source, float* target,
                  std::int64_t floats) {
    for (; floats >= 96; floats -= 96, source += 96, target += 96)
        add_avx2<12>(entries, count, source, target);
    for (; floats >= 32; floats -= 32, source += 32, target += 32)
        add_avx2<4>(entries, count, source, target);
    if (floats > 0) add_avx2<2>(entries, count, source, target);
}

// For each mask of 8 bits the places of its ones, a byte each.
struct PlacesOfMask {
    std::uint8_t places[256][8] = {};

    constexpr PlacesOfMask() {
        for (unsigned mask = 0; mask < 256; ++mask)
            for (unsigned bit = 0, found = 0; bit < 8; ++bit)
                if ((mask >> bit & 1U) != 0) places[mask][found++] = static_cast<std::uint8_t>(bit);
    }
};
constexpr PlacesOfMask places_of_mask;

[[STRATA_AVX2]] std::int64_t find_nonzeros_avx2(const float* row, std::int64_t count,
                                                std::int32_t* places) {
    std::int64_t found = 0;
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256 nonzero =
            _mm256_cmp_ps(_mm256_loadu_ps(row + i), _mm256_setzero_ps(), _CMP_NEQ_UQ);
        const auto mask = static_cast<unsigned>(_mm256_movemask_ps(nonzero));
        const __m128i bytes =
            _mm_loadl_epi64(reinterpret_cast<const __m128i*>(places_of_mask.places[mask]));
        const __m256i at = _mm256_add_epi32(_mm256_cvtepu8_epi32(bytes),
                                            _mm256_set1_epi32(static_cast<std::int32_t>(i)));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(places + found), at);
        found += __builtin_popcount(mask);
    }
    for (; i < count; ++i) {
        places[found] = static_cast<std::int32_t>(i);
        found += row[i] != 0.0F ? 1 : 0;
    }
    return found;
}

}  // namespace

const SparseKernels& sparse_kernels() {
    static const SparseKernels kernels = [] {
        if (isa() == Isa::generic) return SparseKernels{add_run_plain, find_nonzeros_plain};
        return SparseKernels{add_run_avx2, find_nonzeros_avx2};
    }();
    return kernels;
}

}  // namespace strata::cpu
