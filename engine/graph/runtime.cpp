#include "engine/graph/runtime.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "engine/backends/cpu/backend.h"
#include "engine/core/error.h"

namespace strata::graph {
namespace {

namespace fs = std::filesystem;

// Stands for CUDA where its plug-in is not there: has no device, but a reason.
class AbsentBackend final : public ops::Backend {
public:
    AbsentBackend(std::string kind, std::string reason)
        : kind_(std::move(kind)), reason_(std::move(reason)) {}
    std::string kind() const override { return kind_; }
    std::vector<device::DeviceInfo> discover() const override {
        return {{kind_, "NVIDIA GPUs", 0, false, reason_}};
    }
    std::unique_ptr<device::Device> open(int, const device::DeviceOptions&) override {
        throw Error(ErrorCode::not_found, "there is no " + kind_ + " device: " + reason_, kind_,
                    "Use cpu:0");
    }
    std::unique_ptr<ops::Kernel> prepare(device::Device&, const ops::Attributes&,
                                         std::span<const Tensor>,
                                         std::span<const Tensor>) override {
        throw Error(ErrorCode::unsupported, reason_, kind_);
    }

private:
    std::string kind_, reason_;
};

std::vector<fs::path> plugin_paths() {
    if (const char* given = std::getenv("STRATA_CUDA_PLUGIN")) return {given};
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    return {program / "libstrata_cuda.so", program / "../lib/libstrata_cuda.so",
            program / "../lib/strata-studio/libstrata_cuda.so"};
}

std::shared_ptr<ops::Backend> load_cuda() {
    std::string reason = "this build has no CUDA plug-in";
    for (const fs::path& path : plugin_paths()) {
        std::error_code ignored;
        if (!fs::exists(path, ignored)) continue;
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            reason = std::string("the CUDA plug-in does not load: ") + dlerror();
            continue;
        }
        if (auto entry =
                reinterpret_cast<ops::BackendEntry>(dlsym(library, ops::backend_entry_name)))
            return {entry(), [](ops::Backend*) {}};
        reason = "the CUDA plug-in " + path.string() + " is of another version";
    }
    return std::make_shared<AbsentBackend>("cuda", reason);
}

}  // namespace

const ops::Dispatch& runtime() {
    static const ops::Dispatch* const dispatch = [] {
        auto* made = new ops::Dispatch;  // lives to the end: plug-ins must not be unloaded at exit
        made->add(cpu::make_cpu_backend());
        made->add(load_cuda());
        return made;
    }();
    return *dispatch;
}

}  // namespace strata::graph
