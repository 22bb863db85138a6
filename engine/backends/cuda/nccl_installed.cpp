// The NCCL of this machine. The tests have their emulator's instead of this file.
#include <dlfcn.h>

#include "engine/backends/cuda/nccl_library.h"
#include "engine/core/error.h"

namespace strata::cuda {

const NcclLibrary& nccl_library() {
    static const NcclLibrary library = [] {
        // Never closed: its threads may live on.
        void* handle = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr)
            throw Error(ErrorCode::unsupported, "several GPUs need NCCL, which is not installed",
                        "NCCL", "Install libnccl2, or use one GPU");
        return nccl_from([handle](const char* name) { return ::dlsym(handle, name); });
    }();
    return library;
}

}  // namespace strata::cuda
