// Dropout: the mask is computed where it is needed, in both passes, and never stored.
#include "kernels/dropout.h"

#include "kernels/common/philox.h"
#include "kernels/common/storage.h"

namespace strata::kernels {
namespace {

// One thread draws four words and masks the up to four elements that they belong to. A batch may
// begin inside a group of four, so element i of the array is number `skip + i` of its groups.
template <class T>
__global__ void dropout_kernel(T* y, const T* x, std::int64_t n, std::int64_t groups,
                               std::uint64_t first_group, int skip, bool aligned, float scale,
                               Dropout p) {
    for (std::int64_t g = first_item(); g < groups; g += item_stride()) {
        const RandomWords random =
            draw(p.seed, p.stream, p.step, first_group + static_cast<std::uint64_t>(g));
        const auto mask = [&](int k, T value) {
            return rounded<T>(uniform(random.word[k]) >= p.rate ? to_float(value) * scale : 0.0F);
        };
        const std::int64_t begin = g * 4 - skip;
        if (aligned && begin >= 0 && begin + 4 <= n) {
            Pack<T, 4> values = load_pack<4>(x + begin, 0);
            for (int k = 0; k < 4; ++k) values.at[k] = mask(k, values.at[k]);
            store_pack(y + begin, 0, values);
            continue;
        }
        for (int k = 0; k < 4; ++k) {
            const std::int64_t i = begin + k;
            if (i >= 0 && i < n) y[i] = mask(k, x[i]);
        }
    }
}

// For samples whose numbers do not follow one another: each has groups of its own.
template <class T>
__global__ void strided_dropout_kernel(T* y, const T* x, std::int64_t samples, float scale,
                                       Dropout p) {
    const std::int64_t elements = p.elements_per_sample;
    const std::int64_t groups = (elements + 3) / 4 + 1;  // a sample may begin and end inside one
    for (std::int64_t at = first_item(); at < samples * groups; at += item_stride()) {
        const std::int64_t sample = at / groups;
        const std::uint64_t flat =
            static_cast<std::uint64_t>(p.first_sample + sample * p.sample_stride) *
            static_cast<std::uint64_t>(elements);
        const std::int64_t begin = at % groups * 4 - static_cast<std::int64_t>(flat % 4);
        if (begin >= elements) continue;
        const RandomWords random =
            draw(p.seed, p.stream, p.step, flat / 4 + static_cast<std::uint64_t>(at % groups));
        for (int k = 0; k < 4; ++k) {
            const std::int64_t e = begin + k, i = sample * elements + e;
            if (e >= 0 && e < elements)
                y[i] =
                    rounded<T>(uniform(random.word[k]) >= p.rate ? to_float(x[i]) * scale : 0.0F);
        }
    }
}

}  // namespace

template <class T>
cudaError_t dropout(T* y, const T* x, std::int64_t n, Dropout parameters, cudaStream_t stream) {
    if (n < 0 || !(parameters.rate >= 0.0F && parameters.rate < 1.0F)) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    const float scale = 1.0F / (1.0F - parameters.rate);
    if (parameters.sample_stride != 1) {
        const std::int64_t elements = parameters.elements_per_sample;
        if (elements <= 0 || n % elements != 0) return cudaErrorInvalidValue;
        return launch(strided_dropout_kernel<T>,
                      linear_shape(n / elements * ((elements + 3) / 4 + 1)), stream, y, x,
                      n / elements, scale, parameters);
    }
    const auto flat = static_cast<std::uint64_t>(parameters.first_sample) *
                      static_cast<std::uint64_t>(parameters.elements_per_sample);
    const int skip = static_cast<int>(flat % 4);
    const std::int64_t groups = ceil_divide(skip + n, 4);
    const int to_boundary = (4 - skip) % 4;
    const bool aligned =
        is_aligned(x + to_boundary, 4 * sizeof(T)) && is_aligned(y + to_boundary, 4 * sizeof(T));
    return launch(dropout_kernel<T>, linear_shape(groups), stream, y, x, n, groups, flat / 4, skip,
                  aligned, scale, parameters);
}

#define STRATA_INSTANTIATE(T) \
    template cudaError_t dropout(T*, const T*, std::int64_t, Dropout, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
