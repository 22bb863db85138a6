// Inverted dropout from counter-based random numbers: any cut of the batch draws the same mask.
#include <immintrin.h>

#include <algorithm>

#include "engine/backends/cpu/half_kernel.h"
#include "engine/backends/cpu/kernel.h"
#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/core/random.h"
#include "engine/ops/elementwise_operands.h"

namespace strata::cpu {
namespace {

// Which words are kept, as in uniform(word) >= rate: the 24-bit value decides.
struct Mask {
    std::uint32_t threshold;  // kept where (word >> 8) >= threshold
    float scale;
};

Mask mask_of(float rate) {
    const double exact = static_cast<double>(rate) * 0x1p24;
    const auto below = static_cast<std::uint32_t>(exact);
    return {below + (static_cast<double>(below) < exact ? 1U : 0U), 1.0F / (1.0F - rate)};
}

struct Key {
    std::uint64_t seed;
    std::uint32_t stream, step;
};

// Elements [begin, end) of x, whose element 0 has the flat index `first`: one at a time.
void drop_scalar(const float* x, float* y, std::uint64_t first, std::int64_t begin,
                 std::int64_t end, Key key, Mask mask) {
    for (std::int64_t i = begin; i < end; ++i) {
        const std::uint64_t flat = first + static_cast<std::uint64_t>(i);
        const std::uint32_t word = random::draw(key.seed, key.stream, key.step, flat / 4)[flat % 4];
        y[i] = (word >> 8) >= mask.threshold ? x[i] * mask.scale : 0.0F;
    }
}

// x, y start at a multiple of 4 of the flat index, at counter `counter`; `blocks` of 4 elements.
void drop_blocks(const float* x, float* y, std::uint64_t counter, std::int64_t blocks, Key key,
                 Mask mask) {
    simd([=]() STRATA_BODY {
        constexpr int lanes = 16;
        const std::array<std::uint32_t, 2> start{static_cast<std::uint32_t>(key.seed),
                                                 static_cast<std::uint32_t>(key.seed >> 32)};
        for (std::int64_t b = 0; b < blocks; b += lanes) {
            const int count = static_cast<int>(blocks - b < lanes ? blocks - b : lanes);
            std::uint32_t words[4][lanes];
#pragma omp simd
            for (int l = 0; l < lanes; ++l) {
                const std::uint64_t index = counter + static_cast<std::uint64_t>(b + l);
                auto c0 = static_cast<std::uint32_t>(index);
                auto c1 = static_cast<std::uint32_t>(index >> 32);
                std::uint32_t c2 = key.step, c3 = key.stream;
                std::uint32_t k0 = start[0], k1 = start[1];
#pragma GCC unroll 10
                for (int round = 0; round < 10; ++round) {
                    const std::uint64_t p = std::uint64_t{0xD2511F53U} * c0;
                    const std::uint64_t q = std::uint64_t{0xCD9E8D57U} * c2;
                    c0 = static_cast<std::uint32_t>(q >> 32) ^ c1 ^ k0;
                    c1 = static_cast<std::uint32_t>(q);
                    c2 = static_cast<std::uint32_t>(p >> 32) ^ c3 ^ k1;
                    c3 = static_cast<std::uint32_t>(p);
                    k0 += 0x9E3779B9U;
                    k1 += 0xBB67AE85U;
                }
                words[0][l] = c0;
                words[1][l] = c1;
                words[2][l] = c2;
                words[3][l] = c3;
            }
            for (int l = 0; l < count; ++l) {
                for (int w = 0; w < 4; ++w) {
                    const std::int64_t i = 4 * (b + l) + w;
                    const float kept = x[i] * mask.scale;
                    y[i] = (words[w][l] >> 8) >= mask.threshold ? kept : 0.0F;
                }
            }
        }
    });
}

// The low and high halves of factor * c in each lane.
[[STRATA_AVX2]] inline void multiply_avx2(__m256i c, __m256i factor, __m256i& low, __m256i& high) {
    const __m256i even = _mm256_mul_epu32(c, factor);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(c, 32), factor);
    constexpr int odd_lanes = 0xAA;
    low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), odd_lanes);
    high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, odd_lanes);
}

[[STRATA_AVX2]] inline __m256i all_avx2(std::uint32_t value) {
    return _mm256_set1_epi32(static_cast<int>(value));
}

// The words of eight counters: words[w] has the w-th of each.
[[STRATA_AVX2]] inline void draw_avx2(std::uint64_t counter, Key key, __m256i* words) {
    const auto low = static_cast<std::uint32_t>(counter);
    const __m256i first =
        _mm256_add_epi32(all_avx2(low), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const int wrapped =
        low > 0xFFFFFFF8U ? static_cast<int>(0U - low) : 8;  // lanes before the carry
    const __m256i carry = _mm256_cmpgt_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                             _mm256_set1_epi32(wrapped - 1));
    __m256i c0 = first;
    __m256i c1 = _mm256_sub_epi32(all_avx2(static_cast<std::uint32_t>(counter >> 32)), carry);
    __m256i c2 = all_avx2(key.step);
    __m256i c3 = all_avx2(key.stream);
    auto k0 = static_cast<std::uint32_t>(key.seed);
    auto k1 = static_cast<std::uint32_t>(key.seed >> 32);
    const __m256i factor_a = all_avx2(0xD2511F53U);
    const __m256i factor_b = all_avx2(0xCD9E8D57U);
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
        __m256i low_a, high_a, low_b, high_b;
        multiply_avx2(c0, factor_a, low_a, high_a);
        multiply_avx2(c2, factor_b, low_b, high_b);
        c0 = _mm256_xor_si256(_mm256_xor_si256(high_b, c1), all_avx2(k0));
        c2 = _mm256_xor_si256(_mm256_xor_si256(high_a, c3), all_avx2(k1));
        c1 = low_b;
        c3 = low_a;
        k0 += 0x9E3779B9U;
        k1 += 0xBB67AE85U;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

// words[w] lane l is element 4 l + w: puts them in the elements' order.
[[STRATA_AVX2]] inline void order_avx2(__m256i* words) {
    const __m256i low_01 = _mm256_unpacklo_epi32(words[0], words[1]);
    const __m256i high_01 = _mm256_unpackhi_epi32(words[0], words[1]);
    const __m256i low_23 = _mm256_unpacklo_epi32(words[2], words[3]);
    const __m256i high_23 = _mm256_unpackhi_epi32(words[2], words[3]);
    const __m256i blocks_04 = _mm256_unpacklo_epi64(low_01, low_23);
    const __m256i blocks_15 = _mm256_unpackhi_epi64(low_01, low_23);
    const __m256i blocks_26 = _mm256_unpacklo_epi64(high_01, high_23);
    const __m256i blocks_37 = _mm256_unpackhi_epi64(high_01, high_23);
    words[0] = _mm256_permute2x128_si256(blocks_04, blocks_15, 0x20);
    words[1] = _mm256_permute2x128_si256(blocks_26, blocks_37, 0x20);
    words[2] = _mm256_permute2x128_si256(blocks_04, blocks_15, 0x31);
    words[3] = _mm256_permute2x128_si256(blocks_26, blocks_37, 0x31);
}

constexpr std::int64_t group_blocks = 8;

// drop_blocks for whole groups of 8 blocks.
[[STRATA_AVX2]] void drop_groups_avx2(const float* x, float* y, std::uint64_t counter,
                                      std::int64_t groups, Key key, Mask mask) {
    const __m256 scale = _mm256_set1_ps(mask.scale);
    const __m256i below = _mm256_set1_epi32(static_cast<int>(mask.threshold) - 1);
    for (std::int64_t g = 0; g < groups; ++g) {
        __m256i words[4];
        draw_avx2(counter + static_cast<std::uint64_t>(group_blocks * g), key, words);
        order_avx2(words);
        for (std::int64_t w = 0; w < 4; ++w) {
            const std::int64_t at = 4 * group_blocks * g + 8 * w;
            const __m256i kept = _mm256_cmpgt_epi32(_mm256_srli_epi32(words[w], 8), below);
            const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(x + at), scale);
            _mm256_storeu_ps(y + at, _mm256_and_ps(scaled, _mm256_castsi256_ps(kept)));
        }
    }
}

void drop(const float* x, float* y, std::uint64_t first, std::int64_t begin, std::int64_t end,
          Key key, Mask mask) {
    const auto phase = static_cast<std::int64_t>((first + static_cast<std::uint64_t>(begin)) % 4);
    const std::int64_t head = std::min(end, begin + (4 - phase) % 4);
    const std::int64_t blocks = (end - head) / 4;
    const std::int64_t tail = head + 4 * blocks;
    const std::int64_t groups = isa() != Isa::generic ? blocks / group_blocks : 0;
    const std::uint64_t counter = (first + static_cast<std::uint64_t>(head)) / 4;
    drop_scalar(x, y, first, begin, head, key, mask);
    if (groups > 0) drop_groups_avx2(x + head, y + head, counter, groups, key, mask);
    const std::int64_t done = groups * group_blocks;
    drop_blocks(x + head + 4 * done, y + head + 4 * done,
                counter + static_cast<std::uint64_t>(done), blocks - done, key, mask);
    drop_scalar(x, y, first, tail, end, key, mask);
}

std::uint64_t flat_index(std::int64_t sample, std::int64_t elements) {
    return static_cast<std::uint64_t>(sample) * static_cast<std::uint64_t>(elements);
}

struct SampleNumbers {
    std::int64_t first, stride, elements;
};

// Samples whose numbers do not follow one another: one after the other.
void drop_apart(const float* x, float* y, SampleNumbers numbers, std::int64_t begin,
                std::int64_t end, Key key, Mask mask) {
    while (begin < end) {
        const std::int64_t sample = begin / numbers.elements;
        const std::int64_t start = sample * numbers.elements;
        const std::int64_t stop = std::min(end, start + numbers.elements);
        drop(x + start, y + start,
             flat_index(numbers.first + sample * numbers.stride, numbers.elements), begin - start,
             stop - start, key, mask);
        begin = stop;
    }
}

}  // namespace

KernelPtr make_kernel(const Request& request, const ops::Dropout& op) {
    request.expect_counts(1, 1, 1, 1);
    if (has_16_bit(request)) return sliced_kernel(request, SliceUnit::sample, op);
    request.expect_float32();
    request.expect(request.inputs[0].elements() == request.outputs[0].elements(),
                   "x and y differ in size");
    const std::int64_t sample = ops::dropout_sample(request, op);
    return function_kernel(request.device, [op, sample, mask = mask_of(op.rate)](
                                               const Operands& o, const ops::StepScalars& scalars) {
        const float* x = o.in(0);
        float* y = o.out(0);
        const Key key{scalars.seed, op.stream, scalars.step};
        const std::int64_t first = scalars.first_sample, stride = scalars.sample_stride;
        for_range(o.threads, o.inputs[0].elements(), 16, 64,
                  [=](std::int64_t begin, std::int64_t end) {
                      if (stride == 1)
                          drop(x, y, flat_index(first, sample), begin, end, key, mask);
                      else
                          drop_apart(x, y, {first, stride, sample}, begin, end, key, mask);
                  });
    });
}

}  // namespace strata::cpu
