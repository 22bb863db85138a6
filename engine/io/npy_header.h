// The header of an NPY file: magic, version, length and a Python dict in text. Used by npy.cpp and
// by the data sources; every number in it is checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/core/dtype.h"
#include "engine/core/shape.h"
#include "engine/io/file.h"
#include "engine/io/number_format.h"

namespace strata::io {

inline constexpr std::size_t npy_header_limit = 10'000;  // bytes of text, as numpy's own limit
inline constexpr std::size_t npy_prefix_bytes = npy_header_limit + 12;

struct NpyHeader {
    NumberFormat format;
    bool fortran_order = false;
    Shape shape;
    std::size_t data_offset = 0;  // bytes
};

std::string npy_magic();             // \x93NUMPY
std::string npy_descr(DType dtype);  // "<f4"; throws Error{unsupported}

// content: the file's first bytes, at least npy_prefix_bytes of them or all. Throws Error{format}
// unless file_size is exactly what the header declares, Error{unsupported} for objects, structures,
// texts and complex numbers.
NpyHeader parse_npy_header(std::span<const std::byte> content, std::uint64_t file_size,
                           const std::string& where);

// The same of a file, or of `size` bytes in it from `offset` on, where data_offset then counts
// from.
NpyHeader read_npy_header(const InputFile& file, std::uint64_t offset, std::uint64_t size,
                          const std::string& where);

}  // namespace strata::io
