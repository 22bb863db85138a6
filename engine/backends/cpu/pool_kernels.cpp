#include "engine/backends/cpu/pool_kernels.h"

#include <immintrin.h>

#include "engine/backends/cpu/simd.h"

namespace strata::cpu {
namespace {

constexpr std::int64_t lanes = 8;

// The lowest byte of each lane.
[[STRATA_AVX2]] inline void store_bytes(std::uint8_t* to, __m256i values) {
    const __m256i first_bytes =
        _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12,
                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i packed = _mm256_shuffle_epi8(values, first_bytes);
    _mm_storel_epi64(
        reinterpret_cast<__m128i*>(to),
        _mm_unpacklo_epi32(_mm256_castsi256_si128(packed), _mm256_extracti128_si256(packed, 1)));
}

void max_channel(const float* image, const WindowCells& cells, std::int64_t i, float* y,
                 std::uint8_t* argmax) {
    float best = image[cells.at[0] + i];
    std::uint8_t winner = cells.position[0];
    for (std::int64_t k = 1; k < cells.count; ++k) {
        const float value = image[cells.at[k] + i];
        if (!(value > best)) continue;
        best = value;
        winner = cells.position[k];
    }
    y[i] = best;
    if (argmax != nullptr) argmax[i] = winner;
}

}  // namespace

[[STRATA_AVX2]] void max_window_avx2(const float* image, const WindowCells& cells, std::int64_t c,
                                     float* y, std::uint8_t* argmax) {
    std::int64_t i = 0;
    for (; i + lanes <= c; i += lanes) {
        __m256 best = _mm256_loadu_ps(image + cells.at[0] + i);
        __m256 winner = _mm256_castsi256_ps(_mm256_set1_epi32(cells.position[0]));
        for (std::int64_t k = 1; k < cells.count; ++k) {
            const __m256 value = _mm256_loadu_ps(image + cells.at[k] + i);
            const __m256 larger = _mm256_cmp_ps(value, best, _CMP_GT_OQ);
            const __m256 here = _mm256_castsi256_ps(_mm256_set1_epi32(cells.position[k]));
            best = _mm256_blendv_ps(best, value, larger);
            winner = _mm256_blendv_ps(winner, here, larger);
        }
        _mm256_storeu_ps(y + i, best);
        if (argmax != nullptr) store_bytes(argmax + i, _mm256_castps_si256(winner));
    }
    for (; i < c; ++i) max_channel(image, cells, i, y, argmax);
}

[[STRATA_AVX2]] void max_window_backward_avx2(const float* dy, const std::uint8_t* argmax,
                                              const float* y, const WindowCells& cells,
                                              std::int64_t c, bool add, float* image) {
    std::int64_t i = 0;
    for (; i + lanes <= c; i += lanes) {
        __m256 gradient = _mm256_loadu_ps(dy + i);
        if (y != nullptr)
            gradient = _mm256_and_ps(
                gradient, _mm256_cmp_ps(_mm256_loadu_ps(y + i), _mm256_setzero_ps(), _CMP_GT_OQ));
        const __m256i winner =
            _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(argmax + i)));
        for (std::int64_t k = 0; k < cells.count; ++k) {
            const __m256i here = _mm256_cmpeq_epi32(winner, _mm256_set1_epi32(cells.position[k]));
            __m256 value = _mm256_and_ps(gradient, _mm256_castsi256_ps(here));
            float* cell = image + cells.at[k] + i;
            if (add) value = _mm256_add_ps(value, _mm256_loadu_ps(cell));
            _mm256_storeu_ps(cell, value);
        }
    }
    for (; i < c; ++i) {
        const float gradient = y == nullptr || y[i] > 0.0F ? dy[i] : 0.0F;
        for (std::int64_t k = 0; k < cells.count; ++k) {
            float& cell = image[cells.at[k] + i];
            cell = (add ? cell : 0.0F) + (argmax[i] == cells.position[k] ? gradient : 0.0F);
        }
    }
}

}  // namespace strata::cpu
