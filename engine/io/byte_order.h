// Byte order of the formats that are read: big-endian IDX, little-endian zip, either order in NPY.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace strata::io {

inline std::uint32_t load_big_u32(std::span<const std::byte, 4> b) {
    return std::to_integer<std::uint32_t>(b[0]) << 24 | std::to_integer<std::uint32_t>(b[1]) << 16 |
           std::to_integer<std::uint32_t>(b[2]) << 8 | std::to_integer<std::uint32_t>(b[3]);
}

// The unsigned number in the first bytes of b, which has enough of them.
template <typename T>
T load_little(std::span<const std::byte> b) {
    T value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;)
        value = static_cast<T>(value << 8 | std::to_integer<T>(b[i]));
    return value;
}

// Turns elements of `element_bytes` from `order` to the machine's order, or back, in place.
inline void convert_order(std::span<std::byte> data, std::size_t element_bytes, std::endian order) {
    if (order == std::endian::native || element_bytes == 1) return;
    for (std::size_t i = 0; i + element_bytes <= data.size(); i += element_bytes)
        std::reverse(data.begin() + static_cast<std::ptrdiff_t>(i),
                     data.begin() + static_cast<std::ptrdiff_t>(i + element_bytes));
}

}  // namespace strata::io
