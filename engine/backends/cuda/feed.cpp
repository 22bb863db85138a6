#include "engine/backends/cuda/feed.h"

#include <array>
#include <cstring>

#include "engine/backends/cuda/cuda_error.h"
#include "engine/backends/cuda/device.h"
#include "engine/device/arena.h"

namespace strata::cuda {
namespace {

// The buffer on the device and the place that the device computes with are the two between which
// batches take turns there; events order the streams, and the host waits only for a pinned buffer
// whose copy is still on its way.
class CudaFeed final : public ops::Feed {
public:
    CudaFeed(CudaDevice& device, void* memory, std::array<void*, 2> pinned)
        : device_(device), copies_(device.copy_stream()), memory_(memory) {
        for (std::size_t i = 0; i < 2; ++i) {
            buffers_[i].memory = pinned[i];
            make(buffers_[i].filled);
        }
        make(emptied_);
        record(emptied_, device_.stream());  // behind what the memory was made with
    }
    ~CudaFeed() override {
        cudaSetDevice(device_.index());
        cudaStreamSynchronize(copies_);
        for (const Buffer& buffer : buffers_) {
            cudaEventDestroy(buffer.filled);
            cudaFreeHost(buffer.memory);
        }
        cudaEventDestroy(emptied_);
    }
    CudaFeed(const CudaFeed&) = delete;
    CudaFeed& operator=(const CudaFeed&) = delete;

    void fill(std::span<const Part> parts) override {
        device_.activate();
        Buffer& buffer = buffers_[turn_++ % buffers_.size()];
        expect(cudaEventSynchronize(buffer.filled), "A copy to the GPU");
        count_ = 0;
        std::size_t end = 0;
        for (const Part& part : parts) {
            std::memcpy(static_cast<char*>(buffer.memory) + end, part.host, part.bytes);
            places_.at(count_++) = {end, part.bytes};
            end += device::aligned(part.bytes);
        }
        buffer.bytes = end;
        held_ = &buffer;
        send();
    }

    bool holds() const override { return held_ != nullptr; }

    void take(std::span<void* const> places) override {
        device_.activate();
        expect(cudaStreamWaitEvent(device_.stream(), held_->filled, 0), "Waiting for an event");
        for (std::size_t i = 0; i < count_ && i < places.size(); ++i)
            expect(cudaMemcpyAsync(places[i], static_cast<char*>(memory_) + places_[i].begin,
                                   places_[i].bytes, cudaMemcpyDeviceToDevice, device_.stream()),
                   "Taking a batch over");
        record(emptied_, device_.stream());
        held_ = nullptr;
    }

    void move_to(void* memory) override {
        device_.activate();
        memory_ = memory;
        record(emptied_, device_.stream());
        if (held_ != nullptr) send();
    }

private:
    struct Buffer {
        void* memory = nullptr;
        std::size_t bytes = 0;
        cudaEvent_t filled = nullptr;  // recorded behind the copy from it
    };
    struct Place {
        std::size_t begin = 0, bytes = 0;
    };

    void expect(cudaError_t error, const char* what) const {
        check(error, what, device_.info().id);
    }
    void make(cudaEvent_t& event) const {
        expect(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "Making an event");
    }
    void record(cudaEvent_t event, cudaStream_t stream) const {
        expect(cudaEventRecord(event, stream), "Recording an event");
    }

    // When the device has taken over what was there.
    void send() {
        expect(cudaStreamWaitEvent(copies_, emptied_, 0), "Waiting for an event");
        expect(
            cudaMemcpyAsync(memory_, held_->memory, held_->bytes, cudaMemcpyHostToDevice, copies_),
            "A copy to the GPU");
        record(held_->filled, copies_);
    }

    CudaDevice& device_;
    cudaStream_t copies_;
    void* memory_;
    std::array<Buffer, 2> buffers_;
    std::array<Place, 4> places_;
    std::size_t count_ = 0, turn_ = 0;
    Buffer* held_ = nullptr;
    cudaEvent_t emptied_ = nullptr;  // recorded behind the last take()
};

}  // namespace

std::unique_ptr<ops::Feed> make_cuda_feed(CudaDevice& device, void* memory, std::size_t bytes) {
    device.activate();
    std::array<void*, 2> pinned{};
    for (void*& buffer : pinned)
        if (bytes == 0 || cudaMallocHost(&buffer, bytes) != cudaSuccess) {
            cudaGetLastError();
            if (pinned[0] != nullptr) cudaFreeHost(pinned[0]);
            return nullptr;
        }
    return std::make_unique<CudaFeed>(device, memory, pinned);
}

}  // namespace strata::cuda
