// GPUs that work on one model, by NCCL, on the streams for communication that they have beside
// those for their work.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/backends/cuda/device.h"
#include "engine/backends/cuda/nccl_library.h"
#include "engine/device/device_group.h"

namespace strata::cuda {

class NcclGroup final : public device::DeviceGroup {
public:
    // The devices outlive the group, the library the program. Throws Error: no NCCL, or it does not
    // start, or others do not come within the place's deadline.
    NcclGroup(const NcclLibrary& library, const std::vector<CudaDevice*>& devices,
              const device::GroupPlace& place);
    ~NcclGroup() override;

    static std::vector<std::byte> make_id(const NcclLibrary& library);

    int size() const override { return size_; }
    void all_reduce(int device, float* data, std::size_t count) override;
    void all_reduce(int device, double* data, std::size_t count) override;
    void reduce_scatter(int device, float* data, const device::PartBegins& parts) override;
    void all_gather(int device, float* data, const device::PartBegins& parts) override;
    void join(int device) override;
    void check(int device) override;
    void fail_together(std::span<device::DeviceGroup* const> groups) noexcept override;

private:
    struct Rank {
        CudaDevice* device = nullptr;
        int number = 0;  // in the group
        NcclComm comm = nullptr;
        cudaStream_t stream = nullptr;                  // the device's
        cudaEvent_t before = nullptr, after = nullptr;  // the calls of that stream
        std::timed_mutex calls;  // held in a call, so that the communicator does not end beside it
    };
    using CallLock = std::unique_lock<std::timed_mutex>;

    class Joining;
    void join_ranks(const device::GroupPlace& place);
    void join_within(const std::shared_ptr<Joining>& joining, const device::GroupPlace& place);
    // Makes the rank's device the thread's, and its communication wait for its work so far.
    Rank& begin(int device);
    // Throws where the group has failed; else it cannot until the lock is given back.
    CallLock lock(Rank& rank) const;
    // The calls as one of NCCL's groups, which ends also where one of them fails.
    template <typename Calls>
    void in_group(const Rank& rank, const char* what, const Calls& calls) const;
    void sum(int device, void* data, std::size_t count, NcclType type);
    // call(part, count, rank) of each rank's part.
    template <typename Call>
    void for_each_part(const Rank& rank, float* data, const device::PartBegins& parts,
                       const char* what, const Call& call) const;
    void require(int result, const char* what, const Rank& rank) const;
    void end() noexcept;

    const NcclLibrary& library_;
    int size_;
    std::deque<Rank> ranks_;
    std::atomic<bool> failed_{false};
};

}  // namespace strata::cuda
