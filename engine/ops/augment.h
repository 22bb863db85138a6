// Random image transforms: the ops of the Random... layers, and their one formula on the host,
// which the data pipeline's stage "map" and the CPU backend both call. Kernels repeat it.
#pragma once

#include <cstdint>

namespace strata::ops {

enum class AugmentKind : std::uint8_t { flip, translation, rotation, zoom, contrast };
enum class FillMode : std::uint8_t { constant, nearest, reflect, wrap };

struct Range {
    float lower = 0.0F, upper = 0.0F;
};

// inputs {x (N,H,W,C) float32}; outputs {y} of the same shape, not x itself. What is drawn for
// sample i of the batch depends on (seed, stream, step, first_sample + i * sample_stride) alone:
// words = draw(seed, stream, step, index) of core/random.h; word 0 decides what `first` bounds,
// word 1 what `second` does, each as lower + (upper - lower) * uniform(word).
// - flip: left and right where uniform(word 0) < 1/2 and `horizontal`; top and bottom by word 1.
// - translation: first, second = shares of the height (down) and the width (right).
// - rotation: first = turns, clockwise where the value is positive in Keras.
// - zoom: first, second = shares by which height and width shrink (negative: grow); one_zoom: both
//   by `first`.
// - contrast: (x - mean of the channel) * (1 + c) + mean, c from `first`, cut to `values`.
struct AugmentImages {
    AugmentKind kind = AugmentKind::flip;
    std::uint32_t stream = 0;
    bool horizontal = false, vertical = false, one_zoom = false;
    Range first, second;
    FillMode fill_mode = FillMode::reflect;
    bool bilinear = true;  // else the nearest pixel
    float fill_value = 0.0F;
    Range values{0.0F, 255.0F};
};

// inputs {dy}, of contrast {dy, x}; outputs {dx}, not dy itself.
struct AugmentImagesBackward {
    AugmentImages forward;
};

struct ImageSize {
    std::int64_t height = 0, width = 0, channels = 0;

    std::int64_t elements() const { return height * width * channels; }
};

// What was drawn for one image.
struct ImageTransform {
    bool flip_columns = false, flip_rows = false;
    // The pixel (row, column) is read at column' = m0 column + m1 row + m2, row' = m3 column + m4
    // row + m5.
    float matrix[6] = {1, 0, 0, 0, 1, 0};
    float contrast = 1.0F;
};

ImageTransform draw_transform(const AugmentImages& op, const ImageSize& size, std::uint64_t seed,
                              std::uint32_t step, std::uint64_t sample);

// One image; x and y do not overlap.
void transform_image(const AugmentImages& op, const ImageTransform& transform,
                     const ImageSize& size, const float* x, float* y);
// x is read for contrast alone.
void transform_image_backward(const AugmentImages& op, const ImageTransform& transform,
                              const ImageSize& size, const float* dy, const float* x, float* dx);

}  // namespace strata::ops
