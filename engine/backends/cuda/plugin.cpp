// The entry by which engine/graph/runtime finds the backend in the plug-in library.
#include "engine/backends/cuda/backend.h"

extern "C" strata::ops::Backend* strata_backend();

extern "C" strata::ops::Backend* strata_backend() {
    return &strata::cuda::cuda_backend();
}
