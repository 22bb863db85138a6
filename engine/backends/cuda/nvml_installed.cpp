// The NVML of this machine's driver. The tests have a table of their own instead of this file.
#include <dlfcn.h>

#include "engine/backends/cuda/nvml_library.h"

namespace strata::cuda {

const NvmlLibrary* nvml_library() {
    static const NvmlLibrary* const library = []() -> const NvmlLibrary* {
        // Never closed nor shut down: it may be read until the process ends.
        void* handle = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) return nullptr;
        static const NvmlLibrary found =
            nvml_from([handle](const char* name) { return ::dlsym(handle, name); });
        return found.init != nullptr && found.init() == nvml_success ? &found : nullptr;
    }();
    return library;
}

}  // namespace strata::cuda
