#include "engine/io/image_resize.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace strata::io {
namespace {

constexpr int fraction_bits = 22;  // of a weight; 8 bits of a pixel and 2 of overflow remain
// Vector code reads and writes so many bytes more than it needs.
constexpr std::size_t slack = 16;

// The pixels that one pixel of the result comes from.
struct Window {
    std::int64_t first = 0, count = 0;
    std::size_t weights = 0;  // where its weights begin
};

struct Windows {
    std::int64_t from = 0, to = 0;  // pixels before and after
    std::vector<Window> windows;
    std::vector<std::int32_t> weights;
};

// Half up, of what is above -1; what is below only has to stay below 1.
std::int64_t rounded(double x) {
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): half up as Pillow does; lround goes away from 0
    return static_cast<std::int64_t>(x + 0.5);
}

Windows windows_of(std::int64_t from, std::int64_t to) {
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double reach = std::max(scale, 1.0);  // half of the triangle's foot
    Windows all{from, to, {}, {}};
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

// Images of a folder often have one size, so each thread keeps what it computed last.
const Windows& kept_windows(Windows& kept, std::int64_t from, std::int64_t to) {
    if (kept.from != from || kept.to != to) kept = windows_of(from, to);
    return kept;
}

std::uint8_t rounded(std::int32_t sum) {
    return static_cast<std::uint8_t>(std::clamp(sum >> fraction_bits, 0, 255));
}

// Each row of `rows` rows becomes to.windows.size() pixels.
template <int Channels>
void resize_rows(const std::uint8_t* in, std::size_t in_stride, std::int64_t rows,
                 const Windows& to, std::uint8_t* out, std::size_t out_stride) {
    for (std::int64_t row = 0; row < rows; ++row, in += in_stride, out += out_stride) {
        std::uint8_t* place = out;
        for (const Window& window : to.windows) {
            const std::uint8_t* pixel = in + window.first * Channels;
            const std::int32_t* weight = to.weights.data() + window.weights;
            std::int32_t sums[Channels];
            std::fill_n(sums, Channels, 1 << (fraction_bits - 1));
            for (std::int64_t x = 0; x < window.count; ++x)
                for (int c = 0; c < Channels; ++c) sums[c] += *pixel++ * weight[x];
            for (int c = 0; c < Channels; ++c) *place++ = rounded(sums[c]);
        }
    }
}

// Rows of `bytes` bytes become to.windows.size() rows. sums: `bytes` of them.
[[gnu::always_inline]] inline void resize_columns(const std::uint8_t* in, std::size_t bytes,
                                                  std::size_t in_stride, const Windows& to,
                                                  std::int32_t* sums, std::uint8_t* out) {
    for (const Window& window : to.windows) {
        std::fill_n(sums, bytes, 1 << (fraction_bits - 1));
        for (std::int64_t y = 0; y < window.count; ++y) {
            const std::uint8_t* row = in + static_cast<std::size_t>(window.first + y) * in_stride;
            const std::int32_t weight = to.weights[window.weights + static_cast<std::size_t>(y)];
            for (std::size_t i = 0; i < bytes; ++i) sums[i] += row[i] * weight;
        }
        for (std::size_t i = 0; i < bytes; ++i) out[i] = rounded(sums[i]);
        out += bytes;
    }
}

#if defined(__x86_64__)

// Two weights of each window side by side, as the processor multiplies them: each is
// upper * 2^half_bits + lower, so that the sums of whole numbers are those of resize_rows.
constexpr int half_bits = fraction_bits / 2;
constexpr std::int64_t pixels_at_once = 4;  // filled up with weights of 0

struct WeightPairs {
    std::vector<std::int32_t> upper, lower;  // two 16-bit weights each
};

WeightPairs pairs_of(const Windows& to) {
    WeightPairs pairs;
    constexpr std::int32_t mask = (1 << half_bits) - 1;
    for (const Window& window : to.windows) {
        const auto weight = [&](std::int64_t x) {
            return x < window.count ? to.weights[window.weights + static_cast<std::size_t>(x)] : 0;
        };
        for (std::int64_t x = 0; x < window.count || x % pixels_at_once != 0; x += 2) {
            pairs.upper.push_back(weight(x) >> half_bits | (weight(x + 1) >> half_bits) << 16);
            pairs.lower.push_back((weight(x) & mask) | (weight(x + 1) & mask) << 16);
        }
    }
    return pairs;
}

// Two rows of three channels at once; reads and writes up to `slack` bytes behind them.
[[gnu::target("avx2")]] void resize_two_rows(const std::uint8_t* first, const std::uint8_t* second,
                                             const Windows& to, const WeightPairs& pairs,
                                             std::uint8_t* first_out, std::uint8_t* second_out) {
    // Of two pixels each channel's bytes become two 16-bit numbers side by side.
    const __m256i front = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1));
    const __m256i back = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1));
    const std::int32_t* upper = pairs.upper.data();
    const std::int32_t* lower = pairs.lower.data();
    for (const Window& window : to.windows) {
        __m256i high = _mm256_setzero_si256();
        __m256i low = _mm256_set1_epi32(1 << (fraction_bits - 1));
        const auto add = [&](__m256i pixels) __attribute__((target("avx2"), always_inline)) {
            high = _mm256_add_epi32(high, _mm256_madd_epi16(pixels, _mm256_set1_epi32(*upper++)));
            low = _mm256_add_epi32(low, _mm256_madd_epi16(pixels, _mm256_set1_epi32(*lower++)));
        };
        const std::int64_t end = 3 * (window.first + window.count);
        for (std::int64_t at = 3 * window.first; at < end; at += 3 * pixels_at_once) {
            const __m256i bytes = _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(second + at),
                                                      reinterpret_cast<const __m128i*>(first + at));
            add(_mm256_shuffle_epi8(bytes, front));
            add(_mm256_shuffle_epi8(bytes, back));
        }
        __m256i sums = _mm256_srai_epi32(_mm256_add_epi32(_mm256_slli_epi32(high, half_bits), low),
                                         fraction_bits);
        sums = _mm256_packs_epi32(sums, sums);
        sums = _mm256_packus_epi16(sums, sums);
        const int first_pixel = _mm256_extract_epi32(sums, 0);
        const int second_pixel = _mm256_extract_epi32(sums, 4);
        std::memcpy(first_out, &first_pixel, 4);
        std::memcpy(second_out, &second_pixel, 4);
        first_out += 3;
        second_out += 3;
    }
}

// As resize_rows<3>; out_stride leaves `slack` bytes behind each row.
void resize_rows_by_pairs(const std::uint8_t* in, std::size_t in_stride, std::int64_t rows,
                          const Windows& to, std::uint8_t* out, std::size_t out_stride) {
    const WeightPairs pairs = pairs_of(to);
    // Behind the last row nothing may be read.
    std::vector<std::uint8_t> last(static_cast<std::size_t>(3 * to.from) + slack);
    std::memcpy(last.data(), in + static_cast<std::size_t>(rows - 1) * in_stride,
                static_cast<std::size_t>(3 * to.from));
    const auto row_at = [&](std::int64_t row) {
        return row + 1 < rows ? in + static_cast<std::size_t>(row) * in_stride : last.data();
    };
    for (std::int64_t row = 0; row < rows; row += 2) {
        const std::int64_t next = std::min(row + 1, rows - 1);
        resize_two_rows(row_at(row), row_at(next), to, pairs,
                        out + static_cast<std::size_t>(row) * out_stride,
                        out + static_cast<std::size_t>(next) * out_stride);
    }
}

[[gnu::target("avx2")]] void resize_columns_by_vectors(const std::uint8_t* in, std::size_t bytes,
                                                       std::size_t in_stride, const Windows& to,
                                                       std::int32_t* sums, std::uint8_t* out) {
    resize_columns(in, bytes, in_stride, to, sums, out);
}

bool has_vectors() {
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}

#endif

void any_rows(std::int64_t channels, const std::uint8_t* in, std::size_t in_stride,
              std::int64_t rows, const Windows& to, std::uint8_t* out, std::size_t out_stride) {
#if defined(__x86_64__)
    const bool wide = 3 * to.from >= static_cast<std::int64_t>(slack);  // what is read too much
    if (channels == 3 && wide && has_vectors())
        return resize_rows_by_pairs(in, in_stride, rows, to, out, out_stride);
#endif
    (channels == 1 ? resize_rows<1> : resize_rows<3>)(in, in_stride, rows, to, out, out_stride);
}

void any_columns(const std::uint8_t* in, std::size_t bytes, std::size_t in_stride,
                 const Windows& to, std::uint8_t* out) {
    std::vector<std::int32_t> sums(bytes);
#if defined(__x86_64__)
    if (has_vectors()) return resize_columns_by_vectors(in, bytes, in_stride, to, sums.data(), out);
#endif
    resize_columns(in, bytes, in_stride, to, sums.data(), out);
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
    thread_local Windows across, down;
    std::unique_ptr<std::uint8_t[]> narrow;
    if (width != box.width) {
        const std::size_t narrow_stride = out_stride + slack;
        narrow = std::make_unique_for_overwrite<std::uint8_t[]>(
            static_cast<std::size_t>(box.height) * narrow_stride);
        any_rows(image.channels, in, stride, box.height, kept_windows(across, box.width, width),
                 narrow.get(), narrow_stride);
        in = narrow.get();
        stride = narrow_stride;
    }
    if (height != box.height)
        return any_columns(in, out_stride, stride, kept_windows(down, box.height, height), out);
    for (std::int64_t row = 0; row < height; ++row, in += stride, out += out_stride)
        std::memcpy(out, in, out_stride);
}

}  // namespace strata::io
