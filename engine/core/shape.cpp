#include "engine/core/shape.h"

#include "engine/core/error.h"

namespace strata {

Shape::Shape(std::initializer_list<std::int64_t> dims)
    : Shape(std::span<const std::int64_t>(dims.begin(), dims.size())) {}

Shape::Shape(std::span<const std::int64_t> dims) {
    if (dims.size() > max_rank)
        throw Error(ErrorCode::invalid_argument,
                    "a shape of rank " + std::to_string(dims.size()) + " is not supported", "shape",
                    "Use at most 8 axes");
    for (std::int64_t dim : dims) {
        if (dim < 0)
            throw Error(ErrorCode::invalid_argument, "an axis of size " + std::to_string(dim),
                        "shape", "Sizes are 0 or more");
        dims_[static_cast<std::size_t>(rank_++)] = dim;
    }
}

std::int64_t Shape::elements() const {
    std::int64_t n = 1;
    for (std::int64_t dim : dims())
        if (__builtin_mul_overflow(n, dim, &n))
            throw Error(ErrorCode::invalid_argument, "shape " + text() + " has too many elements",
                        "shape");
    return n;
}

Shape Shape::with_batch(std::int64_t n) const {
    std::vector<std::int64_t> all{n};
    all.insert(all.end(), dims().begin(), dims().end());
    return Shape(all);
}

Shape Shape::without_batch() const {
    return Shape(dims().subspan(1));
}

std::string Shape::text() const {
    std::string out = "(";
    for (int i = 0; i < rank_; ++i) {
        if (i > 0) out += ", ";
        out += std::to_string((*this)[i]);
    }
    return out + (rank_ == 1 ? ",)" : ")");
}

}  // namespace strata
