#include "engine/backends/cuda/nvml_monitor.h"

#include <cuda_runtime_api.h>

#include <array>
#include <optional>

namespace strata::cuda {
namespace {

constexpr int core_sensor = 0;           // NVML_TEMPERATURE_GPU
constexpr unsigned hottest = 200;        // degrees: what is above is no temperature
constexpr unsigned most_watts = 100000;  // likewise

// Each call may fail on its own: not supported by this GPU, not allowed to this user, GPU lost.
class NvmlMonitor final : public device::Monitor {
public:
    NvmlMonitor(const NvmlLibrary& library, NvmlDevice device)
        : library_(library), device_(device) {}

    device::Reading read() noexcept override {
        device::Reading reading;
        read_memory(reading);
        NvmlUtilization load;
        if (library_.utilization != nullptr &&
            library_.utilization(device_, &load) == nvml_success && load.gpu <= 100)
            reading.utilisation = static_cast<double>(load.gpu) / 100.0;
        unsigned celsius = 0;
        if (library_.temperature != nullptr &&
            library_.temperature(device_, core_sensor, &celsius) == nvml_success &&
            celsius <= hottest)
            reading.temperature = celsius;
        reading.power = watts(library_.power);
        reading.power_limit = watts(library_.power_limit);
        return reading;
    }

private:
    void read_memory(device::Reading& reading) const {
        NvmlMemory memory;
        if (library_.memory == nullptr || library_.memory(device_, &memory) != nvml_success) return;
        if (memory.total == 0 || memory.free > memory.total) return;
        reading.used_bytes = memory.total - memory.free;
        reading.free_bytes = memory.free;
    }

    std::optional<double> watts(int (*ask)(NvmlDevice, unsigned*)) const {
        unsigned milliwatts = 0;
        if (ask == nullptr || ask(device_, &milliwatts) != nvml_success) return std::nullopt;
        if (milliwatts == 0 || milliwatts > most_watts * 1000) return std::nullopt;
        return static_cast<double>(milliwatts) / 1000.0;
    }

    const NvmlLibrary& library_;
    NvmlDevice device_;
};

}  // namespace

std::unique_ptr<device::Monitor> nvml_monitor(const NvmlLibrary* library,
                                              const std::string& bus_id) {
    NvmlDevice device = nullptr;
    if (library == nullptr || library->device_by_pci == nullptr ||
        library->device_by_pci(bus_id.c_str(), &device) != nvml_success)
        return nullptr;
    return std::make_unique<NvmlMonitor>(*library, device);
}

std::string bus_id_of(int index) {
    std::array<char, 32> bus_id{};
    if (cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), index) !=
        cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    return bus_id.data();
}

std::unique_ptr<device::Monitor> gpu_monitor(int index) {
    const std::string bus_id = bus_id_of(index);
    return bus_id.empty() ? nullptr : nvml_monitor(nvml_library(), bus_id);
}

}  // namespace strata::cuda
