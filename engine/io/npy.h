// NPY, numpy's file of one array, versions 1 to 3, of the engine's types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/core/shape.h"
#include "engine/io/bounded_reader.h"

namespace strata::io {

struct Npy {
    DType dtype = DType::float32;
    Shape shape;
    std::vector<std::byte> bytes;  // row-major, in the machine's byte order

    // The elements; T must be the type of `dtype`.
    template <typename T>
    std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
};

// Fortran order and big-endian data are converted. Throws Error{unsupported} that names the dtype
// (object, structured, complex, ...) and Error{format} for a damaged file; nothing is allocated for
// the data before the size that the header declares equals the size of the file.
Npy read_npy(const std::filesystem::path& path, std::uint64_t max_bytes = default_byte_budget);
Npy parse_npy(std::span<const std::byte> content, const std::string& where);

// The elements of a Fortran-order array, first axis fastest, in row-major order.
std::vector<std::byte> row_major(std::span<const std::byte> data, const Shape& shape,
                                 std::size_t element_bytes);

// Version 1, little-endian, data at a multiple of 64: numpy's own bytes for the same array.
std::vector<std::byte> npy_bytes(DType dtype, const Shape& shape, std::span<const std::byte> data);
void write_npy(const std::filesystem::path& path, DType dtype, const Shape& shape,
               std::span<const std::byte> data);

}  // namespace strata::io
