#include "engine/backends/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "engine/backends/cuda/cuda_error.h"

namespace strata::cuda {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;

}  // namespace

Staging::~Staging() {
    for (const Buffer& buffer : buffers_) {
        if (buffer.free != nullptr) cudaEventDestroy(buffer.free);
        cudaFreeHost(buffer.memory);
    }
}

// The other buffer, free again.
Staging::Buffer& Staging::next() {
    Buffer& buffer = buffers_[turn_++ % buffers_.size()];
    if (buffer.memory == nullptr) {
        check(cudaMallocHost(&buffer.memory, buffer_bytes), "Allocating pinned memory", device_);
        check(cudaEventCreateWithFlags(&buffer.free, cudaEventDisableTiming), "Making an event",
              device_);
        return buffer;
    }
    check(cudaEventSynchronize(buffer.free), "Work on the GPU", device_);
    return buffer;
}

void Staging::copy_in(void* device_memory, const void* host, std::size_t bytes,
                      cudaStream_t stream) {
    for (std::size_t done = 0; done < bytes; done += buffer_bytes) {
        const std::size_t part = std::min(buffer_bytes, bytes - done);
        const Buffer& buffer = next();
        std::memcpy(buffer.memory, static_cast<const char*>(host) + done, part);
        check(cudaMemcpyAsync(static_cast<char*>(device_memory) + done, buffer.memory, part,
                              cudaMemcpyHostToDevice, stream),
              "A copy to the GPU", device_);
        check(cudaEventRecord(buffer.free, stream), "Recording an event", device_);
    }
}

void Staging::copy_out(void* host, const void* device_memory, std::size_t bytes,
                       cudaStream_t stream) {
    for (std::size_t done = 0; done < bytes; done += buffer_bytes) {
        const std::size_t part = std::min(buffer_bytes, bytes - done);
        const Buffer& buffer = next();
        check(cudaMemcpyAsync(buffer.memory, static_cast<const char*>(device_memory) + done, part,
                              cudaMemcpyDeviceToHost, stream),
              "A copy from the GPU", device_);
        check(cudaEventRecord(buffer.free, stream), "Recording an event", device_);
        check(cudaEventSynchronize(buffer.free), "Work on the GPU", device_);
        std::memcpy(static_cast<char*>(host) + done, buffer.memory, part);
    }
}

}  // namespace strata::cuda
