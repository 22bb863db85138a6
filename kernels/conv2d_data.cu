// A convolution's gradient by its images: the transposed convolution. Cells that the same taps
// reach are taken together, so that no multiplication is by a zero that a stride left between the
// outputs.
#include "kernels/common/conv_rows.h"

namespace strata::kernels {

template <class T>
cudaError_t conv_backward_data(ConvTarget dx, const T* dy, const T* kernel, const ConvShape& shape,
                               bool tensor_cores, cudaStream_t stream) {
    return launch_conv_rows<ConvPass::data>(ConvRowsOperands<T>{dx, dy, kernel, {}, {}, {}, 1, 1},
                                            shape, tensor_cores, stream);
}

#define STRATA_INSTANTIATE(T)                                                                 \
    template cudaError_t conv_backward_data(ConvTarget, const T*, const T*, const ConvShape&, \
                                            bool, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
