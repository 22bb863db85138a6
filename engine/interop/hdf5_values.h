// Texts, lists of texts and float32 tensors in an HDF5 file, in all encodings that Keras has used
// (FORMATS.md section 1). Used by the Keras reader and writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/shape.h"
#include "engine/io/hdf5_handle.h"

namespace strata::interop {

struct Hdf5Tensor {
    Shape shape;
    std::vector<float> values;
};

// CRC-32 of zlib, as eight hexadecimal digits.
std::string crc32_text(const void* data, std::size_t bytes);
std::string crc32_text(std::uint32_t crc);

// A variable-length UTF-8 scalar attribute. `text` must hold no NUL.
void write_text(const io::Hdf5File& file, hid_t object, const char* name, const std::string& text);
// A list attribute; split into name0, name1, ... where one would be too large; empty: float64 (0).
void write_texts(const io::Hdf5File& file, hid_t object, const std::string& name,
                 const std::vector<std::string>& texts);
// Nothing where there is no such attribute. Lists may be split.
std::optional<std::string> read_text(const io::Hdf5File& file, hid_t object,
                                     const std::string& name);
std::optional<std::vector<std::string>> read_texts(const io::Hdf5File& file, hid_t object,
                                                   const std::string& name);

io::Handle make_group(const io::Hdf5File& file, hid_t parent, const std::string& name);
io::Handle open_group(const io::Hdf5File& file, hid_t parent, const std::string& name);

// A contiguous little-endian dataset below `parent`; groups on its path are made.
void write_floats(const io::Hdf5File& file, hid_t parent, const std::string& path,
                  const Shape& shape, const float* values);
// The same without the values: the place in the file where they belong, as write_floats() would
// have put them there.
std::uint64_t reserve_floats(const io::Hdf5File& file, hid_t parent, const std::string& path,
                             const Shape& shape);
void write_int64(const io::Hdf5File& file, hid_t parent, const std::string& path,
                 std::int64_t value);
// Any number type, as float32. Only after require_harmless().
Hdf5Tensor read_floats(const io::Hdf5File& file, hid_t parent, const std::string& path);

// Where the values of a contiguous little-endian float32 dataset lie; nothing where it is another.
struct Hdf5Extent {
    Shape shape;
    std::uint64_t offset = 0, bytes = 0;
};
std::optional<Hdf5Extent> extent_of_floats(const io::Hdf5File& file, hid_t parent,
                                           const std::string& path);

}  // namespace strata::interop
