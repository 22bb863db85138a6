// Work on a GPU's stream as a CUDA graph. Used by CudaDevice alone.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/ops/queued_device.h"

namespace strata::cuda {

class CudaDevice;

// As ops::QueuedDevice::record_work(). The device outlives the recording.
std::unique_ptr<ops::Recording> record_graph(const CudaDevice& device,
                                             const std::function<void()>& work,
                                             std::string& reason);

}  // namespace strata::cuda
