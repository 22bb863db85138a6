// The header of an NPY file: magic, version, length and a Python dict in text. Used by npy.cpp
// only; every number in it is checked before it is used.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/core/dtype.h"
#include "engine/core/shape.h"

namespace strata::io {

inline constexpr std::size_t npy_header_limit = 10'000;  // bytes of text, as numpy's own limit
inline constexpr std::size_t npy_prefix_bytes = npy_header_limit + 12;

struct NpyHeader {
    DType dtype = DType::float32;
    std::endian order = std::endian::little;
    bool fortran_order = false;
    Shape shape;
    std::size_t data_offset = 0;  // bytes
};

std::string npy_magic();             // \x93NUMPY
std::string npy_descr(DType dtype);  // "<f4"; throws Error{unsupported}

// content: the file's first bytes, at least npy_prefix_bytes of them or all. Throws Error{format}
// unless file_size is exactly what the header declares, Error{unsupported} for a dtype.
NpyHeader parse_npy_header(std::span<const std::byte> content, std::uint64_t file_size,
                           const std::string& where);

}  // namespace strata::io
