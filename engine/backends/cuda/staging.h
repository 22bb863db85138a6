// Copies between pageable host memory and a device through two pinned buffers, in the order of the
// stream. Used by CudaDevice alone; one thread at a time.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <string>

namespace strata::cuda {

// The driver copies pageable memory through a buffer of its own and makes the caller wait for the
// GPU; here the caller waits only where both buffers are still on their way.
class Staging {
public:
    explicit Staging(std::string device) : device_(std::move(device)) {}
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    // Returns when `host` may be reused.
    void copy_in(void* device_memory, const void* host, std::size_t bytes, cudaStream_t stream);
    // Returns when the bytes are in `host`.
    void copy_out(void* host, const void* device_memory, std::size_t bytes, cudaStream_t stream);

private:
    struct Buffer {
        void* memory = nullptr;
        cudaEvent_t free = nullptr;  // recorded behind the last copy from it
    };
    Buffer& next();

    std::string device_;
    std::array<Buffer, 2> buffers_;
    std::size_t turn_ = 0;
};

}  // namespace strata::cuda
