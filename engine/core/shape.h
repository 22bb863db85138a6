// The extents of a tensor, up to rank 8, held inline: copying a Shape allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace strata {

class Shape {
public:
    static constexpr int max_rank = 8;

    Shape() = default;  // rank 0: a scalar, one element
    Shape(std::initializer_list<std::int64_t> dims);
    explicit Shape(std::span<const std::int64_t> dims);  // throws Error if rank > 8 or a dim < 0

    int rank() const { return rank_; }
    // i may be negative: -1 is the last axis.
    std::int64_t operator[](int i) const {
        return dims_[static_cast<std::size_t>(i < 0 ? i + rank_ : i)];
    }
    std::int64_t elements() const;  // product; throws Error{invalid_argument} on overflow
    std::span<const std::int64_t> dims() const {
        return {dims_.data(), static_cast<std::size_t>(rank_)};
    }
    std::vector<std::int64_t> to_vector() const { return {dims().begin(), dims().end()}; }
    Shape with_batch(std::int64_t n) const;  // (n, dims...)
    Shape without_batch() const;             // drops the first axis
    std::string text() const;                // Keras's form: "(28, 28, 1)", "(10,)", "()"

    friend bool operator==(const Shape& a, const Shape& b) = default;

private:
    std::array<std::int64_t, max_rank> dims_{};
    int rank_ = 0;
};

}  // namespace strata
