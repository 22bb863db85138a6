// A list of numbers that only grows, in fixed blocks: adding never moves what is there, and a copy
// is cheap (it shares the blocks), so that a thread may write one to a file while the window adds
// to another.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace strata::ui {

class Column {
public:
    static constexpr std::size_t blockSize = 4096;

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    double operator[](std::size_t i) const { return (*m_blocks[i / blockSize])[i % blockSize]; }
    double last() const { return (*this)[m_size - 1]; }
    void append(double value);
    // Keeps the first `size` values. Copies made before keep theirs.
    void truncate(std::size_t size);

    // The first index from `from` on whose value is not below (lowerBound) or is above (upperBound)
    // `value`. The values must not fall.
    std::size_t lowerBound(double value, std::size_t from = 0) const;
    std::size_t upperBound(double value, std::size_t from = 0) const;

private:
    using Block = std::array<double, blockSize>;
    std::vector<std::shared_ptr<Block>> m_blocks;
    std::size_t m_size = 0;
};

}  // namespace strata::ui
