#include "engine/backends/cuda/nccl_group.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <thread>
#include <utility>

#include "engine/backends/cuda/cuda_error.h"
#include "engine/core/error.h"

namespace strata::cuda {
namespace {

constexpr const char* joining_failed = "Joining the GPUs";
constexpr const char* sum_failed = "A sum over the GPUs";
constexpr const char* copy_failed = "A copy between the GPUs";

// A call that lasts longer waits for ranks that do not come: it ends by the abort.
constexpr std::chrono::seconds longest_call{1};
// At whether the others are still there.
constexpr std::chrono::milliseconds between_looks{20};

bool are_equal(const device::PartBegins& parts) {
    for (std::size_t r = 1; r + 1 < parts.size(); ++r)
        if (parts[r + 1] - parts[r] != parts[1] - parts[0]) return false;
    return true;
}

}  // namespace

// The joining of this process's ranks to a group.
class NcclGroup::Joining {
public:
    struct Member {
        int device = 0, number = 0;
        NcclComm comm = nullptr;
    };

    Joining(const NcclLibrary& library, int size, const NcclId& id, std::vector<Member> members)
        : library_(library), size_(size), id_(id), members_(std::move(members)) {}

    // One thread joins several ranks: in one group, or the first would wait for the others.
    void run() {
        int result = library_.group_start();
        for (Member& member : members_) {
            if (result != nccl_success) break;
            cudaSetDevice(member.device);
            result = library_.init_rank(&member.comm, size_, id_, member.number);
        }
        const int ended = library_.group_end();
        const std::lock_guard lock(mutex_);
        result_ = result == nccl_success ? ended : result;
        over_ = true;
        changed_.notify_all();
    }
    bool is_over_within(std::chrono::milliseconds deadline) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, deadline, [this] { return over_; });
    }
    // When it is over.
    int result() const { return result_; }
    const std::vector<Member>& members() const { return members_; }

private:
    const NcclLibrary& library_;
    int size_;
    NcclId id_;
    std::vector<Member> members_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    int result_ = nccl_success;
};

std::vector<std::byte> NcclGroup::make_id(const NcclLibrary& library) {
    NcclId id{};
    if (const int result = library.make_id(&id); result != nccl_success)
        throw Error(ErrorCode::unsupported,
                    std::string("NCCL does not start: ") + library.error_text(result), "NCCL",
                    "Use one GPU, or set NCCL_DEBUG=WARN to see NCCL's reason");
    const auto* begin = reinterpret_cast<const std::byte*>(id.bytes);
    return {begin, begin + sizeof id.bytes};
}

NcclGroup::NcclGroup(const NcclLibrary& library, const std::vector<CudaDevice*>& devices,
                     const device::GroupPlace& place)
    : library_(library), size_(place.size), ranks_(devices.size()) {
    for (std::size_t r = 0; r < devices.size(); ++r) {
        ranks_[r].device = devices[r];
        ranks_[r].number = place.ranks.at(r);
    }
    try {
        join_ranks(place);
        for (Rank& rank : ranks_) {
            const std::string& id = rank.device->info().id;
            rank.stream = rank.device->communication_stream();
            for (cudaEvent_t* event : {&rank.before, &rank.after})
                strata::cuda::check(cudaEventCreateWithFlags(event, cudaEventDisableTiming),
                                    "Making an event", id);
        }
    } catch (...) {
        fail();
        end();
        throw;
    }
}

template <typename Calls>
void NcclGroup::in_group(const Rank& rank, const char* what, const Calls& calls) const {
    require(library_.group_start(), what, rank);
    try {
        calls();
    } catch (...) {
        library_.group_end();  // or what the thread calls next would still be of this group
        throw;
    }
    require(library_.group_end(), what, rank);
}

void NcclGroup::join_ranks(const device::GroupPlace& place) {
    NcclId id{};
    if (place.id.size() != sizeof id.bytes)
        throw Error(ErrorCode::internal, "an id of NCCL has 128 bytes", "NCCL");
    std::memcpy(id.bytes, place.id.data(), sizeof id.bytes);
    std::vector<Joining::Member> members;
    for (const Rank& rank : ranks_) members.push_back({rank.device->index(), rank.number});
    const auto joining = std::make_shared<Joining>(library_, size_, id, std::move(members));
    if (place.deadline)
        join_within(joining, place);
    else
        joining->run();
    for (std::size_t r = 0; r < ranks_.size(); ++r) ranks_[r].comm = joining->members()[r].comm;
    require(joining->result(), joining_failed, ranks_.front());
}

// NCCL's own wait for ranks that do not come has no end and cannot be ended: it goes on, on a
// thread that nobody waits for, until the process ends. Time counts by looks: a process that was
// stopped has not waited.
void NcclGroup::join_within(const std::shared_ptr<Joining>& joining,
                            const device::GroupPlace& place) {
    std::thread([joining] { joining->run(); }).detach();
    for (auto waited = 0 * between_looks; waited < *place.deadline; waited += between_looks) {
        if (joining->is_over_within(between_looks)) return;
        if (place.check_others) place.check_others();
    }
    throw device::others_did_not_come(ranks_.front().device->info().id, *place.deadline);
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
    }
    ranks_.clear();
}

void NcclGroup::require(int result, const char* what, const Rank& rank) const {
    if (result == nccl_success || result == nccl_in_progress) return;
    throw Error(ErrorCode::interrupted,
                std::string(what) + " failed: " + library_.error_text(result),
                rank.device->info().id,
                "Give each process and replica a GPU of its own, or set NCCL_DEBUG=WARN to see "
                "NCCL's reason");
}

NcclGroup::Rank& NcclGroup::begin(int device) {
    Rank& rank = ranks_[static_cast<std::size_t>(device)];
    const std::string& id = rank.device->info().id;
    rank.device->activate();
    strata::cuda::check(cudaEventRecord(rank.before, rank.device->stream()), "Recording an event",
                        id);
    strata::cuda::check(cudaStreamWaitEvent(rank.stream, rank.before, 0), "Waiting for an event",
                        id);
    return rank;
}

void NcclGroup::all_reduce(int device, float* data, std::size_t count) {
    sum(device, data, count, NcclType::float32);
}

void NcclGroup::all_reduce(int device, double* data, std::size_t count) {
    sum(device, data, count, NcclType::float64);
}

void NcclGroup::sum(int device, void* data, std::size_t count, NcclType type) {
    Rank& rank = begin(device);
    const CallLock held = lock(rank);
    require(library_.all_reduce(data, data, count, type, NcclOp::sum, rank.comm, rank.stream),
            sum_failed, rank);
}

void NcclGroup::reduce_scatter(int device, float* data, const device::PartBegins& parts) {
    Rank& rank = begin(device);
    const CallLock held = lock(rank);
    if (!are_equal(parts))
        return for_each_part(rank, data, parts, sum_failed, [&](float* part, std::size_t n, int r) {
            return library_.reduce(part, part, n, NcclType::float32, NcclOp::sum, r, rank.comm,
                                   rank.stream);
        });
    const std::size_t count = parts[1] - parts[0];
    float* all = data + parts[0];
    require(library_.reduce_scatter(all, all + static_cast<std::size_t>(rank.number) * count, count,
                                    NcclType::float32, NcclOp::sum, rank.comm, rank.stream),
            sum_failed, rank);
}

void NcclGroup::all_gather(int device, float* data, const device::PartBegins& parts) {
    Rank& rank = begin(device);
    const CallLock held = lock(rank);
    if (!are_equal(parts))
        return for_each_part(rank, data, parts, copy_failed,
                             [&](float* part, std::size_t n, int r) {
                                 return library_.broadcast(part, part, n, NcclType::float32, r,
                                                           rank.comm, rank.stream);
                             });
    const std::size_t count = parts[1] - parts[0];
    float* all = data + parts[0];
    require(library_.all_gather(all + static_cast<std::size_t>(rank.number) * count, all, count,
                                NcclType::float32, rank.comm, rank.stream),
            copy_failed, rank);
}

// One after the other, in one group.
template <typename Call>
void NcclGroup::for_each_part(const Rank& rank, float* data, const device::PartBegins& parts,
                              const char* what, const Call& call) const {
    in_group(rank, what, [&] {
        for (int root = 0; root < size(); ++root) {
            const auto r = static_cast<std::size_t>(root);
            require(call(data + parts[r], parts[r + 1] - parts[r], root), what, rank);
        }
    });
}

void NcclGroup::join(int device) {
    const Rank& rank = ranks_[static_cast<std::size_t>(device)];
    const std::string& id = rank.device->info().id;
    rank.device->activate();
    strata::cuda::check(cudaEventRecord(rank.after, rank.stream), "Recording an event", id);
    strata::cuda::check(cudaStreamWaitEvent(rank.device->stream(), rank.after, 0),
                        "Waiting for an event", id);
}

void NcclGroup::check(int device) {
    Rank& rank = ranks_[static_cast<std::size_t>(device)];
    const CallLock held = lock(rank);
    int error = nccl_success;
    require(library_.async_error(rank.comm, &error), "Asking NCCL", rank);
    require(error, "The exchange with the other GPUs", rank);
}

NcclGroup::CallLock NcclGroup::lock(Rank& rank) const {
    CallLock held(rank.calls);
    if (failed_)
        throw Error(ErrorCode::interrupted, "the exchange with the other GPUs has ended",
                    rank.device->info().id, "--resume goes on from the last checkpoint");
    return held;
}

// NCCL frees a communicator that it aborts, waits for the device then, and takes no other call of
// it beside, but for one that hangs.
void NcclGroup::fail_together(std::span<device::DeviceGroup* const> groups) noexcept {
    std::vector<NcclGroup*> failing;
    for (device::DeviceGroup* const group : groups) {
        auto* const own = dynamic_cast<NcclGroup*>(group);
        if (own != nullptr && !own->failed_.exchange(true)) failing.push_back(own);
    }
    if (failing.empty()) return;
    for (NcclGroup* const group : failing)
        for (Rank& rank : group->ranks_) const CallLock over(rank.calls, longest_call);
    library_.group_start();
    for (const NcclGroup* const group : failing)
        for (const Rank& rank : group->ranks_)
            if (rank.comm != nullptr) library_.abort(rank.comm);
    library_.group_end();
}

}  // namespace strata::cuda
