// The emulated driver's NVML, and the addresses by which it and CUDA name the same GPU.
#include "nvml.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "state.h"

namespace cuda_emulator {
namespace {

struct {
    std::mutex mutex;
    Figures figures;
} given;
std::atomic<bool> started{false};

Figures figures() {
    const std::lock_guard lock(given.mutex);
    return given.figures;
}

std::array<char, 32> bus_id_of(int device) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "0000:%02X:00.0", device + 1);
    return text;
}

// Handles are 1, 2, ... of the devices that there are.
int number_of(nvmlDevice_t device) {
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(device)) - 1;
}

int device_count() {
    const std::lock_guard lock(mutex());
    return machine().has_driver ? machine().devices : 0;
}

template <typename T>
nvmlReturn_t tell(nvmlDevice_t device, T* where, nvmlReturn_t result, const T& value) {
    if (!started) return NVML_ERROR_UNINITIALIZED;
    if (where == nullptr || number_of(device) < 0 || number_of(device) >= device_count())
        return NVML_ERROR_INVALID_ARGUMENT;
    if (figures().lost) return NVML_ERROR_GPU_IS_LOST;
    if (result == NVML_SUCCESS) *where = value;
    return result;
}

}  // namespace

void set_figures(const Figures& figures) {
    const std::lock_guard lock(given.mutex);
    given.figures = figures;
}

}  // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaDeviceGetPCIBusId(char* bus_id, int length, int device) {
    if (device < 0 || device >= device_count()) return report(cudaErrorInvalidDevice);
    const auto text = bus_id_of(device);
    if (bus_id == nullptr || length < static_cast<int>(std::strlen(text.data())) + 1)
        return report(cudaErrorInvalidValue);
    std::strcpy(bus_id, text.data());
    return cudaSuccess;
}

nvmlReturn_t nvmlInit_v2() {
    if (!figures().has_driver) return NVML_ERROR_DRIVER_NOT_LOADED;
    started = true;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvmlDevice_t* device) {
    if (!started) return NVML_ERROR_UNINITIALIZED;
    if (bus_id == nullptr || device == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; i < device_count(); ++i)
        if (std::strcmp(bus_id, bus_id_of(i).data()) == 0) {
            *device = reinterpret_cast<nvmlDevice_t>(static_cast<std::uintptr_t>(i + 1));
            return NVML_SUCCESS;
        }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
    nvmlMemory_t value{};
    {
        const std::lock_guard lock(mutex());
        value.total = machine().memory;
        value.used = allocated_bytes(number_of(device));
    }
    value.free = value.total - value.used;
    return tell(device, memory, figures().memory_result, value);
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization) {
    return tell(device, utilization, figures().load_result, {figures().load, 0});
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                      unsigned* celsius) {
    if (sensor != NVML_TEMPERATURE_GPU) return NVML_ERROR_INVALID_ARGUMENT;
    return tell(device, celsius, figures().temperature_result, figures().celsius);
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned* milliwatts) {
    return tell(device, milliwatts, figures().power_result, figures().milliwatts);
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned* milliwatts) {
    return tell(device, milliwatts, figures().limit_result, figures().limit_milliwatts);
}
