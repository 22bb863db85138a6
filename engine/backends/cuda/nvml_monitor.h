// A GPU's figures as its driver tells them through NVML.
#pragma once

#include <memory>
#include <string>

#include "engine/backends/cuda/nvml_library.h"
#include "engine/device/monitor.h"

namespace strata::cuda {

// bus_id: "0000:65:00.0", by which CUDA and NVML mean the same GPU. library may be null. Null where
// NVML does not know the GPU.
std::unique_ptr<device::Monitor> nvml_monitor(const NvmlLibrary* library,
                                              const std::string& bus_id);

// "" where CUDA does not tell it.
std::string bus_id_of(int index);

// Of the GPU with this number of CUDA's.
std::unique_ptr<device::Monitor> gpu_monitor(int index);

}  // namespace strata::cuda
