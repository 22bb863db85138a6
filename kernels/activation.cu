// Element-wise activations: the formulas stand in common/activation_formulas.h.
#include "kernels/activation.h"

#include "kernels/common/activation_formulas.h"
#include "kernels/common/map.h"

namespace strata::kernels {
namespace {

struct Activate {
    Activation f;
    __device__ void operator()(const float (&in)[1], float (&out)[1]) const {
        out[0] = activate(in[0], f);
    }
};

struct GradientFromInput {
    Activation f;
    __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
        out[0] = in[0] * gradient_from_input(in[1], f);
    }
};

struct GradientFromOutput {
    Activation f;
    __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
        out[0] = in[0] * gradient_from_output(in[1], f);
    }
};

// Of a pack's elements: in wide accesses where they lie so.
template <int Size, class Bias>
__device__ Pack<float, Size> load_bias(const Bias* bias) {
    if constexpr (std::is_same_v<Bias, float>) {
        return load_floats<Size>(bias, 0);
    } else {
        const bool wide = reinterpret_cast<std::uintptr_t>(bias) % (Size * sizeof(Bias)) == 0;
        Pack<Bias, Size> stored;
        if (wide)
            stored = load_pack<Size>(bias, 0);
        else
            for (int k = 0; k < Size; ++k) stored.at[k] = bias[k];
        Pack<float, Size> values;
        for (int k = 0; k < Size; ++k) values.at[k] = to_float(stored.at[k]);
        return values;
    }
}

// By packs of elements that all stand in one row, or one by one.
template <int Size, class T, class Bias, class Index>
__global__ void bias_activation_kernel(T* y, const T* x, const Bias* bias, Index packs, Index cols,
                                       Activation f) {
    const Index stride = static_cast<Index>(item_stride());
    for (Index p = static_cast<Index>(first_item()); p < packs; p += stride) {
        Pack<T, Size> values = load_pack<Size>(x, p);
        const Pack<float, Size> own = load_bias<Size>(bias + p * Size % cols);
        for (int k = 0; k < Size; ++k) {
            values.at[k] = rounded<T>(activate(to_float(values.at[k]) + own.at[k], f));
        }
        store_pack(y, p, values);
    }
}

template <int Size, class T, class Bias>
cudaError_t launch_bias(T* y, const T* x, const Bias* bias, std::int64_t n, std::int64_t cols,
                        Activation f, cudaStream_t stream) {
    return with_index_type(n, [&](auto index) {
        using Index = decltype(index);
        const auto packs = static_cast<Index>(n / Size);
        return launch(bias_activation_kernel<Size, T, Bias, Index>, linear_shape(packs), stream, y,
                      x, bias, packs, static_cast<Index>(cols), f);
    });
}

}  // namespace

template <class T>
cudaError_t activation_forward(T* y, const T* x, std::int64_t n, Activation activation,
                               cudaStream_t stream) {
    return launch_map(MapArrays<1, 1, T>{{x}, {y}}, n, Activate{activation}, stream);
}

template <class T, class Bias>
cudaError_t bias_activation_forward(T* y, const T* x, const Bias* bias, std::int64_t rows,
                                    std::int64_t cols, Activation activation, cudaStream_t stream) {
    if (rows < 0 || cols < 0) return cudaErrorInvalidValue;
    const std::int64_t n = rows * cols;
    if (bias == nullptr) return activation_forward(y, x, n, activation, stream);
    constexpr int size = pack_size<T>;
    const bool wide =
        cols % size == 0 && is_aligned(y, widest_access) && is_aligned(x, widest_access);
    return wide ? launch_bias<size>(y, x, bias, n, cols, activation, stream)
                : launch_bias<1>(y, x, bias, n, cols, activation, stream);
}

template <class T>
cudaError_t activation_backward(T* dx, const T* dy, const T* saved, Saved what, std::int64_t n,
                                Activation activation, cudaStream_t stream) {
    const MapArrays<2, 1, T> arrays{{dy, saved}, {dx}};
    if (what == Saved::input) return launch_map(arrays, n, GradientFromInput{activation}, stream);
    if (!derivative_from_output(activation.kind)) return cudaErrorInvalidValue;
    return launch_map(arrays, n, GradientFromOutput{activation}, stream);
}

#define STRATA_INSTANTIATE(T)                                                                      \
    template cudaError_t activation_forward(T*, const T*, std::int64_t, Activation, cudaStream_t); \
    template cudaError_t bias_activation_forward(T*, const T*, const float*, std::int64_t,         \
                                                 std::int64_t, Activation, cudaStream_t);          \
    template cudaError_t activation_backward(T*, const T*, const T*, Saved, std::int64_t,          \
                                             Activation, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE
template cudaError_t bias_activation_forward(BFloat16*, const BFloat16*, const BFloat16*,
                                             std::int64_t, std::int64_t, Activation, cudaStream_t);
template cudaError_t bias_activation_forward(Float16*, const Float16*, const Float16*, std::int64_t,
                                             std::int64_t, Activation, cudaStream_t);

}  // namespace strata::kernels
