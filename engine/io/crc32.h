// CRC-32 with the polynomial of zlib and gzip, at the speed of memory where the processor
// multiplies without carry. Used for the checksums of tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace strata::io {

// Goes on from `crc`, 0 at the beginning; the same numbers as zlib's crc32().
std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes);

}  // namespace strata::io
