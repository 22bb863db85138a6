// NCCL's calls between emulated devices.
#include "include/nccl.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collective.h"
#include "other_processes.h"
#include "state.h"

namespace cuda_emulator {
namespace {

// The ranks of a communicator and their calls, by their number in each rank's order; of transfers,
// by sender and receiver.
struct Ranks {
    int size = 0, come = 0;
    ncclResult_t error = ncclSuccess;
    std::map<std::pair<int, std::size_t>, std::shared_ptr<Call>> calls;
    std::unique_ptr<OtherProcesses> others;  // null: all ranks are of this process

    bool have_joined() const { return others ? others->have_joined() : come == size; }
    bool is_elsewhere(std::size_t part) const { return others && !others->is_here(part); }
};

struct Queued {
    std::shared_ptr<Call> call;
    std::shared_ptr<Ranks> ranks;
    std::size_t part, number;
    cudaStream_t stream;

    // Its stream has come to it.
    void come() const {
        const OtherProcesses* others = ranks->others.get();
        if (others != nullptr && !call->come[part]) others->give(*call, number, part);
        call->come[part] = true;
        for (std::size_t p = 0; p < call->parts.size(); ++p)
            if (ranks->is_elsewhere(p) && !call->come[p])
                call->come[p] = others->take(*call, number, p);
    }
    void run() const {
        if (call->done || ranks->error != ncclSuccess) return;
        perform(*call);
        if (ranks->others) ranks->others->forget_far_behind(number);
        call->done = true;
    }
};
thread_local std::vector<Queued> group;
thread_local int group_depth = 0;
std::map<std::string, std::shared_ptr<Ranks>>& by_id() {
    static std::map<std::string, std::shared_ptr<Ranks>> instance;
    return instance;
}

// Those that neither were destroyed nor aborted.
std::set<ncclComm_t>& live() {
    static std::set<ncclComm_t> instance;
    return instance;
}

// NCCL would read memory that it has freed.
bool is_live(ncclComm_t comm) {
    if (comm == nullptr) return false;
    if (live().contains(comm)) return true;
    set_fault("a call of a communicator that was destroyed or aborted");
    return false;
}

// What a group does at its end beside the collective calls.
struct Joining {
    ncclComm_t* comm;
    std::shared_ptr<Ranks> ranks;
    int rank, device;
};
thread_local std::vector<Joining> joining;
thread_local std::vector<ncclComm_t> aborting;
thread_local ncclResult_t group_error = ncclSuccess;

// A group's end gives the first error of its calls.
ncclResult_t said(ncclResult_t result) {
    if (group_depth > 0 && group_error == ncclSuccess) group_error = result;
    return result;
}

// The calls of a group are made as one: a stream has come to all of them at once.
ncclResult_t submit(const std::vector<Queued>& calls) {
    std::map<cudaStream_t, std::vector<Queued>> by_stream;
    for (const Queued& queued : calls) by_stream[queued.stream].push_back(queued);
    for (const auto& [stream, own] : by_stream) {
        const auto ready = [own = own] {
            for (const Queued& queued : own) queued.come();
            return std::all_of(own.begin(), own.end(), [](const Queued& queued) {
                return queued.call->done || queued.call->complete() ||
                       queued.ranks->error != ncclSuccess;
            });
        };
        const auto run = [own = own] {
            for (const Queued& queued : own) queued.run();
            return cudaSuccess;
        };
        if (enqueue_when(stream, ready, run) != cudaSuccess) return ncclUnhandledCudaError;
    }
    return ncclSuccess;
}

}  // namespace
}  // namespace cuda_emulator

using namespace cuda_emulator;

struct ncclComm {
    std::shared_ptr<Ranks> ranks;
    int rank = 0, device = 0;
    std::size_t calls = 0;
    std::map<std::pair<int, int>, std::size_t> transfers;  // by sender and receiver
};

namespace {

bool lies_on_device(const void* memory, std::size_t bytes) {
    return bytes == 0 || memory == nullptr || place_of(memory, bytes) == Place::device;
}

struct Extent {
    std::size_t from, to;  // elements that a rank reads and writes
};

ncclResult_t add(ncclComm_t comm, Call call, std::size_t part, std::pair<int, std::size_t> key,
                 const Part& addresses, const Extent& extent, cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (!is_live(comm) || comm->ranks->error != ncclSuccess) return ncclInvalidUsage;
    const std::size_t size = size_of(call.type);
    if (!is_stream(stream) || device_of(stream) != comm->device ||
        !lies_on_device(addresses.from, extent.from * size) ||
        !lies_on_device(addresses.to, extent.to * size))
        return ncclInvalidArgument;
    std::shared_ptr<Call>& known = comm->ranks->calls[key];
    if (!known) known = std::make_shared<Call>(call);
    if (!known->is_like(call)) {
        set_fault("ranks of a communicator make different calls");
        return ncclInvalidUsage;
    }
    known->parts[part] = addresses;
    const Queued queued{known, comm->ranks, part, key.second, stream};
    bool all_have_called = true;
    for (std::size_t p = 0; p < known->parts.size(); ++p) {
        const auto& [from, to] = known->parts[p];
        all_have_called &= comm->ranks->is_elsewhere(p) || from != nullptr || to != nullptr;
    }
    if (all_have_called) comm->ranks->calls.erase(key);
    if (group_depth > 0) {
        group.push_back(queued);
        return ncclSuccess;
    }
    return submit({queued});
}

// Waits for the communicators' devices, as the release of their memory does: for all that is queued
// there, also calls of other communicators.
ncclResult_t abort_all(const std::vector<ncclComm_t>& comms) {
    std::set<int> devices;
    for (ncclComm_t comm : comms) {
        comm->ranks->error = ncclRemoteError;
        devices.insert(comm->device);
        live().erase(comm);
        delete comm;
    }
    mutex().notify();
    for (const int device : devices)
        if (!finish_work(device)) return ncclUnhandledCudaError;
    return ncclSuccess;
}

ncclResult_t add_collective(Kind kind, const Part& addresses, std::size_t count,
                            ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm,
                            cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (!is_live(comm)) return said(ncclInvalidArgument);
    const auto ranks = static_cast<std::size_t>(comm->ranks->size);
    const bool scatters = kind == Kind::reduce_scatter, gathers = kind == Kind::all_gather;
    const Call call{
        kind, count, type, op, root, std::vector<Part>(ranks), std::vector<bool>(ranks, false)};
    return said(add(comm, call, static_cast<std::size_t>(comm->rank), {-1, comm->calls++},
                    addresses, {scatters ? ranks * count : count, gathers ? ranks * count : count},
                    stream));
}

ncclResult_t add_transfer(const Part& addresses, std::size_t count, ncclDataType_t type, int from,
                          int to, ncclComm_t comm, cudaStream_t stream) {
    if (from < 0 || to < 0 || from >= comm->ranks->size || to >= comm->ranks->size)
        return ncclInvalidArgument;
    if (comm->ranks->others) return ncclInternalError;  // not emulated
    const Call call{Kind::transfer, count, type, ncclSum, 0, std::vector<Part>(2), {false, false}};
    const int pair = from * comm->ranks->size + to;
    const std::size_t number = comm->transfers[{from, to}]++;
    return add(comm, call, addresses.from != nullptr ? 0 : 1, {pair, number}, addresses,
               {count, count}, stream);
}

ncclComm_t make_comm(const std::shared_ptr<Ranks>& ranks, int rank, int device) {
    auto* comm = new ncclComm;
    comm->ranks = ranks;
    comm->rank = rank;
    comm->device = device;
    live().insert(comm);
    return comm;
}

// As NCCL does: until all ranks have come, of this thread and of others.
ncclResult_t join_all(const std::vector<Joining>& all) {
    for (const Joining& join : all) {
        ++join.ranks->come;
        if (join.ranks->others) join.ranks->others->join(join.rank);
        *join.comm = make_comm(join.ranks, join.rank, join.device);
    }
    if (!all.empty()) mutex().notify();
    for (const Joining& join : all)
        while (!join.ranks->have_joined())
            if (!mutex().wait()) {
                set_fault("a rank waits for others that do not join");
                return ncclInternalError;
            }
    return ncclSuccess;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
    *version = 22804;
    return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
    switch (result) {
        case ncclSuccess:
            return "no error";
        case ncclUnhandledCudaError:
            return "unhandled cuda error";
        case ncclInvalidArgument:
            return "invalid argument";
        case ncclInvalidUsage:
            return "invalid usage";
        case ncclRemoteError:
            return "remote process exited or there was a network error";
        default:
            return "internal error";
    }
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    const std::lock_guard lock(mutex());
    static int number = 0;
    std::memset(id, 0, sizeof *id);
    ++number;
    std::snprintf(id->internal, sizeof id->internal, "%d-%d", static_cast<int>(::getpid()), number);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int size, ncclUniqueId id, int rank) {
    if (std::getenv("STRATA_EMULATED_DIES_JOINING") != nullptr) std::raise(SIGKILL);
    const std::lock_guard lock(mutex());
    if (rank < 0 || rank >= size) return said(ncclInvalidArgument);
    auto& ranks = by_id()[std::string(id.internal, sizeof id.internal)];
    if (!ranks) ranks = std::make_shared<Ranks>();
    ranks->size = size;
    if (!shared_directory().empty() && !ranks->others)
        ranks->others = std::make_unique<OtherProcesses>(id.internal, size);
    *comm = nullptr;
    const Joining join{comm, ranks, rank, current_device()};
    if (group_depth == 0) return join_all({join});
    joining.push_back(join);
    return ncclSuccess;
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int size, const int* devices) {
    const std::lock_guard lock(mutex());
    const auto ranks = std::make_shared<Ranks>();
    ranks->size = size;
    for (int rank = 0; rank < size; ++rank) {
        const int device = devices == nullptr ? rank : devices[rank];
        if (device < 0 || device >= machine().devices) return ncclInvalidArgument;
        comms[rank] = make_comm(ranks, rank, device);
    }
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    const std::lock_guard lock(mutex());
    if (!is_live(comm)) return said(ncclInvalidArgument);
    live().erase(comm);
    delete comm;
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
    const std::lock_guard lock(mutex());
    if (!is_live(comm)) return said(ncclInvalidArgument);
    if (group_depth == 0) return abort_all({comm});
    aborting.push_back(comm);
    return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
    const std::lock_guard lock(mutex());
    if (!is_live(comm)) return ncclInvalidArgument;
    *error = comm->ranks->error;
    return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
    return add_collective(Kind::all_reduce, {from, to}, count, type, op, 0, comm, stream);
}

ncclResult_t ncclReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
    return add_collective(Kind::reduce, {from, to}, count, type, op, root, comm, stream);
}

ncclResult_t ncclBroadcast(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
    return add_collective(Kind::broadcast, {from, to}, count, type, ncclSum, root, comm, stream);
}

ncclResult_t ncclReduceScatter(const void* from, void* to, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
    return add_collective(Kind::reduce_scatter, {from, to}, count, type, op, 0, comm, stream);
}

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
    return add_collective(Kind::all_gather, {from, to}, count, type, ncclSum, 0, comm, stream);
}

ncclResult_t ncclSend(const void* from, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (!is_live(comm)) return said(ncclInvalidArgument);
    return add_transfer({from, nullptr}, count, type, comm->rank, peer, comm, stream);
}

ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    const std::lock_guard lock(mutex());
    if (!is_live(comm)) return said(ncclInvalidArgument);
    return add_transfer({nullptr, to}, count, type, peer, comm->rank, comm, stream);
}

ncclResult_t ncclGroupStart() {
    ++group_depth;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
    if (group_depth == 0) return ncclInvalidUsage;
    if (--group_depth > 0) return ncclSuccess;
    const std::lock_guard lock(mutex());
    const std::vector<Queued> calls = std::exchange(group, {});
    const std::vector<Joining> joined = std::exchange(joining, {});
    const std::vector<ncclComm_t> aborted = std::exchange(aborting, {});
    if (const auto error = std::exchange(group_error, ncclSuccess); error != ncclSuccess)
        return error;
    if (const ncclResult_t result = join_all(joined); result != ncclSuccess) return result;
    if (!aborted.empty()) return abort_all(aborted);
    return submit(calls);
}

}  // extern "C"
