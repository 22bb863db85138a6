#include "engine/ops/augment.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "engine/core/random.h"

namespace strata::ops {
namespace {

float drawn(const Range& range, std::uint32_t word) {
    return range.lower + (range.upper - range.lower) * random::uniform(word);
}

void set_rotation(float turns, const ImageSize& size, ImageTransform& transform) {
    const double angle = static_cast<double>(turns) * 2.0 * std::numbers::pi;
    const double cosine = std::cos(angle), sine = std::sin(angle);
    const double x = static_cast<double>(size.width - 1) / 2;
    const double y = static_cast<double>(size.height - 1) / 2;
    const double all[6] = {cosine, -sine,  x - x * cosine + y * sine,
                           sine,   cosine, y - x * sine - y * cosine};
    for (int i = 0; i < 6; ++i) transform.matrix[i] = static_cast<float>(all[i]);
}

void set_zoom(float height, float width, const ImageSize& size, ImageTransform& transform) {
    transform.matrix[0] = width;
    transform.matrix[2] = static_cast<float>(size.width - 1) / 2 * (1 - width);
    transform.matrix[4] = height;
    transform.matrix[5] = static_cast<float>(size.height - 1) / 2 * (1 - height);
}

// The place in [0, size) that stands for `place`, or -1 for the fill value.
std::int64_t inside(std::int64_t place, std::int64_t size, FillMode mode) {
    if (place >= 0 && place < size) return place;
    switch (mode) {
        case FillMode::constant:
            return -1;
        case FillMode::nearest:
            return place < 0 ? 0 : size - 1;
        case FillMode::wrap: {
            const std::int64_t rest = place % size;
            return rest < 0 ? rest + size : rest;
        }
        case FillMode::reflect: {
            const std::int64_t period = 2 * size;
            std::int64_t rest = place % period;
            if (rest < 0) rest += period;
            return rest < size ? rest : period - 1 - rest;
        }
    }
    return -1;
}

// std::floor and std::lround are calls where the CPU's baseline has no such instruction.
std::int64_t floor_of(float value) {
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<float>(whole) > value ? whole - 1 : whole;
}
std::int64_t nearest_of(float value) {  // halves away from 0
    const auto whole = static_cast<std::int64_t>(value);
    const float rest = value - static_cast<float>(whole);
    return rest >= 0.5F ? whole + 1 : rest <= -0.5F ? whole - 1 : whole;
}

// The pixels that one pixel of y is made of: up to four, each with its weight. offset -1: the fill
// value.
struct Taps {
    std::int64_t offset[4];
    float weight[4];
    int count;
};

// Where the pixel is read: its row and column, rounded down, and how far it is from there.
struct Spot {
    std::int64_t row, column;
    float down, right;

    bool is_inside(const ImageSize& size) const {  // with its neighbours
        return row >= 0 && column >= 0 && row + 1 < size.height && column + 1 < size.width;
    }
};

Taps taps_of(const Spot& spot, const ImageSize& size, FillMode mode) {
    const std::int64_t rows[2] = {inside(spot.row, size.height, mode),
                                  inside(spot.row + 1, size.height, mode)};
    const std::int64_t columns[2] = {inside(spot.column, size.width, mode),
                                     inside(spot.column + 1, size.width, mode)};
    const float row_weights[2] = {1 - spot.down, spot.down};
    const float column_weights[2] = {1 - spot.right, spot.right};
    Taps taps{};
    taps.count = 4;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            taps.offset[2 * i + j] = rows[i] < 0 || columns[j] < 0
                                         ? -1
                                         : (rows[i] * size.width + columns[j]) * size.channels;
            taps.weight[2 * i + j] = row_weights[i] * column_weights[j];
        }
    return taps;
}

Taps nearest_tap(const Spot& spot, const ImageSize& size, FillMode mode) {
    const std::int64_t r = inside(spot.row, size.height, mode);
    const std::int64_t c = inside(spot.column, size.width, mode);
    const std::int64_t offset = r < 0 || c < 0 ? -1 : (r * size.width + c) * size.channels;
    return {{offset}, {1.0F}, 1};
}

// visit(element of y's pixel, spot) for each pixel in order.
template <typename Visit>
void for_each_pixel(bool bilinear, const ImageTransform& transform, const ImageSize& size,
                    const Visit& visit) {
    const float* m = transform.matrix;
    std::int64_t at = 0;
    for (std::int64_t row = 0; row < size.height; ++row) {
        const float column_base = m[1] * static_cast<float>(row) + m[2];
        const float row_base = m[4] * static_cast<float>(row) + m[5];
        for (std::int64_t column = 0; column < size.width; ++column, at += size.channels) {
            const float from_column = m[0] * static_cast<float>(column) + column_base;
            const float from_row = m[3] * static_cast<float>(column) + row_base;
            Spot spot{};
            if (bilinear) {
                spot.row = floor_of(from_row);
                spot.column = floor_of(from_column);
                spot.down = from_row - static_cast<float>(spot.row);
                spot.right = from_column - static_cast<float>(spot.column);
            } else {
                spot.row = nearest_of(from_row);
                spot.column = nearest_of(from_column);
            }
            visit(at, spot);
        }
    }
}

// Four floats in one register: a pixel of three channels and what follows it.
using Four = float __attribute__((vector_size(16)));

Four four_at(const float* x) {
    Four values;
    std::memcpy(&values, x, sizeof values);
    return values;
}

// Channels: how many there are, 0 where only `size` knows. Most pixels lie inside with all their
// neighbours; the others look for each.
template <int Channels>
void resample_channels(const AugmentImages& op, const ImageTransform& transform,
                       const ImageSize& size, const float* x, float* y) {
    const std::int64_t channels = Channels > 0 ? Channels : size.channels;
    const std::int64_t line = size.width * channels, last = size.elements() - channels;
    const float* const end = x + size.elements();
    for_each_pixel(op.bilinear, transform, size, [&](std::int64_t at, const Spot& spot) {
        if (op.bilinear && spot.is_inside(size)) {
            const float* from = x + spot.row * line + spot.column * channels;
            const float up = 1 - spot.down, left = 1 - spot.right;
            const float weights[4] = {up * left, up * spot.right, spot.down * left,
                                      spot.down * spot.right};
            // The fourth value is of the next pixel, which is still to come: the last has none.
            if (Channels == 3 && at < last && from + line + 6 < end) {
                const Four sum = weights[0] * four_at(from) + weights[1] * four_at(from + 3) +
                                 weights[2] * four_at(from + line) +
                                 weights[3] * four_at(from + line + 3);
                std::memcpy(y + at, &sum, sizeof sum);
                return;
            }
            for (std::int64_t k = 0; k < channels; ++k)
                y[at + k] = weights[0] * from[k] + weights[1] * from[k + channels] +
                            weights[2] * from[k + line] + weights[3] * from[k + line + channels];
            return;
        }
        const Taps taps =
            op.bilinear ? taps_of(spot, size, op.fill_mode) : nearest_tap(spot, size, op.fill_mode);
        for (std::int64_t k = 0; k < channels; ++k) {
            float sum = 0;
            for (int t = 0; t < taps.count; ++t)
                sum +=
                    taps.weight[t] * (taps.offset[t] < 0 ? op.fill_value : x[taps.offset[t] + k]);
            y[at + k] = sum;
        }
    });
}

void resample(const AugmentImages& op, const ImageTransform& transform, const ImageSize& size,
              const float* x, float* y) {
    if (size.channels == 1) return resample_channels<1>(op, transform, size, x, y);
    if (size.channels == 3) return resample_channels<3>(op, transform, size, x, y);
    resample_channels<0>(op, transform, size, x, y);
}

void resample_backward(const AugmentImages& op, const ImageTransform& transform,
                       const ImageSize& size, const float* dy, float* dx) {
    std::fill_n(dx, size.elements(), 0.0F);
    for_each_pixel(op.bilinear, transform, size, [&](std::int64_t at, const Spot& spot) {
        const Taps taps =
            op.bilinear ? taps_of(spot, size, op.fill_mode) : nearest_tap(spot, size, op.fill_mode);
        for (int t = 0; t < taps.count; ++t)
            for (std::int64_t k = 0; taps.offset[t] >= 0 && k < size.channels; ++k)
                dx[taps.offset[t] + k] += taps.weight[t] * dy[at + k];
    });
}

void flip(const ImageTransform& transform, const ImageSize& size, const float* x, float* y) {
    for (std::int64_t row = 0; row < size.height; ++row) {
        const std::int64_t from = transform.flip_rows ? size.height - 1 - row : row;
        const float* in = x + from * size.width * size.channels;
        float* out = y + row * size.width * size.channels;
        if (!transform.flip_columns) {
            std::copy_n(in, size.width * size.channels, out);
            continue;
        }
        for (std::int64_t column = 0; column < size.width; ++column)
            for (std::int64_t k = 0; k < size.channels; ++k)
                out[column * size.channels + k] = in[(size.width - 1 - column) * size.channels + k];
    }
}

// Of channel k's values in one image, each given by value(element).
template <typename Value>
float channel_mean(const ImageSize& size, std::int64_t k, const Value& value) {
    double sum = 0;
    for (std::int64_t i = k; i < size.elements(); i += size.channels)
        sum += static_cast<double>(value(i));
    return static_cast<float>(sum / static_cast<double>(size.height * size.width));
}

void change_contrast(const AugmentImages& op, float contrast, const ImageSize& size, const float* x,
                     float* y) {
    for (std::int64_t k = 0; k < size.channels; ++k) {
        const float mean = channel_mean(size, k, [&](std::int64_t i) { return x[i]; });
        for (std::int64_t i = k; i < size.elements(); i += size.channels)
            y[i] = std::clamp((x[i] - mean) * contrast + mean, op.values.lower, op.values.upper);
    }
}

void change_contrast_backward(const AugmentImages& op, float contrast, const ImageSize& size,
                              const float* dy, const float* x, float* dx) {
    for (std::int64_t k = 0; k < size.channels; ++k) {
        const float mean = channel_mean(size, k, [&](std::int64_t i) { return x[i]; });
        const auto passed = [&](std::int64_t i) {  // 0 where y was cut
            const float y = (x[i] - mean) * contrast + mean;
            return y < op.values.lower || y > op.values.upper ? 0.0F : dy[i];
        };
        const float shared = (1 - contrast) * channel_mean(size, k, passed);
        for (std::int64_t i = k; i < size.elements(); i += size.channels)
            dx[i] = contrast * passed(i) + shared;
    }
}

}  // namespace

ImageTransform draw_transform(const AugmentImages& op, const ImageSize& size, std::uint64_t seed,
                              std::uint32_t step, std::uint64_t sample) {
    const random::Block words = random::draw(seed, op.stream, step, sample);
    const float first = drawn(op.first, words[0]);
    const float second = drawn(op.second, words[1]);
    ImageTransform transform;
    switch (op.kind) {
        case AugmentKind::flip:
            transform.flip_columns = op.horizontal && random::uniform(words[0]) < 0.5F;
            transform.flip_rows = op.vertical && random::uniform(words[1]) < 0.5F;
            break;
        case AugmentKind::translation:
            transform.matrix[2] = -second * static_cast<float>(size.width);
            transform.matrix[5] = -first * static_cast<float>(size.height);
            break;
        case AugmentKind::rotation:
            set_rotation(first, size, transform);
            break;
        case AugmentKind::zoom:
            set_zoom(1 + first, 1 + (op.one_zoom ? first : second), size, transform);
            break;
        case AugmentKind::contrast:
            transform.contrast = 1 + first;
            break;
    }
    return transform;
}

void transform_image(const AugmentImages& op, const ImageTransform& transform,
                     const ImageSize& size, const float* x, float* y) {
    if (op.kind == AugmentKind::flip) return flip(transform, size, x, y);
    if (op.kind == AugmentKind::contrast)
        return change_contrast(op, transform.contrast, size, x, y);
    resample(op, transform, size, x, y);
}

void transform_image_backward(const AugmentImages& op, const ImageTransform& transform,
                              const ImageSize& size, const float* dy, const float* x, float* dx) {
    if (op.kind == AugmentKind::flip) return flip(transform, size, dy, dx);
    if (op.kind == AugmentKind::contrast)
        return change_contrast_backward(op, transform.contrast, size, dy, x, dx);
    resample_backward(op, transform, size, dy, dx);
}

}  // namespace strata::ops
