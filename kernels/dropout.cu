// Dropout: the mask is computed where it is needed, in both passes, and never stored.
#include "kernels/dropout.h"

#include "kernels/common/philox.h"
#include "kernels/common/storage.h"

namespace strata::kernels {
namespace {

// Elements that a thread masks at a time, four for each draw.
template <class T>
inline constexpr int unit_size = pack_size<T>;

// A batch may begin inside a group of four, so element i of the array is number `skip + i` of its
// groups.
template <class T>
__device__ void mask_in_a_row(T* y, const T* x, std::int64_t n, float scale, const Dropout& p) {
    constexpr int size = unit_size<T>;
    const std::uint64_t flat = static_cast<std::uint64_t>(p.first_sample) *
                               static_cast<std::uint64_t>(p.elements_per_sample);
    const auto skip = static_cast<std::int64_t>(flat % 4);
    const std::int64_t units = (skip + n + size - 1) / size;
    const auto begins_on = [skip](const T* array, std::size_t bytes) {
        return (reinterpret_cast<std::uintptr_t>(array) -
                static_cast<std::size_t>(skip) * sizeof(T)) %
                   bytes ==
               0;
    };
    const bool whole = begins_on(x, widest_access) && begins_on(y, widest_access);
    const bool aligned = begins_on(x, 4 * sizeof(T)) && begins_on(y, 4 * sizeof(T));
    for (std::int64_t u = first_item(); u < units; u += item_stride()) {
        const std::int64_t first = u * size - skip;
        const auto mask = [&](std::uint32_t word, T value) {
            return rounded<T>(uniform(word) >= p.rate ? to_float(value) * scale : 0.0F);
        };
        const auto draw_group = [&](int group) {
            return draw(p.seed, p.stream, p.step,
                        flat / 4 + static_cast<std::uint64_t>(u) * (size / 4) +
                            static_cast<std::uint64_t>(group));
        };
        if (size > 4 && whole && first >= 0 && first + size <= n) {
            Pack<T, size> values = load_pack<size>(x + first, 0);
            STRATA_UNROLL
            for (int group = 0; group < size / 4; ++group) {
                const RandomWords random = draw_group(group);
                STRATA_UNROLL
                for (int k = 0; k < 4; ++k)
                    values.at[group * 4 + k] = mask(random.word[k], values.at[group * 4 + k]);
            }
            store_pack(y + first, 0, values);
            continue;
        }
        for (int group = 0; group < size / 4; ++group) {
            const RandomWords random = draw_group(group);
            const std::int64_t begin = first + group * 4;
            if (aligned && begin >= 0 && begin + 4 <= n) {
                Pack<T, 4> values = load_pack<4>(x + begin, 0);
                for (int k = 0; k < 4; ++k) values.at[k] = mask(random.word[k], values.at[k]);
                store_pack(y + begin, 0, values);
                continue;
            }
            for (int k = 0; k < 4; ++k) {
                const std::int64_t i = begin + k;
                if (i >= 0 && i < n) y[i] = mask(random.word[k], x[i]);
            }
        }
    }
}

// For samples whose numbers do not follow one another: each has groups of its own.
template <class T>
__device__ void mask_apart(T* y, const T* x, std::int64_t n, float scale, const Dropout& p) {
    const std::int64_t elements = p.elements_per_sample;
    const std::int64_t groups = (elements + 3) / 4 + 1;  // a sample may begin and end inside one
    for (std::int64_t at = first_item(); at < n / elements * groups; at += item_stride()) {
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

// The grid is the same wherever the batch begins, so that a recorded launch serves all steps.
template <class T>
__global__ void dropout_kernel(T* y, const T* x, std::int64_t n, float scale, Dropout p) {
    if (p.values != nullptr) {
        p.seed = p.values->seed;
        p.step = p.values->step;
        p.first_sample = p.values->first_sample;
        p.sample_stride = p.values->sample_stride;
    }
    if (p.sample_stride == 1)
        mask_in_a_row(y, x, n, scale, p);
    else
        mask_apart(y, x, n, scale, p);
}

}  // namespace

template <class T>
cudaError_t dropout(T* y, const T* x, std::int64_t n, Dropout parameters, cudaStream_t stream) {
    if (n < 0 || !(parameters.rate >= 0.0F && parameters.rate < 1.0F)) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    const std::int64_t elements = parameters.elements_per_sample;
    if (parameters.sample_stride != 1 && (elements <= 0 || n % elements != 0))
        return cudaErrorInvalidValue;
    const float scale = 1.0F / (1.0F - parameters.rate);
    return launch(dropout_kernel<T>, linear_shape(ceil_divide(n + 3, unit_size<T>)), stream, y, x,
                  n, scale, parameters);
}

#define STRATA_INSTANTIATE(T) \
    template cudaError_t dropout(T*, const T*, std::int64_t, Dropout, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
