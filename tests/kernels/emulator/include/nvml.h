// Stand-in for NVML: what its documentation says of the functions that the product uses, with
// figures that tests set.
#pragma once

#include <vector>

struct nvmlDevice_st;
using nvmlDevice_t = nvmlDevice_st*;
enum nvmlReturn_t {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_GPU_IS_LOST = 15
};
struct nvmlMemory_t {
    unsigned long long total, free, used;
};
struct nvmlUtilization_t {
    unsigned gpu, memory;
};
enum nvmlTemperatureSensors_t { NVML_TEMPERATURE_GPU = 0 };

extern "C" {
nvmlReturn_t nvmlInit_v2();
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvmlDevice_t* device);
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory);
nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t* utilization);
nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t sensor,
                                      unsigned* celsius);
nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned* milliwatts);
nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned* milliwatts);
}

namespace cuda_emulator {

// What the GPUs tell; a result that is no success is given in a figure's place.
struct Figures {
    nvmlReturn_t memory_result = NVML_SUCCESS, load_result = NVML_SUCCESS,
                 temperature_result = NVML_SUCCESS, power_result = NVML_SUCCESS,
                 limit_result = NVML_SUCCESS;
    unsigned load = 37, celsius = 41, milliwatts = 61500, limit_milliwatts = 300000;
    bool has_driver = true;
    bool lost = false;  // every call of a GPU fails
};
void set_figures(const Figures& figures);

}  // namespace cuda_emulator
