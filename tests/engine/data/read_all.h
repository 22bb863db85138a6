// All of a source's samples, labels and targets, for tests.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/data/source.h"

namespace strata::testing {

struct AllSamples {
    std::vector<std::uint8_t> pixels;  // of a uint8 source
    std::vector<float> values;         // of a float32 source
    std::vector<std::int32_t> labels;
    std::vector<float> targets;
};

inline AllSamples read_rows(const data::Source& source, const std::vector<std::int64_t>& rows) {
    AllSamples all;
    const auto n = static_cast<std::int64_t>(rows.size());
    const std::size_t elements =
        rows.size() * static_cast<std::size_t>(source.sample_shape().elements());
    const bool pixels = source.sample_dtype() == DType::uint8;
    all.pixels.resize(pixels ? elements : 0);
    all.values.resize(pixels ? 0 : elements);
    void* out = pixels ? static_cast<void*>(all.pixels.data()) : all.values.data();
    if (source.has_labels()) {
        all.labels.resize(rows.size());
        source.read(rows.data(), n, out, all.labels.data());
        return all;
    }
    source.read(rows.data(), n, out, nullptr);
    all.targets.resize(rows.size() * static_cast<std::size_t>(source.target_shape()->elements()));
    source.read_targets(rows.data(), n, all.targets.data());
    return all;
}

inline AllSamples read_all(const data::Source& source) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(source.size()));
    std::iota(rows.begin(), rows.end(), 0);
    return read_rows(source, rows);
}

}  // namespace strata::testing
