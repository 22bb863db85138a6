// One GPU: its memory, one stream that all its work goes through, others for copies and collective
// calls beside it, and cuBLASLt's handle.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <memory>
#include <set>
#include <unordered_map>

#include "engine/backends/cuda/staging.h"
#include "engine/ops/queued_device.h"
#include "kernels/step.h"

namespace strata::cuda {

class CudaDevice final : public ops::QueuedDevice {
public:
    CudaDevice(int index, device::DeviceInfo info, const device::DeviceOptions& options);
    ~CudaDevice() override;

    const device::DeviceInfo& info() const override { return info_; }
    const device::DeviceOptions& options() const override { return options_; }
    int index() const { return index_; }
    cudaStream_t stream() const { return stream_; }
    cublasLtHandle_t cublas() const { return cublas_; }
    // Of the collective calls; made when it is first asked for.
    cudaStream_t communication_stream();
    // Of copies to the device beside its work; made when it is first asked for.
    cudaStream_t copy_stream();
    // What put() has put last, on the device.
    const kernels::StepValues* step() const { return step_; }
    // Whether products of float32 may round their operands to TF32's 11 bits: also where the
    // environment has STRATA_TF32=1.
    bool allows_tf32() const { return options_.allow_tf32; }
    // Makes it the calling thread's device; before every CUDA call.
    void activate() const;

    void* allocate(std::size_t bytes) override;
    void release(void* memory) noexcept override;
    void copy_in(void* device_memory, const void* host, std::size_t bytes) override;
    void copy_out(void* host, const void* device_memory, std::size_t bytes) override;
    void fill_zero(void* device_memory, std::size_t bytes) override;
    void synchronize() override;

    std::unique_ptr<device::Event> make_event() override;
    void record(device::Event* event) override;
    void wait_for(const device::Event* event) override;
    void copy_to(const Device& other, void* to, const void* from, std::size_t bytes) override;
    void* allocate_host(std::size_t bytes) override;
    void release_host(void* memory) noexcept override;
    void queue_copy_in(void* device_memory, const void* host, std::size_t bytes) override;
    void queue_copy_out(void* host, const void* device_memory, std::size_t bytes) override;

    void put(const ops::StepScalars& scalars) override;
    // Not where the environment has STRATA_CUDA_GRAPHS=0, or CUDA_LAUNCH_BLOCKING=1.
    bool records() const override { return records_; }
    std::unique_ptr<ops::Recording> record_work(const std::function<void()>& work,
                                                std::string& reason) override;
    std::unique_ptr<ops::Feed> make_feed(void* memory, std::size_t bytes) override;

private:
    void allow_access(const CudaDevice& other);

    int index_;
    device::DeviceInfo info_;
    device::DeviceOptions options_;
    cudaStream_t stream_ = nullptr, communication_ = nullptr, copies_ = nullptr;
    kernels::StepValues* step_ = nullptr;
    kernels::StepValues last_put_;
    bool has_put_ = false, records_ = true;
    cublasLtHandle_t cublas_ = nullptr;
    Staging staging_;
    std::set<int> reached_;  // GPUs whose memory it may write
    std::unordered_map<void*, std::size_t> blocks_;
    std::size_t allocated_ = 0;
};

}  // namespace strata::cuda
