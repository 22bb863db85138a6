// The way of batches to a GPU beside its work: two pinned buffers on the host, one on the device, a
// stream of their own. Used by CudaDevice alone.
#pragma once

#include <memory>

#include "engine/ops/queued_device.h"

namespace strata::cuda {

class CudaDevice;

// As ops::QueuedDevice::make_feed(). The device outlives the feed.
std::unique_ptr<ops::Feed> make_cuda_feed(CudaDevice& device, void* memory, std::size_t bytes);

}  // namespace strata::cuda
