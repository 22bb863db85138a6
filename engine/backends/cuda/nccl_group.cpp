#include "engine/backends/cuda/nccl_group.h"

#include <algorithm>

#include "engine/backends/cuda/cuda_error.h"
#include "engine/core/error.h"

namespace strata::cuda {
namespace {

constexpr const char* sum_failed = "A sum over the GPUs";
constexpr const char* copy_failed = "A copy between the GPUs";

bool are_equal(const device::PartBegins& parts) {
    for (std::size_t r = 1; r + 1 < parts.size(); ++r)
        if (parts[r + 1] - parts[r] != parts[1] - parts[0]) return false;
    return true;
}

}  // namespace

NcclGroup::NcclGroup(const NcclLibrary& library, std::vector<CudaDevice*> devices)
    : library_(library), ranks_(devices.size()) {
    std::vector<int> numbers;
    for (std::size_t r = 0; r < devices.size(); ++r) {
        ranks_[r].device = devices[r];
        numbers.push_back(devices[r]->index());
    }
    try {
        std::vector<NcclComm> comms(devices.size());
        require(library_.init_all(comms.data(), size(), numbers.data()), "Joining the GPUs",
                ranks_.front());
        for (std::size_t r = 0; r < comms.size(); ++r) ranks_[r].comm = comms[r];
        for (Rank& rank : ranks_) {
            const std::string& id = rank.device->info().id;
            rank.device->activate();
            strata::cuda::check(cudaStreamCreateWithFlags(&rank.stream, cudaStreamNonBlocking),
                                "Making a stream", id);
            for (cudaEvent_t* event : {&rank.before, &rank.after})
                strata::cuda::check(cudaEventCreateWithFlags(event, cudaEventDisableTiming),
                                    "Making an event", id);
        }
    } catch (...) {
        end();
        throw;
    }
}

NcclGroup::~NcclGroup() {
    end();
}

void NcclGroup::end() noexcept {
    for (Rank& rank : ranks_) {
        cudaSetDevice(rank.device->index());
        if (rank.stream != nullptr) cudaStreamSynchronize(rank.stream);
        if (rank.comm != nullptr && !failed_) library_.destroy(rank.comm);
        for (cudaEvent_t event : {rank.before, rank.after})
            if (event != nullptr) cudaEventDestroy(event);
        if (rank.stream != nullptr) cudaStreamDestroy(rank.stream);
        rank = Rank{rank.device};
    }
}

void NcclGroup::require(int result, const char* what, const Rank& rank) const {
    if (result == nccl_success || result == nccl_in_progress) return;
    throw Error(ErrorCode::interrupted,
                std::string(what) + " failed: " + library_.error_text(result),
                rank.device->info().id, "Try one GPU, or set NCCL_DEBUG=WARN to see NCCL's reason");
}

NcclGroup::Rank& NcclGroup::begin(int number) {
    Rank& rank = ranks_[static_cast<std::size_t>(number)];
    const std::string& id = rank.device->info().id;
    rank.device->activate();
    require_no_failure(rank);
    strata::cuda::check(cudaEventRecord(rank.before, rank.device->stream()), "Recording an event",
                        id);
    strata::cuda::check(cudaStreamWaitEvent(rank.stream, rank.before, 0), "Waiting for an event",
                        id);
    return rank;
}

void NcclGroup::all_reduce(int number, float* data, std::size_t count) {
    sum(number, data, count, NcclType::float32);
}

void NcclGroup::all_reduce(int number, double* data, std::size_t count) {
    sum(number, data, count, NcclType::float64);
}

void NcclGroup::sum(int number, void* data, std::size_t count, NcclType type) {
    const Rank& rank = begin(number);
    require(library_.all_reduce(data, data, count, type, NcclOp::sum, rank.comm, rank.stream),
            sum_failed, rank);
}

void NcclGroup::reduce_scatter(int number, float* data, const device::PartBegins& parts) {
    const Rank& rank = begin(number);
    if (!are_equal(parts))
        return for_each_part(rank, data, parts, sum_failed, [&](float* part, std::size_t n, int r) {
            return library_.reduce(part, part, n, NcclType::float32, NcclOp::sum, r, rank.comm,
                                   rank.stream);
        });
    const std::size_t count = parts[1] - parts[0];
    float* all = data + parts[0];
    require(library_.reduce_scatter(all, all + static_cast<std::size_t>(number) * count, count,
                                    NcclType::float32, NcclOp::sum, rank.comm, rank.stream),
            sum_failed, rank);
}

void NcclGroup::all_gather(int number, float* data, const device::PartBegins& parts) {
    const Rank& rank = begin(number);
    if (!are_equal(parts))
        return for_each_part(rank, data, parts, copy_failed,
                             [&](float* part, std::size_t n, int r) {
                                 return library_.broadcast(part, part, n, NcclType::float32, r,
                                                           rank.comm, rank.stream);
                             });
    const std::size_t count = parts[1] - parts[0];
    float* all = data + parts[0];
    require(library_.all_gather(all + static_cast<std::size_t>(number) * count, all, count,
                                NcclType::float32, rank.comm, rank.stream),
            copy_failed, rank);
}

// One after the other, in one group.
template <typename Call>
void NcclGroup::for_each_part(const Rank& rank, float* data, const device::PartBegins& parts,
                              const char* what, const Call& call) const {
    require(library_.group_start(), what, rank);
    for (int root = 0; root < size(); ++root) {
        const auto r = static_cast<std::size_t>(root);
        require(call(data + parts[r], parts[r + 1] - parts[r], root), what, rank);
    }
    require(library_.group_end(), what, rank);
}

void NcclGroup::join(int number) {
    const Rank& rank = ranks_[static_cast<std::size_t>(number)];
    const std::string& id = rank.device->info().id;
    rank.device->activate();
    strata::cuda::check(cudaEventRecord(rank.after, rank.stream), "Recording an event", id);
    strata::cuda::check(cudaStreamWaitEvent(rank.device->stream(), rank.after, 0),
                        "Waiting for an event", id);
}

void NcclGroup::check(int number) {
    const Rank& rank = ranks_[static_cast<std::size_t>(number)];
    require_no_failure(rank);
    int error = nccl_success;
    require(library_.async_error(rank.comm, &error), "Asking NCCL", rank);
    require(error, "The exchange with the other GPUs", rank);
}

void NcclGroup::require_no_failure(const Rank& rank) const {
    if (failed_)
        throw Error(ErrorCode::interrupted, "the exchange with the other GPUs has ended",
                    rank.device->info().id, "--resume goes on from the last checkpoint");
}

void NcclGroup::fail() noexcept {
    if (failed_.exchange(true)) return;
    for (const Rank& rank : ranks_)
        if (rank.comm != nullptr) library_.abort(rank.comm);
}

}  // namespace strata::cuda
