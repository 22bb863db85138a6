// Random image transforms. A first kernel draws each image's transform, the second applies it: the
// random words and the sine are computed once an image, not once a pixel.
#include "kernels/augment.h"

#include <cmath>

#include "kernels/common/divisor.h"
#include "kernels/common/philox.h"
#include "kernels/common/reduce.h"

namespace strata::kernels {
namespace {

struct Transform {
    float matrix[6];
    float contrast;
    std::int32_t flips;  // bit 0: columns, bit 1: rows
};

// Of the pixel where y's pixel is read.
struct Spot {
    float row, column;
};

struct Tap {
    std::int64_t pixel;  // -1: the fill value
    float weight;
};

// By what an element's index is taken apart.
struct ImageDivisors {
    Divisor channels, width, pixels;  // pixels: of an image
};

ImageDivisors divisors_of(const ImageBatch& shape) {
    return {divisor_of(shape.channels), divisor_of(shape.width),
            divisor_of(std::int64_t{shape.height} * shape.width)};
}

// Where element e lies. first: the element that the image begins with.
struct Element {
    std::int64_t image, first;
    int row, column, channel;
};

template <class Index>
__device__ Element element_of(Index e, const ImageBatch& shape, const ImageDivisors& by) {
    const Index pixel = by.channels.divide(e);
    const Index image = by.pixels.divide(pixel);
    const auto place =
        static_cast<std::int32_t>(pixel - image * static_cast<Index>(by.pixels.value));
    const std::int32_t row = by.width.divide(place);
    return {image, image * by.pixels.value * shape.channels, row, place - row * shape.width,
            static_cast<int>(e - pixel * shape.channels)};
}

constexpr double two_pi = 6.283185307179586476925286766559;

// Products and sums are each rounded, as on the host: a fused one could make another transform.
__device__ float drawn(float lower, float upper, std::uint32_t word) {
    return __fadd_rn(lower, __fmul_rn(upper - lower, uniform(word)));
}

__device__ void set_rotation(Transform& t, float turns, const ImageBatch& shape) {
    const double angle = static_cast<double>(turns) * two_pi;
    const double cosine = cos(angle);
    const double sine = sin(angle);
    const double x = static_cast<double>(shape.width - 1) / 2;
    const double y = static_cast<double>(shape.height - 1) / 2;
    t.matrix[0] = static_cast<float>(cosine);
    t.matrix[1] = static_cast<float>(-sine);
    t.matrix[2] = static_cast<float>(x - x * cosine + y * sine);
    t.matrix[3] = static_cast<float>(sine);
    t.matrix[4] = static_cast<float>(cosine);
    t.matrix[5] = static_cast<float>(y - x * sine - y * cosine);
}

__device__ void set_zoom(Transform& t, float height, float width, const ImageBatch& shape) {
    t.matrix[0] = width;
    t.matrix[2] = static_cast<float>(shape.width - 1) / 2 * (1 - width);
    t.matrix[4] = height;
    t.matrix[5] = static_cast<float>(shape.height - 1) / 2 * (1 - height);
}

__global__ void draw_transforms_kernel(Transform* out, ImageBatch shape, Augment p) {
    if (p.values != nullptr) {
        p.seed = p.values->seed;
        p.step = p.values->step;
        p.first_sample = p.values->first_sample;
        p.sample_stride = p.values->sample_stride;
    }
    for (std::int64_t i = first_item(); i < shape.batch; i += item_stride()) {
        const RandomWords words =
            draw(p.seed, p.stream, p.step,
                 static_cast<std::uint64_t>(p.first_sample + i * p.sample_stride));
        const float first = drawn(p.first_lower, p.first_upper, words.word[0]);
        const float second = drawn(p.second_lower, p.second_upper, words.word[1]);
        Transform t{{1, 0, 0, 0, 1, 0}, 1, 0};
        if (p.kind == AugmentKind::flip) {
            t.flips = (p.horizontal && uniform(words.word[0]) < 0.5F ? 1 : 0) |
                      (p.vertical && uniform(words.word[1]) < 0.5F ? 2 : 0);
        } else if (p.kind == AugmentKind::translation) {
            t.matrix[2] = -second * static_cast<float>(shape.width);
            t.matrix[5] = -first * static_cast<float>(shape.height);
        } else if (p.kind == AugmentKind::rotation) {
            set_rotation(t, first, shape);
        } else if (p.kind == AugmentKind::zoom) {
            set_zoom(t, 1 + first, 1 + (p.one_zoom ? first : second), shape);
        } else {
            t.contrast = 1 + first;
        }
        out[i] = t;
    }
}

// The place in [0, size) that stands for `place`, or -1 for the fill value.
__device__ int inside(int place, int size, FillMode mode) {
    if (place >= 0 && place < size) return place;
    if (mode == FillMode::constant) return -1;
    if (mode == FillMode::nearest) return place < 0 ? 0 : size - 1;
    const int period = mode == FillMode::wrap ? size : 2 * size;
    int rest = place % period;
    if (rest < 0) rest += period;
    return rest < size ? rest : period - 1 - rest;
}

// Products and sums are each rounded, as on the host: a fused one could take another pixel.
__device__ Spot spot_of(const Transform& t, int row, int column) {
    const float r = static_cast<float>(row);
    const float c = static_cast<float>(column);
    const float* m = t.matrix;
    return {__fadd_rn(__fmul_rn(m[3], c), __fadd_rn(__fmul_rn(m[4], r), m[5])),
            __fadd_rn(__fmul_rn(m[0], c), __fadd_rn(__fmul_rn(m[1], r), m[2]))};
}

// visit(tap) for the up to four pixels of x that one pixel of y is made of.
template <class Visit>
__device__ void for_each_tap(Spot spot, const ImageBatch& shape, const Augment& p, Visit visit) {
    if (!p.bilinear) {
        const int row = inside(static_cast<int>(lroundf(spot.row)), shape.height, p.fill_mode);
        const int column = inside(static_cast<int>(lroundf(spot.column)), shape.width, p.fill_mode);
        visit(Tap{row < 0 || column < 0 ? -1 : std::int64_t{row} * shape.width + column, 1.0F});
        return;
    }
    const float top = floorf(spot.row);
    const float left = floorf(spot.column);
    const float down = spot.row - top;
    const float right = spot.column - left;
    for (int i = 0; i < 2; ++i) {
        const int row = inside(static_cast<int>(top) + i, shape.height, p.fill_mode);
        for (int j = 0; j < 2; ++j) {
            const int column = inside(static_cast<int>(left) + j, shape.width, p.fill_mode);
            const float weight = (i == 0 ? 1 - down : down) * (j == 0 ? 1 - right : right);
            visit(
                Tap{row < 0 || column < 0 ? -1 : std::int64_t{row} * shape.width + column, weight});
        }
    }
}

// One thread an element of y; neighbours share the pixel and its taps' cache lines.
template <class Index>
__global__ void resample_kernel(float* y, const float* x, const Transform* transforms,
                                ImageBatch shape, ImageDivisors by, Index elements, Augment p) {
    const auto stride = static_cast<Index>(item_stride());
    for (auto e = static_cast<Index>(first_item()); e < elements; e += stride) {
        const Element own = element_of(e, shape, by);
        const float* in = x + own.first + own.channel;
        float sum = 0;
        for_each_tap(spot_of(transforms[own.image], own.row, own.column), shape, p, [&](Tap tap) {
            sum += tap.weight * (tap.pixel < 0 ? p.fill_value : in[tap.pixel * shape.channels]);
        });
        y[e] = sum;
    }
}

// One thread an image and channel walks over y's pixels in order: several of them may have read the
// same pixel of x, and their sum must not depend on timing. Rare: a layer with weights stands
// before.
__global__ void resample_backward_kernel(float* dx, const float* dy, const Transform* transforms,
                                         ImageBatch shape, Augment p) {
    const std::int64_t pixels = std::int64_t{shape.height} * shape.width;
    const std::int64_t planes = shape.batch * shape.channels;
    for (std::int64_t plane = first_item(); plane < planes; plane += item_stride()) {
        const std::int64_t image = plane / shape.channels;
        const std::int64_t at = image * pixels * shape.channels + plane % shape.channels;
        for (std::int64_t i = 0; i < pixels; ++i) dx[at + i * shape.channels] = 0;
        for (std::int64_t i = 0; i < pixels; ++i) {
            const int place = static_cast<int>(i);
            const float gradient = dy[at + i * shape.channels];
            for_each_tap(spot_of(transforms[image], place / shape.width, place % shape.width),
                         shape, p, [&](Tap tap) {
                             if (tap.pixel >= 0)
                                 dx[at + tap.pixel * shape.channels] += tap.weight * gradient;
                         });
        }
    }
}

template <class Index>
__global__ void flip_kernel(float* y, const float* x, const Transform* transforms, ImageBatch shape,
                            ImageDivisors by, Index elements) {
    const auto stride = static_cast<Index>(item_stride());
    for (auto e = static_cast<Index>(first_item()); e < elements; e += stride) {
        const Element own = element_of(e, shape, by);
        const int flips = transforms[own.image].flips;
        const int row = (flips & 2) != 0 ? shape.height - 1 - own.row : own.row;
        const int column = (flips & 1) != 0 ? shape.width - 1 - own.column : own.column;
        const std::int64_t pixel = std::int64_t{row} * shape.width + column;
        y[e] = x[own.first + pixel * shape.channels + own.channel];
    }
}

__device__ bool was_cut(float x, float mean, float contrast, const Augment& p) {
    const float y = (x - mean) * contrast + mean;
    return y < p.value_lower || y > p.value_upper;
}

// means[image * channels + channel] of `values`; where `x_means` is given, of those that were not
// cut. A block each.
__global__ void channel_mean_kernel(float* means, const float* values, const float* x,
                                    const float* x_means, const Transform* transforms,
                                    ImageBatch shape, Augment p) {
    __shared__ double scratch[block_size / warp_size];
    const std::int64_t plane = blockIdx.x;
    const std::int64_t image = plane / shape.channels;
    const std::int64_t pixels = std::int64_t{shape.height} * shape.width;
    const std::int64_t at = image * pixels * shape.channels + plane % shape.channels;
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < pixels; i += blockDim.x) {
        const std::int64_t e = at + i * shape.channels;
        if (x_means != nullptr && was_cut(x[e], x_means[plane], transforms[image].contrast, p))
            continue;
        sum += static_cast<double>(values[e]);
    }
    sum = block_reduce<block_size / warp_size>(sum, 0.0, Sum{}, scratch);
    if (threadIdx.x == 0) means[plane] = static_cast<float>(sum / static_cast<double>(pixels));
}

template <class Index>
__global__ void contrast_kernel(float* y, const float* x, const float* means,
                                const Transform* transforms, ImageBatch shape, ImageDivisors by,
                                Index elements, Augment p) {
    const auto stride = static_cast<Index>(item_stride());
    for (auto e = static_cast<Index>(first_item()); e < elements; e += stride) {
        const Element own = element_of(e, shape, by);
        const float mean = means[own.image * shape.channels + own.channel];
        const float value = (x[e] - mean) * transforms[own.image].contrast + mean;
        // Written so that a NaN stays one.
        y[e] = value < p.value_lower   ? p.value_lower
               : value > p.value_upper ? p.value_upper
                                       : value;
    }
}

template <class Index>
__global__ void contrast_backward_kernel(float* dx, const float* dy, const float* x,
                                         const float* x_means, const float* dy_means,
                                         const Transform* transforms, ImageBatch shape,
                                         ImageDivisors by, Index elements, Augment p) {
    const auto stride = static_cast<Index>(item_stride());
    for (auto e = static_cast<Index>(first_item()); e < elements; e += stride) {
        const Element own = element_of(e, shape, by);
        const std::int64_t plane = own.image * shape.channels + own.channel;
        const float contrast = transforms[own.image].contrast;
        const float passed = was_cut(x[e], x_means[plane], contrast, p) ? 0.0F : dy[e];
        dx[e] = contrast * passed + (1 - contrast) * dy_means[plane];
    }
}

// The scratch: a transform an image, then for contrast two means a plane.
struct Scratch {
    Transform* transforms;
    float *x_means, *dy_means;
};

Scratch parts_of(void* memory, const ImageBatch& shape) {
    auto* transforms = static_cast<Transform*>(memory);
    auto* means = reinterpret_cast<float*>(transforms + shape.batch);
    return {transforms, means, means + shape.batch * shape.channels};
}

bool is_valid(const ImageBatch& shape) {
    return shape.batch >= 0 && shape.height >= 0 && shape.width >= 0 && shape.channels >= 0 &&
           std::int64_t{shape.height} * shape.width <= INT32_MAX / 2;
}

cudaError_t draw_transforms(const Scratch& scratch, const ImageBatch& shape, const Augment& p,
                            cudaStream_t stream) {
    return launch(draw_transforms_kernel, linear_shape(shape.batch), stream, scratch.transforms,
                  shape, p);
}

cudaError_t channel_means(float* means, const float* values, const float* x, const float* x_means,
                          const Scratch& scratch, const ImageBatch& shape, const Augment& p,
                          cudaStream_t stream) {
    const LaunchShape planes{dim3(static_cast<unsigned>(shape.batch * shape.channels)),
                             dim3(block_size)};
    return launch(channel_mean_kernel, planes, stream, means, values, x, x_means,
                  static_cast<const Transform*>(scratch.transforms), shape, p);
}

cudaError_t flip(float* y, const float* x, const Transform* transforms, const ImageBatch& shape,
                 cudaStream_t stream) {
    const std::int64_t n = shape.elements();
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return launch(flip_kernel<Index>, linear_shape(n), stream, y, x, transforms, shape,
                      divisors_of(shape), static_cast<Index>(n));
    });
}

}  // namespace

std::size_t augment_scratch_bytes(const Augment& parameters, const ImageBatch& shape) {
    const auto images = static_cast<std::size_t>(shape.batch);
    std::size_t bytes = images * sizeof(Transform);
    if (parameters.kind == AugmentKind::contrast)
        bytes += 2 * images * static_cast<std::size_t>(shape.channels) * sizeof(float);
    return bytes;
}

cudaError_t augment(float* y, const float* x, const ImageBatch& shape, const Augment& parameters,
                    void* scratch, cudaStream_t stream) {
    if (!is_valid(shape)) return cudaErrorInvalidValue;
    if (shape.elements() == 0) return cudaSuccess;
    const Scratch parts = parts_of(scratch, shape);
    const Transform* transforms = parts.transforms;
    const std::int64_t n = shape.elements();
    const ImageDivisors by = divisors_of(shape);
    cudaError_t error = draw_transforms(parts, shape, parameters, stream);
    if (error != cudaSuccess) return error;
    if (parameters.kind == AugmentKind::flip) return flip(y, x, transforms, shape, stream);
    if (parameters.kind != AugmentKind::contrast)
        return with_index_type(n, [&](auto index) {
            using Index = decltype(index);
            return launch(resample_kernel<Index>, linear_shape(n), stream, y, x, transforms, shape,
                          by, static_cast<Index>(n), parameters);
        });
    error = channel_means(parts.x_means, x, nullptr, nullptr, parts, shape, parameters, stream);
    if (error != cudaSuccess) return error;
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return launch(contrast_kernel<Index>, linear_shape(n), stream, y, x,
                      static_cast<const float*>(parts.x_means), transforms, shape, by,
                      static_cast<Index>(n), parameters);
    });
}

cudaError_t augment_backward(float* dx, const float* dy, const float* x, const ImageBatch& shape,
                             const Augment& parameters, void* scratch, cudaStream_t stream) {
    if (!is_valid(shape)) return cudaErrorInvalidValue;
    if (shape.elements() == 0) return cudaSuccess;
    const Scratch parts = parts_of(scratch, shape);
    const Transform* transforms = parts.transforms;
    const std::int64_t n = shape.elements();
    const ImageDivisors by = divisors_of(shape);
    cudaError_t error = draw_transforms(parts, shape, parameters, stream);
    if (error != cudaSuccess) return error;
    if (parameters.kind == AugmentKind::flip) return flip(dx, dy, transforms, shape, stream);
    if (parameters.kind != AugmentKind::contrast)
        return launch(resample_backward_kernel, linear_shape(shape.batch * shape.channels), stream,
                      dx, dy, transforms, shape, parameters);
    error = channel_means(parts.x_means, x, nullptr, nullptr, parts, shape, parameters, stream);
    if (error != cudaSuccess) return error;
    error = channel_means(parts.dy_means, dy, x, parts.x_means, parts, shape, parameters, stream);
    if (error != cudaSuccess) return error;
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        return launch(contrast_backward_kernel<Index>, linear_shape(n), stream, dx, dy, x,
                      static_cast<const float*>(parts.x_means),
                      static_cast<const float*>(parts.dy_means), transforms, shape, by,
                      static_cast<Index>(n), parameters);
    });
}

}  // namespace strata::kernels
