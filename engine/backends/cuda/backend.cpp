#include "engine/backends/cuda/backend.h"

#include <algorithm>
#include <variant>

#include "engine/backends/cuda/cuda_error.h"
#include "engine/backends/cuda/cudnn_library.h"
#include "engine/backends/cuda/kernel.h"
#include "engine/backends/cuda/nccl_group.h"
#include "engine/backends/cuda/nvml_monitor.h"
#include "engine/core/error.h"

namespace strata::cuda {
namespace {

// Ten times the compute capability of the oldest GPU that the kernels were compiled for.
constexpr int lowest_capability = STRATA_LOWEST_CAPABILITY;

std::string version_text(int version) {  // 13020 -> "13.2"
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}
std::string capability_text(int capability) {  // 86 -> "8.6"
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

// Why cudaGetDeviceCount failed, in words.
std::string reason_of(cudaError_t error) {
    int driver = 0;
    int needed = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&needed);
    if (driver == 0) return "no NVIDIA driver";
    if (error == cudaErrorInsufficientDriver) {
        return "the NVIDIA driver is too old: it serves CUDA " + version_text(driver) +
               ", this build needs " + version_text(needed);
    }
    if (error == cudaErrorNoDevice) return "no NVIDIA GPU";
    return std::string("CUDA does not start: ") + cudaGetErrorString(error);
}

device::DeviceInfo absent(const std::string& reason) {
    return {"cuda", "NVIDIA GPUs", 0, false, reason};
}

device::DeviceInfo info_of(int index) {
    device::DeviceInfo info;
    info.id = "cuda:" + std::to_string(index);
    cudaDeviceProp properties{};
    const cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (error != cudaSuccess) {
        cudaGetLastError();
        info.available = false;
        info.reason = cudaGetErrorString(error);
        return info;
    }
    const std::string bus_id = bus_id_of(index);
    const int capability = properties.major * 10 + properties.minor;
    info.description = std::string(properties.name) + (bus_id.empty() ? "" : " at PCI " + bus_id) +
                       ", compute capability " + capability_text(capability) + ", " +
                       std::to_string(properties.multiProcessorCount) +
                       " multiprocessors, convolutions by " + convolution_library_name();
    info.memory = properties.totalGlobalMem;
    if (capability < lowest_capability) {
        info.available = false;
        info.reason = "a GPU of compute capability " + capability_text(capability) +
                      "; this build serves " + capability_text(lowest_capability) + " and newer";
    }
    return info;
}

class CudaBackend final : public ops::Backend {
public:
    std::string kind() const override { return "cuda"; }

    std::vector<device::DeviceInfo> discover() const override {
        int count = 0;
        const cudaError_t error = cudaGetDeviceCount(&count);
        if (error != cudaSuccess) {
            cudaGetLastError();
            return {absent(reason_of(error))};
        }
        if (count == 0) return {absent(reason_of(cudaErrorNoDevice))};
        std::vector<device::DeviceInfo> devices;
        devices.reserve(static_cast<std::size_t>(count));
        for (int index = 0; index < count; ++index) devices.push_back(info_of(index));
        return devices;
    }

    std::unique_ptr<device::Device> open(int index, const device::DeviceOptions& options) override {
        const std::vector<device::DeviceInfo> devices = discover();
        const std::string id = "cuda:" + std::to_string(index);
        for (const device::DeviceInfo& info : devices) {
            if (info.available && info.id == id)
                return std::make_unique<CudaDevice>(index, info, options);
            if (!info.available && (info.id == id || info.id == "cuda"))
                throw Error(ErrorCode::not_found,
                            "device '" + id + "' cannot be used: " + info.reason, id,
                            "Use cpu:0, or see 'strata devices'");
        }
        throw Error(ErrorCode::not_found, "there is no device '" + id + "'", id,
                    devices.size() == 1
                        ? "The only GPU here is cuda:0"
                        : "Use cuda:0 to cuda:" + std::to_string(devices.size() - 1));
    }

    std::unique_ptr<ops::Kernel> prepare(device::Device& device, const ops::Attributes& attributes,
                                         Tensors inputs, Tensors outputs) override {
        auto* own = dynamic_cast<CudaDevice*>(&device);
        if (own == nullptr)
            throw Error(ErrorCode::internal, "the CUDA backend was given another kind of device",
                        device.info().id);
        own->activate();
        const Request request{{own->info().id, ops::name_of(attributes), inputs, outputs}, *own};
        return std::visit([&](const auto& op) { return make_kernel(request, op); }, attributes);
    }

    bool has_groups() const override { return true; }

    std::vector<std::byte> make_group_id() override { return NcclGroup::make_id(nccl_library()); }
    void check_groups() override { nccl_library(); }

    std::unique_ptr<device::DeviceGroup> join_group(std::span<device::Device* const> devices,
                                                    const device::GroupPlace& place) override {
        std::vector<CudaDevice*> own;
        own.reserve(devices.size());
        for (device::Device* device : devices) own.push_back(dynamic_cast<CudaDevice*>(device));
        if (std::find(own.begin(), own.end(), nullptr) != own.end())
            throw Error(ErrorCode::internal, "a group of GPUs was given another kind of device",
                        "devices");
        return std::make_unique<NcclGroup>(nccl_library(), own, place);
    }

    std::unique_ptr<device::Monitor> monitor(int index) override { return gpu_monitor(index); }
};

}  // namespace

ops::Backend& cuda_backend() {
    // Never destroyed: at exit the CUDA runtime may be gone before it.
    static auto* const backend = new CudaBackend;
    return *backend;
}

}  // namespace strata::cuda
