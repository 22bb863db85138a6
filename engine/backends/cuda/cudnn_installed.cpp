// The cuDNN of this machine. The tests have their emulator's instead of this file.
#include <dlfcn.h>

#include "engine/backends/cuda/cudnn_library.h"

namespace strata::cuda {

const CudnnLibrary* cudnn_installed() {
    static CudnnLibrary found;
    static const CudnnLibrary* const library = []() -> const CudnnLibrary* {
        void* handle = ::dlopen("libcudnn.so.9", RTLD_NOW | RTLD_LOCAL);  // never closed
        if (handle == nullptr) return nullptr;
        return cudnn_from([handle](const char* name) { return ::dlsym(handle, name); }, found);
    }();
    return library;
}

}  // namespace strata::cuda
