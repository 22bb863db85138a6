// The pipeline's stage "map": augmentation layers on one sample after the other, on the CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/data/pipeline.h"
#include "engine/ops/augment.h"

namespace strata::data {

class SampleMap {
public:
    // augment false: samples become float32 and nothing else. Throws Error naming the layer where
    // one does not take samples of this shape.
    SampleMap(std::span<const MapLayer> layers, const Shape& sample, DType dtype,
              std::uint64_t seed, bool augment);

    std::size_t scratch_elements() const { return 2 * static_cast<std::size_t>(elements_); }
    // One sample. What is drawn depends on (seed, layer, epoch, index) alone. scratch:
    // scratch_elements() floats, one for each thread.
    void apply(const std::byte* sample, std::int64_t epoch, std::int64_t index, float* scratch,
               float* out) const;

private:
    std::int64_t elements_;
    DType dtype_;
    std::uint64_t seed_;
    ops::ImageSize size_;
    std::vector<ops::AugmentImages> ops_;
};

}  // namespace strata::data
