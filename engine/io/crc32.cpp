#include "engine/io/crc32.h"

#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace strata::io {
namespace {

std::uint32_t by_table(std::uint32_t crc, const void* data, std::size_t bytes) {
    return static_cast<std::uint32_t>(::crc32_z(crc, static_cast<const Bytef*>(data), bytes));
}

#if defined(__x86_64__)

// x^n modulo the polynomial, with its bits reversed as the checksum has them, ready for a product
// without carry of reversed operands (which is one place too low).
constexpr std::int64_t power_of_x(int n) {
    std::uint32_t value = 1;
    for (int i = 0; i < n; ++i)
        value = (value << 1) ^ ((value & 0x80000000U) != 0 ? 0x04C11DB7U : 0U);
    std::uint64_t reversed = 0;
    for (int bit = 0; bit < 32; ++bit)
        if ((value >> bit & 1U) != 0) reversed |= std::uint64_t{1} << (31 - bit);
    return static_cast<std::int64_t>(reversed << 1);
}

// A block of 16 bytes moved `bits` further on: what it adds to the block there.
template <int bits>
[[gnu::target("pclmul,sse4.1")]] inline __m128i moved(__m128i block) {
    const __m128i factors = _mm_set_epi64x(power_of_x(bits - 32), power_of_x(bits + 32));
    return _mm_xor_si128(_mm_clmulepi64_si128(block, factors, 0x00),
                         _mm_clmulepi64_si128(block, factors, 0x11));
}

[[gnu::target("pclmul,sse4.1")]] inline __m128i block_at(const std::byte* data) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
}

// Of at least 64 bytes: four blocks side by side are folded over all that follow, then into one,
// whose checksum is that of the whole.
[[gnu::target("pclmul,sse4.1")]] std::uint32_t by_folding(std::uint32_t crc, const std::byte* data,
                                                          std::size_t bytes) {
    __m128i lane[4];
    for (int i = 0; i < 4; ++i) lane[i] = block_at(data + 16 * i);
    lane[0] = _mm_xor_si128(lane[0], _mm_cvtsi32_si128(static_cast<int>(~crc)));
    data += 64;
    bytes -= 64;
    for (; bytes >= 64; data += 64, bytes -= 64)
        for (int i = 0; i < 4; ++i)
            lane[i] = _mm_xor_si128(moved<512>(lane[i]), block_at(data + 16 * i));
    __m128i whole = lane[0];
    for (int i = 1; i < 4; ++i) whole = _mm_xor_si128(moved<128>(whole), lane[i]);
    for (; bytes >= 16; data += 16, bytes -= 16)
        whole = _mm_xor_si128(moved<128>(whole), block_at(data));
    alignas(16) std::byte rest[16];
    _mm_store_si128(reinterpret_cast<__m128i*>(rest), whole);
    return by_table(by_table(0xFFFFFFFFU, rest, sizeof rest), data, bytes);
}

#endif

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes) {
#if defined(__x86_64__)
    static const bool can_fold =
        __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
    if (can_fold && bytes.size() >= 256) return by_folding(crc, bytes.data(), bytes.size());
#endif
    return by_table(crc, bytes.data(), bytes.size());
}

}  // namespace strata::io
