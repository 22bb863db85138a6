#include "engine/backends/cuda/device.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "engine/backends/cuda/cuda_error.h"
#include "engine/core/error.h"
#include "engine/device/arena.h"

namespace strata::cuda {
namespace {

std::string megabytes(std::size_t bytes) {
    return std::to_string((bytes + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
}

}  // namespace

CudaDevice::CudaDevice(int index, device::DeviceInfo info, const device::DeviceOptions& options)
    : index_(index), info_(std::move(info)), options_(options), staging_(info_.id) {
    const char* tf32 = std::getenv("STRATA_TF32");
    allows_tf32_ = tf32 != nullptr && std::string_view(tf32) == "1";
    activate();
    // Non-blocking: nothing of ours waits for the default stream.
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "Making a stream", info_.id);
    const cublasStatus_t status = cublasLtCreate(&cublas_);
    if (status != CUBLAS_STATUS_SUCCESS) {
        cudaStreamDestroy(stream_);
        throw Error(ErrorCode::unsupported,
                    std::string("cuBLASLt does not start: ") + cublasLtGetStatusString(status),
                    info_.id, "Use cpu:0, or install the CUDA libraries that this build needs");
    }
}

CudaDevice::~CudaDevice() {
    cudaSetDevice(index_);
    cudaStreamSynchronize(stream_);
    for (const auto& block : blocks_) cudaFree(block.first);
    cublasLtDestroy(cublas_);
    cudaStreamDestroy(stream_);
}

void CudaDevice::activate() const {
    check(cudaSetDevice(index_), "Switching to the GPU", info_.id);
}

void* CudaDevice::allocate(std::size_t bytes) {
    activate();
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "Asking for the free memory", info_.id);
    if (options_.memory_limit > 0) {
        const std::size_t limit = options_.memory_limit;
        free = std::min(free, limit > allocated_ ? limit - allocated_ : 0);
        total = std::min(total, limit);
    }
    void* memory = nullptr;
    const cudaError_t error = bytes > free
                                  ? cudaErrorMemoryAllocation
                                  : cudaMalloc(&memory, std::max(bytes, device::alignment));
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw Error(ErrorCode::out_of_memory,
                    megabytes(bytes) + " wanted, " + megabytes(free) + " of " + megabytes(total) +
                        " are free",
                    info_.id, "Use a smaller batch or model, or close other programs on this GPU");
    }
    check(error, "Allocating memory", info_.id);
    blocks_.emplace(memory, bytes);
    allocated_ += bytes;
    return memory;
}

void CudaDevice::release(void* memory) noexcept {
    const auto block = blocks_.find(memory);
    if (memory == nullptr || block == blocks_.end()) return;
    cudaSetDevice(index_);
    cudaFree(memory);
    allocated_ -= block->second;
    blocks_.erase(block);
}

void CudaDevice::copy_in(void* device_memory, const void* host, std::size_t bytes) {
    activate();
    staging_.copy_in(device_memory, host, bytes, stream_);
}

void CudaDevice::copy_out(void* host, const void* device_memory, std::size_t bytes) {
    activate();
    staging_.copy_out(host, device_memory, bytes, stream_);
}

void CudaDevice::fill_zero(void* device_memory, std::size_t bytes) {
    if (bytes == 0) return;
    activate();
    check(cudaMemsetAsync(device_memory, 0, bytes, stream_), "Clearing memory", info_.id);
}

void CudaDevice::synchronize() {
    activate();
    check(cudaStreamSynchronize(stream_), "Work on the GPU", info_.id);
}

}  // namespace strata::cuda
