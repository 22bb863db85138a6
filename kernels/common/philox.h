// Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011). The same words as the engine's generator, so that a dropout mask is the same
// on every device; the tests compare the two.
#pragma once

#include "kernels/common/launch.h"

namespace strata::kernels {

struct RandomWords {
    std::uint32_t word[4];
};

// The four words for (seed, stream, step, index).
__device__ inline RandomWords draw(std::uint64_t seed, std::uint32_t stream, std::uint32_t step,
                                   std::uint64_t index) {
    std::uint32_t key0 = static_cast<std::uint32_t>(seed);
    std::uint32_t key1 = static_cast<std::uint32_t>(seed >> 32);
    RandomWords c{
        {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), step, stream}};
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53U} * c.word[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * c.word[2];
        c = {{static_cast<std::uint32_t>(b >> 32) ^ c.word[1] ^ key0, static_cast<std::uint32_t>(b),
              static_cast<std::uint32_t>(a >> 32) ^ c.word[3] ^ key1,
              static_cast<std::uint32_t>(a)}};
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    return c;
}

// Uniform in [0, 1), 24 bits: exact in float32.
__device__ inline float uniform(std::uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1p-24F;
}

}  // namespace strata::kernels
