#include "engine/io/image_resize.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace strata::io {
namespace {

constexpr int fraction_bits = 22;  // of a weight; 8 bits of a pixel and 2 of overflow remain

// The pixels that one pixel of the result comes from.
struct Window {
    std::int64_t first = 0, count = 0;
    std::size_t weights = 0;  // where its weights begin
};

struct Windows {
    std::vector<Window> windows;
    std::vector<std::int32_t> weights;
};

// Half up, of what is above -1; what is below only has to stay below 1.
std::int64_t rounded(double x) {
    return static_cast<std::int64_t>(x + 0.5);  // NOLINT(bugprone-incorrect-roundings)
}

Windows windows_of(std::int64_t from, std::int64_t to) {
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double reach = std::max(scale, 1.0);  // half of the triangle's foot
    Windows all;
    std::vector<double> exact;
    for (std::int64_t i = 0; i < to; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * scale;
        const auto first = std::max<std::int64_t>(0, rounded(centre - reach));
        const auto end = std::min(from, rounded(centre + reach));
        exact.clear();
        double sum = 0.0;
        for (std::int64_t x = first; x < end; ++x) {
            const double distance = std::abs((static_cast<double>(x) - centre + 0.5) / reach);
            exact.push_back(std::max(0.0, 1.0 - distance));
            sum += exact.back();
        }
        all.windows.push_back({first, end - first, all.weights.size()});
        for (const double weight : exact)
            all.weights.push_back(
                static_cast<std::int32_t>(rounded(weight / sum * (1 << fraction_bits))));
    }
    return all;
}

std::uint8_t rounded(std::int32_t sum) {
    return static_cast<std::uint8_t>(std::clamp(sum >> fraction_bits, 0, 255));
}

// Each row of `rows` rows becomes to.windows.size() pixels.
template <int Channels>
void resize_rows(const std::uint8_t* in, std::size_t in_stride, std::int64_t rows,
                 const Windows& to, std::uint8_t* out) {
    for (std::int64_t row = 0; row < rows; ++row, in += in_stride)
        for (const Window& window : to.windows) {
            const std::uint8_t* pixel = in + window.first * Channels;
            const std::int32_t* weight = to.weights.data() + window.weights;
            std::int32_t sums[Channels];
            std::fill_n(sums, Channels, 1 << (fraction_bits - 1));
            for (std::int64_t x = 0; x < window.count; ++x)
                for (int c = 0; c < Channels; ++c) sums[c] += *pixel++ * weight[x];
            for (int c = 0; c < Channels; ++c) *out++ = rounded(sums[c]);
        }
}

// Rows of `bytes` bytes become to.windows.size() rows.
void resize_columns(const std::uint8_t* in, std::size_t bytes, std::size_t in_stride,
                    const Windows& to, std::uint8_t* out) {
    std::vector<std::int32_t> sums(bytes);
    for (const Window& window : to.windows) {
        std::fill(sums.begin(), sums.end(), 1 << (fraction_bits - 1));
        for (std::int64_t y = 0; y < window.count; ++y) {
            const std::uint8_t* row = in + static_cast<std::size_t>(window.first + y) * in_stride;
            const std::int32_t weight = to.weights[window.weights + static_cast<std::size_t>(y)];
            for (std::size_t i = 0; i < bytes; ++i) sums[i] += row[i] * weight;
        }
        for (const std::int32_t sum : sums) *out++ = rounded(sum);
    }
}

}  // namespace

ImageBox centre_box(const Image& image, std::int64_t height, std::int64_t width) {
    const std::int64_t box_height =
        std::clamp<std::int64_t>(image.width * height / width, 1, image.height);
    const std::int64_t box_width =
        std::clamp<std::int64_t>(image.height * width / height, 1, image.width);
    return {(image.height - box_height) / 2, (image.width - box_width) / 2, box_height, box_width};
}

void resize_image(const Image& image, const ImageBox& box, std::int64_t height, std::int64_t width,
                  std::uint8_t* out) {
    const auto channels = static_cast<std::size_t>(image.channels);
    std::size_t stride = static_cast<std::size_t>(image.width) * channels;
    const std::uint8_t* in = image.pixels.data() + static_cast<std::size_t>(box.top) * stride +
                             static_cast<std::size_t>(box.left) * channels;
    const std::size_t out_stride = static_cast<std::size_t>(width) * channels;
    std::vector<std::uint8_t> narrow;
    if (width != box.width) {
        const Windows to = windows_of(box.width, width);
        narrow.resize(static_cast<std::size_t>(box.height) * out_stride);
        (image.channels == 1 ? resize_rows<1> : resize_rows<3>)(in, stride, box.height, to,
                                                                narrow.data());
        in = narrow.data();
        stride = out_stride;
    }
    if (height != box.height)
        return resize_columns(in, out_stride, stride, windows_of(box.height, height), out);
    for (std::int64_t row = 0; row < height; ++row, in += stride, out += out_stride)
        std::memcpy(out, in, out_stride);
}

}  // namespace strata::io
