#include "engine/data/column.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

#include "engine/core/error.h"
#include "engine/io/bounded_reader.h"

namespace strata::data {
namespace {

constexpr std::size_t slab_bytes = 16 << 20;

std::optional<ValueRange> range_of(std::span<const float> values) {
    std::optional<ValueRange> range;
    for (const float value : values) {
        if (std::isnan(value)) continue;
        if (!range) range = ValueRange{value, value};
        range->least = std::min(range->least, value);
        range->largest = std::max(range->largest, value);
    }
    return range;
}

}  // namespace

Column::Column(std::shared_ptr<const Array> array, DType as, bool cache)
    : array_(std::move(array)),
      dtype_(as),
      rows_(array_->rows()),
      row_elements_(array_->row_elements()) {
    // An array that is in memory already is held as it is, unless that is not how it is read.
    if (array_->in_memory() ? !as_stored() : cache) load();
    if (dtype_ == DType::uint8) range_ = ValueRange{0.0F, 255.0F};
}

bool Column::as_stored() const {
    return array_->format().bytes == 1 ? dtype_ == DType::uint8 && array_->format().whole()
                                       : array_->format() == io::format_of(dtype_);
}

void Column::load() {
    const std::size_t bytes = static_cast<std::size_t>(rows_) * row_bytes();
    if (bytes > io::default_byte_budget)
        throw Error(ErrorCode::out_of_memory,
                    "needs " + io::byte_text(bytes) + " in memory; " +
                        io::byte_text(io::default_byte_budget) + " is the most that is held",
                    array_->place(), "Take the stage 'cache' out of the pipeline");
    std::vector<std::byte> all(bytes);
    const auto step = static_cast<std::int64_t>(
        std::max<std::size_t>(1, slab_bytes / std::max(array_->row_bytes(), row_bytes())));
    std::vector<std::int64_t> rows(static_cast<std::size_t>(std::min(step, rows_)));
    for (std::int64_t first = 0; first < rows_; first += step) {
        std::iota(rows.begin(), rows.end(), first);
        const std::int64_t n = std::min(step, rows_ - first);
        read(rows.data(), n, all.data() + static_cast<std::size_t>(first) * row_bytes());
    }
    cache_ = std::move(all);
    array_.reset();
    if (dtype_ == DType::float32)
        range_ = range_of({reinterpret_cast<const float*>(cache_.data()), bytes / sizeof(float)});
}

std::size_t Column::memory_bytes() const {
    if (!array_) return cache_.size();
    return array_->in_memory() ? static_cast<std::size_t>(rows_) * array_->row_bytes() : 0;
}

void Column::require_unchanged() const {
    if (array_) array_->require_unchanged();
}

void Column::read(const std::int64_t* rows, std::int64_t n, void* out) const {
    auto* to = static_cast<std::byte*>(out);
    if (!array_) {
        for (std::int64_t i = 0; i < n; ++i, to += row_bytes())
            std::memcpy(to, cache_.data() + static_cast<std::size_t>(rows[i]) * row_bytes(),
                        row_bytes());
        return;
    }
    if (as_stored()) return array_->read_rows(rows, n, to);
    std::vector<std::byte> stored(static_cast<std::size_t>(n) * array_->row_bytes());
    array_->read_rows(rows, n, stored.data());
    io::to_float32(stored, array_->format(), reinterpret_cast<float*>(to));
}

}  // namespace strata::data
