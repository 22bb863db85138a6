// IDX, the format of MNIST's files: two zeros, a type byte, the rank, big-endian extents,
// big-endian data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/shape.h"
#include "engine/io/bounded_reader.h"
#include "engine/io/file.h"

namespace strata::io {

enum class IdxType : std::uint8_t {
    uint8 = 0x08,
    int8 = 0x09,
    int16 = 0x0B,
    int32 = 0x0C,
    float32 = 0x0D,
    float64 = 0x0E
};

std::size_t size_of(IdxType type);  // bytes an element
const char* name_of(IdxType type);  // "uint8"

struct Idx {
    IdxType type = IdxType::uint8;
    Shape shape;                   // (N, rows, cols) for images, (N) for labels
    std::vector<std::byte> bytes;  // row-major, in the machine's byte order
};

// What stands before the data, for reading single elements of an uncompressed file.
struct IdxHeader {
    IdxType type = IdxType::uint8;
    Shape shape;
    std::uint64_t data_offset = 0;  // bytes
};

// Throws as read_idx.
IdxHeader read_idx_header(const InputFile& file);

// Plain or gzip. Throws Error{format} that names the file unless it is exactly header + product.
Idx read_idx(const std::filesystem::path& path, std::uint64_t max_bytes = default_byte_budget);
Idx parse_idx(std::vector<std::byte> content, const std::string& where);

std::vector<std::byte> idx_bytes(const Idx& idx);  // the file's content
void write_idx(const std::filesystem::path& path, const Idx& idx);

}  // namespace strata::io
