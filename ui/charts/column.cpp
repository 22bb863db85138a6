#include "ui/charts/column.h"

namespace strata::ui {
namespace {

// Binary search for the first index in [low, high) where `reached` holds.
template <typename Predicate>
std::size_t firstWhere(std::size_t low, std::size_t high, Predicate reached) {
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (reached(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}  // namespace

void Column::append(double value) {
    if (m_size == m_blocks.size() * blockSize) m_blocks.push_back(std::make_shared<Block>());
    (*m_blocks.back())[m_size % blockSize] = value;
    ++m_size;
}

void Column::truncate(std::size_t size) {
    if (size >= m_size) return;
    m_size = size;
    m_blocks.resize((size + blockSize - 1) / blockSize);
    // Later values are written over the cut ones: not in a block that a copy reads.
    if (size % blockSize != 0) m_blocks.back() = std::make_shared<Block>(*m_blocks.back());
}

std::size_t Column::lowerBound(double value, std::size_t from) const {
    return firstWhere(from, m_size, [&](std::size_t i) { return (*this)[i] >= value; });
}

std::size_t Column::upperBound(double value, std::size_t from) const {
    return firstWhere(from, m_size, [&](std::size_t i) { return (*this)[i] > value; });
}

}  // namespace strata::ui
