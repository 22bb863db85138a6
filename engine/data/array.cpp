#include "engine/data/array.h"

#include <cstring>
#include <span>

#include "engine/core/error.h"

namespace strata::data {

Array::Array(std::string place, const Shape& shape, const io::NumberFormat& format)
    : place_(std::move(place)), shape_(shape), format_(format) {
    if (shape_.rank() == 0)
        throw Error(ErrorCode::format, "holds a single number, not one row a sample", place_,
                    "Choose an array whose first axis counts the samples");
    if (shape_.elements() == 0)
        throw Error(ErrorCode::format, "holds no samples: its shape is " + shape_.text(), place_,
                    "Choose an array with data");
    row_elements_ = static_cast<std::size_t>(shape_.elements() / shape_[0]);
}

FileArray::FileArray(std::string place, const Shape& shape, const io::NumberFormat& format,
                     std::shared_ptr<const io::InputFile> file, std::uint64_t offset)
    : Array(std::move(place), shape, format), file_(std::move(file)), offset_(offset) {}

void FileArray::read_rows(const std::int64_t* rows, std::int64_t n, std::byte* out) const {
    for (std::int64_t i = 0; i < n;) {
        std::int64_t run = 1;  // rows that follow one another in the file, too
        while (i + run < n && rows[i + run] == rows[i] + run) ++run;
        const std::span<std::byte> part(out, static_cast<std::size_t>(run) * row_bytes());
        file_->read_at(offset_ + static_cast<std::uint64_t>(rows[i]) * row_bytes(), part);
        out += part.size();
        i += run;
    }
}

MemoryArray::MemoryArray(std::string place, const Shape& shape, const io::NumberFormat& format,
                         std::vector<std::byte> bytes, std::size_t offset)
    : Array(std::move(place), shape, format), bytes_(std::move(bytes)), offset_(offset) {}

void MemoryArray::read_rows(const std::int64_t* rows, std::int64_t n, std::byte* out) const {
    for (std::int64_t i = 0; i < n; ++i, out += row_bytes())
        std::memcpy(out, bytes_.data() + offset_ + static_cast<std::size_t>(rows[i]) * row_bytes(),
                    row_bytes());
}

}  // namespace strata::data
