#include "engine/backends/cpu/thin_conv2d.h"

#include <immintrin.h>

#include <algorithm>

#include "engine/backends/cpu/parallel.h"
#include "engine/backends/cpu/simd.h"
#include "engine/device/arena.h"

namespace strata::cpu {
namespace {

constexpr std::int64_t lanes = 8;
constexpr std::int64_t most_taps = 32;  // kernel_h * kernel_w * channels

// Taps of the window as offsets into the padded image.
struct Taps {
    WindowSizes s;
    std::int64_t padded_h, padded_w, count = 0;
    std::int64_t at[most_taps];

    explicit Taps(const WindowSizes& sizes) : s(sizes) {
        const ops::Window2D& w = s.window;
        padded_h = std::max(s.h + w.pad_top,
                            (s.oh - 1) * w.stride_h + w.dilation_h * (w.kernel_h - 1) + 1);
        padded_w = std::max(s.w + w.pad_left,
                            (s.ow - 1) * w.stride_w + w.dilation_w * (w.kernel_w - 1) + 1);
        for (int i = 0; i < w.kernel_h; ++i)
            for (int j = 0; j < w.kernel_w; ++j)
                for (std::int64_t c = 0; c < s.c; ++c)
                    at[count++] = (i * w.dilation_h * padded_w + j * w.dilation_w) * s.c + c;
    }
    bool copies() const { return padded_h != s.h || padded_w != s.w; }
    std::int64_t padded_floats() const { return padded_h * padded_w * s.c; }
    std::int64_t gradient_floats() const { return (count + 1) * s.f; }  // the bias's behind
};

// sums of N taps from `first` on and 8 F filters += those of one row of results.
template <int N, int F>
[[STRATA_AVX2]] void add_row(const Taps& taps, std::int64_t first, const float* window,
                             const float* dy, std::int64_t filter, float* sums) {
    const std::int64_t f = taps.s.f, step = taps.s.window.stride_w * taps.s.c;
    __m256 total[N][F];
    std::int64_t at[N];
#pragma GCC unroll 9
    for (int t = 0; t < N; ++t) {
        at[t] = taps.at[first + t];
#pragma GCC unroll 4
        for (int k = 0; k < F; ++k)
            total[t][k] = _mm256_loadu_ps(sums + (first + t) * f + filter + lanes * k);
    }
    for (std::int64_t x = 0; x < taps.s.ow; ++x, window += step, dy += f) {
        __m256 gradient[F];
#pragma GCC unroll 4
        for (int k = 0; k < F; ++k) gradient[k] = _mm256_loadu_ps(dy + filter + lanes * k);
#pragma GCC unroll 9
        for (int t = 0; t < N; ++t) {
            const __m256 pixel = _mm256_broadcast_ss(window + at[t]);
#pragma GCC unroll 4
            for (int k = 0; k < F; ++k)
                total[t][k] = _mm256_fmadd_ps(gradient[k], pixel, total[t][k]);
        }
    }
#pragma GCC unroll 9
    for (int t = 0; t < N; ++t)
#pragma GCC unroll 4
        for (int k = 0; k < F; ++k)
            _mm256_storeu_ps(sums + (first + t) * f + filter + lanes * k, total[t][k]);
}

// As many taps at a time as the registers take beside F vectors of filters.
template <int N, int F>
void add_all_taps(const Taps& taps, const float* window, const float* dy, std::int64_t filter,
                  float* sums) {
    std::int64_t t = 0;
    for (; t + N <= taps.count; t += N) add_row<N, F>(taps, t, window, dy, filter, sums);
    for (; t < taps.count; ++t) add_row<1, F>(taps, t, window, dy, filter, sums);
}

void add_image(const Taps& taps, const float* image, const float* dy, float* sums) {
    const WindowSizes& s = taps.s;
    float* bias = sums + taps.count * s.f;
    for (std::int64_t y = 0; y < s.oh; ++y, dy += s.ow * s.f) {
        const float* window = image + y * s.window.stride_h * taps.padded_w * s.c;
        std::int64_t filter = 0;
        for (; filter + 4 * lanes <= s.f; filter += 4 * lanes)
            add_all_taps<3, 4>(taps, window, dy, filter, sums);
        for (; filter < s.f; filter += lanes) add_all_taps<9, 1>(taps, window, dy, filter, sums);
        simd([=, &s]() STRATA_BODY {
            for (std::int64_t x = 0; x < s.ow; ++x)
#pragma omp simd
                for (std::int64_t k = 0; k < s.f; ++k) bias[k] += dy[x * s.f + k];
        });
    }
}

// Of one thread: the sums of its images, those of one image, and the image with its padding.
struct Scratch {
    std::size_t one_image, padded, bytes;
    explicit Scratch(const Taps& taps)
        : one_image(device::aligned(static_cast<std::size_t>(taps.gradient_floats()) * 4)),
          padded(2 * one_image),
          bytes(padded + device::aligned(static_cast<std::size_t>(taps.padded_floats()) * 4)) {}
};

const float* padded_image(const Taps& taps, const float* image, float* padded) {
    if (!taps.copies()) return image;
    const WindowSizes& s = taps.s;
    for (std::int64_t y = 0; y < s.h; ++y)
        std::copy_n(image + y * s.w * s.c, s.w * s.c,
                    padded + ((y + s.window.pad_top) * taps.padded_w + s.window.pad_left) * s.c);
    return padded;
}

void weights_gradient(const Taps& taps, const Scratch& scratch, const Operands& o) {
    const WindowSizes& s = taps.s;
    const float* x = o.in(0);
    const float* dy = o.in(1);
    auto* workspace = static_cast<std::byte*>(o.workspace);
    const int parts = static_cast<int>(std::min<std::int64_t>(o.threads, s.n));
    for_parts(parts, [&](int part) {
        std::byte* own = workspace + static_cast<std::size_t>(part) * scratch.bytes;
        auto* sums = reinterpret_cast<float*>(own);
        auto* one_image = reinterpret_cast<float*>(own + scratch.one_image);
        auto* padded = reinterpret_cast<float*>(own + scratch.padded);
        std::fill_n(sums, taps.gradient_floats(), 0.0F);
        std::fill_n(padded, taps.padded_floats(), 0.0F);
        const std::int64_t end = s.n * (part + 1) / parts;
        for (std::int64_t n = s.n * part / parts; n < end; ++n) {
            // In two levels: one chain over all pixels of a batch would lose digits.
            std::fill_n(one_image, taps.gradient_floats(), 0.0F);
            add_image(taps, padded_image(taps, x + n * s.h * s.w * s.c, padded),
                      dy + n * s.oh * s.ow * s.f, one_image);
            for (std::int64_t i = 0; i < taps.gradient_floats(); ++i) sums[i] += one_image[i];
        }
    });
    const auto sum_of_parts = [&](std::int64_t i) {
        float sum = 0.0F;
        for (int part = 0; part < parts; ++part)
            sum += reinterpret_cast<const float*>(workspace + static_cast<std::size_t>(part) *
                                                                  scratch.bytes)[i];
        return sum;
    };
    const std::int64_t kernel_floats = taps.count * s.f;
    for (std::int64_t i = 0; i < kernel_floats; ++i) o.out(0)[i] = sum_of_parts(i);
    if (o.outputs.size() > 1)
        for (std::int64_t k = 0; k < s.f; ++k) o.out(1)[k] = sum_of_parts(kernel_floats + k);
}

}  // namespace

bool suits_thin_weights_gradient(const Request&, const WindowSizes& sizes) {
    return isa() != Isa::generic && sizes.f % lanes == 0 && sizes.c <= 4 &&
           sizes.window.kernel_h * sizes.window.kernel_w * sizes.c <= most_taps;
}

KernelPtr thin_conv2d_backward_weights(const Request& request, const WindowSizes& sizes) {
    const Taps taps(sizes);
    const Scratch scratch(taps);
    return function_kernel(
        request.device,
        [=](const Operands& o, const ops::StepScalars&) { weights_gradient(taps, scratch, o); },
        scratch.bytes * static_cast<std::size_t>(request.device.threads()));
}

}  // namespace strata::cpu
