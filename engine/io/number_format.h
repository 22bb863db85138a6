// How the numbers of a foreign array are stored, and their way to what the engine computes with.
// Used by the readers of NPY and HDF5 and by the data sources.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/core/dtype.h"

namespace strata::io {

enum class NumberKind : std::uint8_t { unsigned_integer, integer, floating };

struct NumberFormat {
    NumberKind kind = NumberKind::floating;
    std::uint8_t bytes = 4;  // 1, 2, 4, 8; a floating number has at least 2
    std::endian order = std::endian::native;

    bool whole() const { return kind != NumberKind::floating; }
    friend bool operator==(const NumberFormat&, const NumberFormat&) = default;
};

std::string name_of(const NumberFormat& format);            // "uint16", as numpy says it
std::optional<DType> dtype_of(const NumberFormat& format);  // nothing for int8, uint16, ...
NumberFormat format_of(DType dtype, std::endian order = std::endian::native);

// Both take data.size() / format.bytes numbers; a value that the target cannot hold exactly is
// rounded (float) or saturates (int64).
void to_float32(std::span<const std::byte> data, const NumberFormat& format, float* out);
// Whole numbers only.
void to_int64(std::span<const std::byte> data, const NumberFormat& format, std::int64_t* out);

}  // namespace strata::io
