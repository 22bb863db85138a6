// An array of numbers in a foreign file, read row by row: what NPY, NPZ and HDF5 have in common.
// Used by the sources of these formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/shape.h"
#include "engine/io/file.h"
#include "engine/io/number_format.h"

namespace strata::data {

class Array {
public:
    // place: for messages, "data.npz, member 'x.npy'". Throws Error{format} where the array holds
    // a single number or nothing.
    Array(std::string place, const Shape& shape, const io::NumberFormat& format);
    virtual ~Array() = default;

    const std::string& place() const { return place_; }
    const Shape& shape() const { return shape_; }
    const io::NumberFormat& format() const { return format_; }
    std::int64_t rows() const { return shape_[0]; }
    std::size_t row_elements() const { return row_elements_; }
    std::size_t row_bytes() const { return row_elements_ * format_.bytes; }

    virtual bool in_memory() const { return false; }
    virtual void require_unchanged() const {}
    // n rows as they are stored, one after the other. Thread-safe. The rows are within the array.
    virtual void read_rows(const std::int64_t* rows, std::int64_t n, std::byte* out) const = 0;

private:
    std::string place_;
    Shape shape_;
    io::NumberFormat format_;
    std::size_t row_elements_ = 0;
};

// Row-major in a file, from `offset` on.
class FileArray : public Array {
public:
    FileArray(std::string place, const Shape& shape, const io::NumberFormat& format,
              std::shared_ptr<const io::InputFile> file, std::uint64_t offset);

    void require_unchanged() const override { file_->require_unchanged(); }
    void read_rows(const std::int64_t* rows, std::int64_t n, std::byte* out) const override;

private:
    std::shared_ptr<const io::InputFile> file_;
    std::uint64_t offset_;
};

// Row-major in memory, from `offset` on.
class MemoryArray : public Array {
public:
    MemoryArray(std::string place, const Shape& shape, const io::NumberFormat& format,
                std::vector<std::byte> bytes, std::size_t offset);

    bool in_memory() const override { return true; }
    void read_rows(const std::int64_t* rows, std::int64_t n, std::byte* out) const override;

private:
    std::vector<std::byte> bytes_;
    std::size_t offset_;
};

}  // namespace strata::data
