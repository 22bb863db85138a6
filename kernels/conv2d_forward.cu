// The convolution itself, with bias and activation behind the sums.
#include "kernels/common/conv_rows.h"

namespace strata::kernels {

bool conv_takes(const ConvShape& s) {
    if (!is_valid(s.x, s.window) || s.groups <= 0 || s.filters <= 0 || s.x.channels <= 0 ||
        s.x.channels % s.groups != 0 || s.filters % s.groups != 0)
        return false;
    constexpr std::int64_t most = std::int64_t{1} << 30;
    const std::int64_t cells = std::int64_t{s.x.batch} * s.x.height * s.x.width;
    const std::int64_t classes = std::int64_t{s.window.stride_h} * s.window.stride_w;
    const std::int64_t taps = std::int64_t{s.window.kernel_h} * s.window.kernel_w;
    return s.positions() > 0 && cells > 0 && s.positions() < most && cells < most &&
           classes < most && taps < most &&
           taps * (s.group_channels() > s.group_filters() ? s.group_channels()
                                                          : s.group_filters()) <
               most;
}

template <class T>
cudaError_t conv_forward(ConvTarget y, const T* x, const T* kernel, ConvBias bias,
                         const ConvShape& shape, Activation f, bool tensor_cores,
                         cudaStream_t stream) {
    return launch_conv_rows<ConvPass::forward>(ConvRowsOperands<T>{y, x, kernel, bias, f, {}, 1, 1},
                                               shape, tensor_cores, stream);
}

#define STRATA_INSTANTIATE(T)                                                                     \
    template cudaError_t conv_forward(ConvTarget, const T*, const T*, ConvBias, const ConvShape&, \
                                      Activation, bool, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
