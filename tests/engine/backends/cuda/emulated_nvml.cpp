// The emulator's NVML in the place of the machine's.
#include <nvml.h>

#include <map>
#include <string>

#include "engine/backends/cuda/nvml_library.h"

namespace strata::cuda {

const NvmlLibrary* nvml_library() {
    static const std::map<std::string, void*> functions{
        {"nvmlInit_v2", reinterpret_cast<void*>(&nvmlInit_v2)},
        {"nvmlDeviceGetHandleByPciBusId_v2",
         reinterpret_cast<void*>(&nvmlDeviceGetHandleByPciBusId_v2)},
        {"nvmlDeviceGetMemoryInfo", reinterpret_cast<void*>(&nvmlDeviceGetMemoryInfo)},
        {"nvmlDeviceGetUtilizationRates", reinterpret_cast<void*>(&nvmlDeviceGetUtilizationRates)},
        {"nvmlDeviceGetTemperature", reinterpret_cast<void*>(&nvmlDeviceGetTemperature)},
        {"nvmlDeviceGetPowerUsage", reinterpret_cast<void*>(&nvmlDeviceGetPowerUsage)},
        {"nvmlDeviceGetEnforcedPowerLimit",
         reinterpret_cast<void*>(&nvmlDeviceGetEnforcedPowerLimit)}};
    static const NvmlLibrary library = nvml_from([](const char* name) {
        const auto found = functions.find(name);
        return found == functions.end() ? nullptr : found->second;
    });
    return library.init() == nvml_success ? &library : nullptr;
}

}  // namespace strata::cuda
