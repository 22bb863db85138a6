// GPUs that work on one model, by NCCL: each has a stream for communication beside that for its
// work.
#pragma once

#include <atomic>
#include <vector>

#include "engine/backends/cuda/device.h"
#include "engine/backends/cuda/nccl_library.h"
#include "engine/device/device_group.h"

namespace strata::cuda {

class NcclGroup final : public device::DeviceGroup {
public:
    // The devices outlive the group. Throws Error{unsupported}: no NCCL, or it does not start.
    NcclGroup(const NcclLibrary& library, std::vector<CudaDevice*> devices);
    ~NcclGroup() override;

    int size() const override { return static_cast<int>(ranks_.size()); }
    void all_reduce(int rank, float* data, std::size_t count) override;
    void all_reduce(int rank, double* data, std::size_t count) override;
    void reduce_scatter(int rank, float* data, const device::PartBegins& parts) override;
    void all_gather(int rank, float* data, const device::PartBegins& parts) override;
    void join(int rank) override;
    void check(int rank) override;
    void fail() noexcept override;

private:
    struct Rank {
        CudaDevice* device = nullptr;
        NcclComm comm = nullptr;
        cudaStream_t stream = nullptr;
        cudaEvent_t before = nullptr, after = nullptr;  // the calls of the communication's stream
    };

    // Makes the rank's device the thread's, and its communication wait for its work so far.
    Rank& begin(int rank);
    void sum(int rank, void* data, std::size_t count, NcclType type);
    // call(part, count, rank) of each rank's part.
    template <typename Call>
    void for_each_part(const Rank& rank, float* data, const device::PartBegins& parts,
                       const char* what, const Call& call) const;
    void require_no_failure(const Rank& rank) const;
    void require(int result, const char* what, const Rank& rank) const;
    void end() noexcept;

    const NcclLibrary& library_;
    std::vector<Rank> ranks_;
    std::atomic<bool> failed_{false};
};

}  // namespace strata::cuda
