// NCCL's calls between emulated devices.
#include "include/nccl.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "state.h"
#include "watch.h"

namespace cuda_emulator {
namespace {

enum class Kind { all_reduce, reduce, broadcast, reduce_scatter, all_gather, transfer };

// What a rank says of a call; all have to say the same, but for the addresses.
struct Part {
    const void* from = nullptr;
    void* to = nullptr;
};
struct Call {
    Kind kind;
    std::size_t count;
    ncclDataType_t type;
    ncclRedOp_t op;
    int root;
    std::vector<Part> parts;  // of each rank that takes part
    std::vector<bool> come;   // whose stream has come to it
    bool done = false;

    bool is_like(const Call& other) const {
        return kind == other.kind && count == other.count && type == other.type && op == other.op &&
               root == other.root;
    }
    bool complete() const { return std::find(come.begin(), come.end(), false) == come.end(); }
};

// The ranks of a communicator and their calls, by their number in each rank's order; of transfers,
// by sender and receiver.
struct Ranks {
    int size = 0;
    ncclResult_t error = ncclSuccess;
    std::map<std::pair<int, std::size_t>, std::shared_ptr<Call>> calls;
};

std::size_t size_of(ncclDataType_t type) {
    return type == ncclFloat64 ? 8 : type == ncclFloat32 ? 4 : 1;
}

template <typename T>
void reduce(const Call& call, std::size_t begin, std::size_t count, std::vector<char>& result) {
    std::vector<T> sums(count);
    for (std::size_t r = 0; r < call.parts.size(); ++r) {
        const T* values = static_cast<const T*>(call.parts[r].from) + begin;
        for (std::size_t i = 0; i < count; ++i) {
            if (r == 0)
                sums[i] = values[i];
            else if (call.op == ncclMax)
                sums[i] = std::max(sums[i], values[i]);
            else
                sums[i] = static_cast<T>(sums[i] + values[i]);
        }
    }
    result.resize(count * sizeof(T));
    if (count > 0) std::memcpy(result.data(), sums.data(), result.size());
}

std::vector<char> reduced(const Call& call, std::size_t begin, std::size_t count) {
    std::vector<char> result;
    if (call.type == ncclFloat64)
        reduce<double>(call, begin, count, result);
    else if (call.type == ncclFloat32)
        reduce<float>(call, begin, count, result);
    else
        reduce<unsigned char>(call, begin, count, result);
    return result;
}

std::vector<char> copied(const void* from, std::size_t bytes) {
    const char* begin = static_cast<const char*>(from);
    return {begin, begin + bytes};
}

// All is read before anything is written: parts may lie over each other.
void perform(const Call& call) {
    const std::size_t bytes = call.count * size_of(call.type);
    std::vector<std::vector<char>> results(call.parts.size());
    switch (call.kind) {
        case Kind::all_reduce:
            std::fill(results.begin(), results.end(), reduced(call, 0, call.count));
            break;
        case Kind::reduce:
            results[static_cast<std::size_t>(call.root)] = reduced(call, 0, call.count);
            break;
        case Kind::broadcast:
            std::fill(results.begin(), results.end(),
                      copied(call.parts[static_cast<std::size_t>(call.root)].from, bytes));
            break;
        case Kind::reduce_scatter:
            for (std::size_t r = 0; r < results.size(); ++r)
                results[r] = reduced(call, r * call.count, call.count);
            break;
        case Kind::all_gather:
            for (const Part& part : call.parts) {
                const std::vector<char> own = copied(part.from, bytes);
                for (std::vector<char>& result : results)
                    result.insert(result.end(), own.begin(), own.end());
            }
            break;
        case Kind::transfer:
            results[1] = copied(call.parts[0].from, bytes);
            break;
    }
    for (std::size_t r = 0; r < results.size(); ++r) {
        if (results[r].empty()) continue;
        std::memcpy(call.parts[r].to, results[r].data(), results[r].size());
        cuda_emulator::mark(call.parts[r].to, results[r].size(), cuda_emulator::Byte::written);
    }
}

struct Queued {
    std::shared_ptr<Call> call;
    std::shared_ptr<Ranks> ranks;
    std::size_t part;
    cudaStream_t stream;
};
thread_local std::vector<Queued> group;
thread_local int group_depth = 0;
std::map<std::string, std::shared_ptr<Ranks>>& by_id() {
    static std::map<std::string, std::shared_ptr<Ranks>> instance;
    return instance;
}

// The calls of a group are made as one: a stream has come to all of them at once.
ncclResult_t submit(const std::vector<Queued>& calls) {
    std::map<cudaStream_t, std::vector<Queued>> by_stream;
    for (const Queued& queued : calls) by_stream[queued.stream].push_back(queued);
    for (const auto& [stream, own] : by_stream) {
        const auto ready = [own = own] {
            for (const Queued& queued : own) queued.call->come[queued.part] = true;
            return std::all_of(own.begin(), own.end(), [](const Queued& queued) {
                return queued.call->done || queued.call->complete() ||
                       queued.ranks->error != ncclSuccess;
            });
        };
        const auto run = [own = own] {
            for (const Queued& queued : own) {
                if (queued.call->done || queued.ranks->error != ncclSuccess) continue;
                perform(*queued.call);
                queued.call->done = true;
            }
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
    if (comm == nullptr || comm->ranks->error != ncclSuccess) return ncclInvalidUsage;
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
    const Queued queued{known, comm->ranks, part, stream};
    if (std::all_of(known->parts.begin(), known->parts.end(),
                    [](const Part& p) { return p.from != nullptr || p.to != nullptr; }))
        comm->ranks->calls.erase(key);
    if (group_depth > 0) {
        group.push_back(queued);
        return ncclSuccess;
    }
    return submit({queued});
}

ncclResult_t add_collective(Kind kind, const Part& addresses, std::size_t count,
                            ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm,
                            cudaStream_t stream) {
    if (comm == nullptr) return ncclInvalidArgument;
    const auto ranks = static_cast<std::size_t>(comm->ranks->size);
    const bool scatters = kind == Kind::reduce_scatter, gathers = kind == Kind::all_gather;
    const Call call{
        kind, count, type, op, root, std::vector<Part>(ranks), std::vector<bool>(ranks, false)};
    return add(comm, call, static_cast<std::size_t>(comm->rank), {-1, comm->calls++}, addresses,
               {scatters ? ranks * count : count, gathers ? ranks * count : count}, stream);
}

ncclResult_t add_transfer(const Part& addresses, std::size_t count, ncclDataType_t type, int from,
                          int to, ncclComm_t comm, cudaStream_t stream) {
    if (comm == nullptr || from < 0 || to < 0 || from >= comm->ranks->size ||
        to >= comm->ranks->size)
        return ncclInvalidArgument;
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
    return comm;
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
    std::memcpy(id->internal, &number, sizeof number);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int size, ncclUniqueId id, int rank) {
    const std::lock_guard lock(mutex());
    if (rank < 0 || rank >= size) return ncclInvalidArgument;
    auto& ranks = by_id()[std::string(id.internal, sizeof id.internal)];
    if (!ranks) ranks = std::make_shared<Ranks>();
    ranks->size = size;
    *comm = make_comm(ranks, rank, current_device());
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
    delete comm;
    return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
    const std::lock_guard lock(mutex());
    comm->ranks->error = ncclRemoteError;
    mutex().notify();
    delete comm;
    return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
    const std::lock_guard lock(mutex());
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
    if (comm == nullptr) return ncclInvalidArgument;
    return add_transfer({from, nullptr}, count, type, comm->rank, peer, comm, stream);
}

ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    if (comm == nullptr) return ncclInvalidArgument;
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
    return submit(std::exchange(group, {}));
}

}  // extern "C"
