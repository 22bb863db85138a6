// Counter-based random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011). A value depends on (key, counter) alone, so every device, thread count and
// batch cut draws the same numbers. Kernels repeat this formula in kernels/common/philox.h.
#pragma once

#include <array>
#include <cstdint>

namespace strata::random {

using Block = std::array<std::uint32_t, 4>;

constexpr Block philox4x32(std::array<std::uint32_t, 2> key, Block counter) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53u} * counter[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(a)};
        key[0] += 0x9E3779B9u;
        key[1] += 0xBB67AE85u;
    }
    return counter;
}

// The four words for (seed, stream, step, index). stream: which use (a layer's number, the shuffle,
// an initializer); step: the update or epoch; index: the element or global sample.
constexpr Block draw(std::uint64_t seed, std::uint32_t stream, std::uint32_t step,
                     std::uint64_t index) {
    return philox4x32(
        {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), step, stream});
}

// Uniform in [0, 1), 24 bits: exact in float32.
constexpr float uniform(std::uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1p-24f;
}

// Uniform integer in [0, bound), bound > 0, from 64 random bits by multiplication (Lemire 2019,
// without rejection: the bias is below bound / 2^64).
__extension__ using uint128_t = unsigned __int128;

constexpr std::uint64_t below(std::uint64_t bits, std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<uint128_t>(bits) * bound) >> 64);
}

}  // namespace strata::random
