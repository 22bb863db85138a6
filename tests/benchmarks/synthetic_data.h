// Data sets of byte images that can be learned, made without a download.
#pragma once

#include <cstdint>
#include <vector>

namespace strata::benchmarks {

inline constexpr std::int64_t sample_bytes = 28 * 28;  // Fashion-MNIST's

struct SyntheticData {
    std::vector<std::uint8_t> images;  // (count, sample)
    std::vector<std::int32_t> labels;  // (count)
};

// Each class has a pattern; each sample is its class's pattern under noise. torch_side.py draws
// from the same recipe.
SyntheticData make_data(std::int64_t count, std::int64_t sample = sample_bytes);

// Gathers batches in a new random order each epoch into memory of its own.
class Batches {
public:
    Batches(const SyntheticData& data, std::int64_t batch);
    void next();
    const std::uint8_t* images() const { return images_.data(); }
    const std::int32_t* labels() const { return labels_.data(); }

private:
    const SyntheticData& data_;
    std::size_t sample_;  // bytes
    std::vector<std::uint32_t> order_;
    std::size_t at_;
    std::uint64_t epoch_ = 0;
    std::vector<std::uint8_t> images_;
    std::vector<std::int32_t> labels_;
};

}  // namespace strata::benchmarks
