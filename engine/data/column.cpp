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

void widen(std::optional<ValueRange>& range, std::span<const float> values) {
    for (const float value : values) {
        if (std::isnan(value)) continue;
        if (!range) range = ValueRange{value, value};
        range->least = std::min(range->least, value);
        range->largest = std::max(range->largest, value);
    }
}

}  // namespace

Column::Column(std::shared_ptr<const Array> array, DType as, bool cache)
    : array_(std::move(array)),
      dtype_(as),
      rows_(array_->rows()),
      row_elements_(array_->row_elements()) {
    // An array that is in memory already is held as it is, unless that is not how it is read.
    if (array_->in_memory() ? !as_stored() : cache) load();
    if (dtype_ == DType::uint8)
        range_ = ValueRange{0.0F, 255.0F};
    else if (in_memory())
        find_range();
}

bool Column::as_stored() const {
    return array_->format().bytes == 1 ? dtype_ == DType::uint8 && array_->format().whole()
                                       : array_->format() == io::format_of(dtype_);
}

template <typename Take>
void Column::for_slabs(const Take& take) const {
    const std::size_t bytes = array_ ? std::max(array_->row_bytes(), row_bytes()) : row_bytes();
    const auto step = static_cast<std::int64_t>(std::max<std::size_t>(1, slab_bytes / bytes));
    std::vector<std::int64_t> rows(static_cast<std::size_t>(std::min(step, rows_)));
    for (std::int64_t first = 0; first < rows_; first += step) {
        std::iota(rows.begin(), rows.end(), first);
        take(rows.data(), std::min(step, rows_ - first));
    }
}

void Column::load() {
    const std::size_t bytes = static_cast<std::size_t>(rows_) * row_bytes();
    if (bytes > io::default_byte_budget)
        throw Error(ErrorCode::out_of_memory,
                    "needs " + io::byte_text(bytes) + " in memory; " +
                        io::byte_text(io::default_byte_budget) + " is the most that is held",
                    array_->place(), "Take the stage 'cache' out of the pipeline");
    std::vector<std::byte> all(bytes);
    for_slabs([&](const std::int64_t* rows, std::int64_t n) {
        read(rows, n, all.data() + static_cast<std::size_t>(*rows) * row_bytes());
    });
    cache_ = std::move(all);
    array_.reset();
}

void Column::find_range() {
    std::vector<float> values;
    for_slabs([&](const std::int64_t* rows, std::int64_t n) {
        values.resize(static_cast<std::size_t>(n) * row_elements_);
        read(rows, n, values.data());
        widen(range_, values);
    });
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
