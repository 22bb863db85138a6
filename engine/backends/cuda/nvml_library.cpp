#include "engine/backends/cuda/nvml_library.h"

#include <type_traits>

namespace strata::cuda {

NvmlLibrary nvml_from(const std::function<void*(const char*)>& symbol) {
    NvmlLibrary library;
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol(name));
    };
    take(library.init, "nvmlInit_v2");
    take(library.device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
    take(library.memory, "nvmlDeviceGetMemoryInfo");
    take(library.utilization, "nvmlDeviceGetUtilizationRates");
    take(library.temperature, "nvmlDeviceGetTemperature");
    take(library.power, "nvmlDeviceGetPowerUsage");
    take(library.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
    return library;
}

}  // namespace strata::cuda
