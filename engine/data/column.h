// The rows of an array as uint8 or float32, from memory or from the file. Used by ArraySource for
// samples and for values.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/core/dtype.h"
#include "engine/data/array.h"
#include "engine/data/source.h"

namespace strata::data {

class Column {
public:
    // cache: read all rows now and hold them. Throws Error{out_of_memory} above what a cache may
    // hold.
    Column(std::shared_ptr<const Array> array, DType as, bool cache);

    std::int64_t rows() const { return rows_; }
    DType dtype() const { return dtype_; }
    std::size_t row_bytes() const { return row_elements_ * size_of(dtype_); }
    bool in_memory() const { return !array_ || array_->in_memory(); }
    std::size_t memory_bytes() const;
    // Of uint8 what the type holds; of float32 in memory what is there (NaN aside).
    std::optional<ValueRange> range() const { return range_; }
    void require_unchanged() const;
    // Thread-safe. The rows are within the array.
    void read(const std::int64_t* rows, std::int64_t n, void* out) const;

private:
    bool as_stored() const;
    void load();
    // Calls take(rows, n) with all rows in pieces of a bounded size.
    template <typename Take>
    void for_slabs(const Take& take) const;
    void find_range();

    std::shared_ptr<const Array> array_;  // none where all rows are in cache_
    DType dtype_;
    std::int64_t rows_;
    std::size_t row_elements_;
    std::vector<std::byte> cache_;
    std::optional<ValueRange> range_;
};

}  // namespace strata::data
