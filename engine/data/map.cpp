#include "engine/data/map.h"

#include <algorithm>
#include <string>

#include "engine/core/error.h"
#include "engine/layers/augmentation.h"

namespace strata::data {
namespace {

constexpr std::uint32_t map_stream = 0x4D415000;  // apart from the layers' numbers

}  // namespace

SampleMap::SampleMap(std::span<const MapLayer> layers, const Shape& sample, DType dtype,
                     std::uint64_t seed, bool augment)
    : elements_(sample.elements()), dtype_(dtype), seed_(seed) {
    std::uint32_t stream = map_stream;
    for (const MapLayer& layer : layers) {
        try {
            const layers::LayerDescription& description = layers::find_augmentation(layer.type);
            description.infer(layer.config, std::span(&sample, 1));
            if (augment) ops_.push_back(layers::augment_op(description, layer.config, stream));
        } catch (const Error& error) {
            throw error.at("data.pipeline, map, " + layer.type);
        }
        ++stream;
    }
    if (!ops_.empty()) size_ = {sample[0], sample[1], sample[2]};
}

void SampleMap::apply(const std::byte* sample, std::int64_t epoch, std::int64_t index,
                      float* scratch, float* out) const {
    const auto* x = reinterpret_cast<const float*>(sample);
    float* free = scratch;
    float* other = scratch + elements_;
    if (dtype_ == DType::uint8) {
        float* target = ops_.empty() ? out : free;
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(sample);
        std::transform(bytes, bytes + elements_, target,
                       [](std::uint8_t value) { return static_cast<float>(value); });
        x = target;
        std::swap(free, other);
    } else if (ops_.empty()) {
        std::copy_n(x, elements_, out);
    }
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        float* y = i + 1 == ops_.size() ? out : free;
        const ops::ImageTransform transform =
            ops::draw_transform(ops_[i], size_, seed_, static_cast<std::uint32_t>(epoch),
                                static_cast<std::uint64_t>(index));
        ops::transform_image(ops_[i], transform, size_, x, y);
        x = y;
        std::swap(free, other);
    }
}

}  // namespace strata::data
