#include "engine/backends/cuda/cast.h"

#include "engine/backends/cuda/storage.h"
#include "kernels/elementwise.h"

namespace strata::cuda {

cudaError_t cast(void* y, DType to, const void* x, DType from, std::int64_t n,
                 cudaStream_t stream) {
    return with_storage(to, [&]<typename To>(Stored<To>) {
        return with_storage(from, [&]<typename From>(Stored<From>) {
            return kernels::scale_shift(static_cast<To*>(y), static_cast<const From*>(x), n, 1.0F,
                                        0.0F, stream);
        });
    });
}

}  // namespace strata::cuda
