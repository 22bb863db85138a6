#include "engine/backends/cuda/device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "engine/backends/cuda/cuda_error.h"
#include "engine/backends/cuda/feed.h"
#include "engine/backends/cuda/recording.h"
#include "engine/core/error.h"
#include "engine/device/amount.h"
#include "engine/device/arena.h"

namespace strata::cuda {

using device::amount_text;

namespace {

bool has_value(const char* variable, std::string_view value) {
    const char* given = std::getenv(variable);
    return given != nullptr && given == value;
}

kernels::StepValues values_of(const ops::StepScalars& scalars) {
    kernels::StepValues values;
    values.seed = scalars.seed;
    values.first_sample = scalars.first_sample;
    values.sample_stride = scalars.sample_stride;
    values.update = scalars.update;
    values.samples_before = scalars.samples_before;
    values.gradient_scale = scalars.gradient_scale;
    values.step = scalars.step;
    values.first_in_window = scalars.first_in_window ? 1 : 0;
    values.loss_scale = scalars.loss_scale;
    values.learning_rate = scalars.learning_rate;
    values.clip_limit = scalars.clip_limit;
    values.weight_decay = scalars.weight_decay;
    return values;
}

// Timed: the stages' time line comes from them.
class CudaEvent final : public device::Event {
public:
    explicit CudaEvent(const CudaDevice& device) : device_(device) {
        device.activate();
        check(cudaEventCreate(&event_), "Making an event", device.info().id);
    }
    ~CudaEvent() override { cudaEventDestroy(event_); }
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;

    cudaEvent_t handle() const { return event_; }
    void wait() override {
        check(cudaEventSynchronize(event_), "Work on the GPU", device_.info().id);
    }
    bool is_done() override {
        const cudaError_t error = cudaEventQuery(event_);
        if (error != cudaErrorNotReady) check(error, "Work on the GPU", device_.info().id);
        return error == cudaSuccess;
    }
    double seconds_since(const device::Event& earlier) const override {
        float milliseconds = 0.0F;
        check(cudaEventElapsedTime(&milliseconds, dynamic_cast<const CudaEvent&>(earlier).event_,
                                   event_),
              "Asking for the time of an event", device_.info().id);
        return static_cast<double>(milliseconds) / 1000.0;
    }

private:
    const CudaDevice& device_;
    cudaEvent_t event_ = nullptr;
};

cudaEvent_t event_of(const device::Event* event) {
    return dynamic_cast<const CudaEvent&>(*event).handle();
}

}  // namespace

CudaDevice::CudaDevice(int index, device::DeviceInfo info, const device::DeviceOptions& options)
    : index_(index), info_(std::move(info)), options_(options), staging_(info_.id) {
    if (has_value("STRATA_TF32", "1")) options_.allow_tf32 = true;
    records_ = !has_value("STRATA_CUDA_GRAPHS", "0") && !has_value("CUDA_LAUNCH_BLOCKING", "1");
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
    void* step = nullptr;
    const cudaError_t error = cudaMalloc(&step, sizeof(kernels::StepValues));
    step_ = static_cast<kernels::StepValues*>(step);
    if (error != cudaSuccess) {
        cublasLtDestroy(cublas_);
        cudaStreamDestroy(stream_);
        check(error, "Allocating memory", info_.id);
    }
}

CudaDevice::~CudaDevice() {
    cudaSetDevice(index_);
    cudaStreamSynchronize(stream_);
    for (const auto& block : blocks_) cudaFree(block.first);
    cudaFree(step_);
    if (copies_ != nullptr) cudaStreamDestroy(copies_);
    cublasLtDestroy(cublas_);
    if (communication_ != nullptr) cudaStreamDestroy(communication_);
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
                    amount_text(bytes) + " wanted, " + amount_text(free) + " of " +
                        amount_text(total) + " are free",
                    info_.id,
                    total < info_.memory ? "Use a smaller batch or model, or raise the device's "
                                           "limit (placement.memory_limit)"
                                         : "Use a smaller batch or model, or close other programs "
                                           "on this GPU");
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

// The values of two passes differ in most of their numbers: all are put, and only where one has
// changed. A launch carries them, so that nothing on the host has to stay.
void CudaDevice::put(const ops::StepScalars& scalars) {
    const kernels::StepValues values = values_of(scalars);
    if (has_put_ && std::memcmp(&values, &last_put_, sizeof values) == 0) return;
    activate();
    check(kernels::set_step(step_, values, stream_), "Putting a step's numbers", info_.id);
    last_put_ = values;
    has_put_ = true;
}

cudaStream_t CudaDevice::copy_stream() {
    activate();
    if (copies_ == nullptr)
        check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "Making a stream",
              info_.id);
    return copies_;
}

std::unique_ptr<ops::Recording> CudaDevice::record_work(const std::function<void()>& work,
                                                        std::string& reason) {
    return record_graph(*this, work, reason);
}

std::unique_ptr<ops::Feed> CudaDevice::make_feed(void* memory, std::size_t bytes) {
    return make_cuda_feed(*this, memory, bytes);
}

cudaStream_t CudaDevice::communication_stream() {
    activate();
    if (communication_ == nullptr)
        check(cudaStreamCreateWithFlags(&communication_, cudaStreamNonBlocking), "Making a stream",
              info_.id);
    return communication_;
}

std::unique_ptr<device::Event> CudaDevice::make_event() {
    return std::make_unique<CudaEvent>(*this);
}

void CudaDevice::record(device::Event* event) {
    if (event == nullptr) return;
    activate();
    check(cudaEventRecord(event_of(event), stream_), "Recording an event", info_.id);
}

void CudaDevice::wait_for(const device::Event* event) {
    if (event == nullptr) return;
    activate();
    check(cudaStreamWaitEvent(stream_, event_of(event), 0), "Waiting for an event", info_.id);
}

// Without it, where the machine refuses it or a GPU has too many already, a copy between GPUs takes
// a detour through the host's memory.
void CudaDevice::allow_access(const CudaDevice& other) {
    if (!reached_.insert(other.index()).second) return;
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, index_, other.index()), "Asking for the way to another GPU",
          info_.id);
    if (can == 0) return;
    if (cudaDeviceEnablePeerAccess(other.index(), 0) != cudaSuccess) cudaGetLastError();
}

void CudaDevice::copy_to(const Device& other, void* to, const void* from, std::size_t bytes) {
    const auto* target = dynamic_cast<const CudaDevice*>(&other);
    if (target == nullptr)
        throw Error(ErrorCode::internal, "a copy to another kind of device", info_.id);
    activate();
    if (target->index() == index_) {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_),
              "A copy on the GPU", info_.id);
        return;
    }
    allow_access(*target);
    check(cudaMemcpyPeerAsync(to, target->index(), from, index_, bytes, stream_),
          "A copy to another GPU", info_.id);
}

void* CudaDevice::allocate_host(std::size_t bytes) {
    activate();
    void* memory = nullptr;
    check(cudaMallocHost(&memory, std::max(bytes, device::alignment)), "Allocating pinned memory",
          info_.id);
    return memory;
}

void CudaDevice::release_host(void* memory) noexcept {
    cudaFreeHost(memory);
}

void CudaDevice::queue_copy_in(void* device_memory, const void* host, std::size_t bytes) {
    activate();
    check(cudaMemcpyAsync(device_memory, host, bytes, cudaMemcpyHostToDevice, stream_),
          "A copy to the GPU", info_.id);
}

void CudaDevice::queue_copy_out(void* host, const void* device_memory, std::size_t bytes) {
    activate();
    check(cudaMemcpyAsync(host, device_memory, bytes, cudaMemcpyDeviceToHost, stream_),
          "A copy from the GPU", info_.id);
}

}  // namespace strata::cuda
