// NVML's functions, found at run time: the driver brings the library. The declarations are those of
// its C interface, whose values do not change.
#pragma once

#include <functional>

namespace strata::cuda {

struct NvmlDeviceHandle;  // NVML's own
using NvmlDevice = NvmlDeviceHandle*;

inline constexpr int nvml_success = 0;

struct NvmlMemory {
    unsigned long long total = 0, free = 0, used = 0;  // bytes; used counts what the driver keeps
};

struct NvmlUtilization {
    unsigned gpu = 0, memory = 0;  // percent of the last sampling period
};

// What this library lacks is null.
struct NvmlLibrary {
    int (*init)() = nullptr;
    int (*device_by_pci)(const char* bus_id, NvmlDevice* device) = nullptr;
    int (*memory)(NvmlDevice device, NvmlMemory* memory) = nullptr;
    int (*utilization)(NvmlDevice device, NvmlUtilization* utilization) = nullptr;
    int (*temperature)(NvmlDevice device, int sensor, unsigned* celsius) = nullptr;
    int (*power)(NvmlDevice device, unsigned* milliwatts) = nullptr;
    int (*power_limit)(NvmlDevice device, unsigned* milliwatts) = nullptr;
};

// symbol: a function of the library by its name, null where it has none of that name.
NvmlLibrary nvml_from(const std::function<void*(const char*)>& symbol);

// What the driver brought, loaded and started once; null where there is none or it does not start.
const NvmlLibrary* nvml_library();

}  // namespace strata::cuda
