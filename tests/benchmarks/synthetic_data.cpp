#include "synthetic_data.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

namespace strata::benchmarks {

SyntheticData make_data(std::int64_t count, std::int64_t sample) {
    std::mt19937 random(1);
    std::vector<std::uint8_t> patterns(static_cast<std::size_t>(10 * sample));
    for (auto& value : patterns) value = static_cast<std::uint8_t>(random() % 128);
    SyntheticData data;
    data.images.resize(static_cast<std::size_t>(count * sample));
    for (std::int64_t i = 0; i < count; ++i) {
        const auto label = static_cast<std::int32_t>(i % 10);
        data.labels.push_back(label);
        for (std::int64_t k = 0; k < sample; ++k)
            data.images[static_cast<std::size_t>(i * sample + k)] = static_cast<std::uint8_t>(
                patterns[static_cast<std::size_t>(label * sample + k)] + random() % 128);
    }
    return data;
}

Batches::Batches(const SyntheticData& data, std::int64_t batch)
    : data_(data),
      sample_(data.images.size() / data.labels.size()),
      order_(data.labels.size()),
      at_(order_.size()),
      images_(static_cast<std::size_t>(batch) * sample_),
      labels_(static_cast<std::size_t>(batch)) {
    std::iota(order_.begin(), order_.end(), 0U);
}

void Batches::next() {
    if (at_ + labels_.size() > order_.size()) {
        std::shuffle(order_.begin(), order_.end(), std::mt19937_64(++epoch_));
        at_ = 0;
    }
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        const std::size_t index = order_[at_++];
        std::memcpy(images_.data() + i * sample_, data_.images.data() + index * sample_, sample_);
        labels_[i] = data_.labels[index];
    }
}

}  // namespace strata::benchmarks
