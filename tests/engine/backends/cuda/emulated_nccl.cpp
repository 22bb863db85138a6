// The emulator's NCCL in the place of the machine's.
#include <nccl.h>

#include <map>
#include <string>

#include "engine/backends/cuda/nccl_library.h"

namespace strata::cuda {

const NcclLibrary& nccl_library() {
    static const std::map<std::string, void*> functions{
        {"ncclGetVersion", reinterpret_cast<void*>(&ncclGetVersion)},
        {"ncclGetErrorString", reinterpret_cast<void*>(&ncclGetErrorString)},
        {"ncclGetUniqueId", reinterpret_cast<void*>(&ncclGetUniqueId)},
        {"ncclCommInitRank", reinterpret_cast<void*>(&ncclCommInitRank)},
        {"ncclCommDestroy", reinterpret_cast<void*>(&ncclCommDestroy)},
        {"ncclCommAbort", reinterpret_cast<void*>(&ncclCommAbort)},
        {"ncclCommGetAsyncError", reinterpret_cast<void*>(&ncclCommGetAsyncError)},
        {"ncclAllReduce", reinterpret_cast<void*>(&ncclAllReduce)},
        {"ncclReduce", reinterpret_cast<void*>(&ncclReduce)},
        {"ncclBroadcast", reinterpret_cast<void*>(&ncclBroadcast)},
        {"ncclReduceScatter", reinterpret_cast<void*>(&ncclReduceScatter)},
        {"ncclAllGather", reinterpret_cast<void*>(&ncclAllGather)},
        {"ncclGroupStart", reinterpret_cast<void*>(&ncclGroupStart)},
        {"ncclGroupEnd", reinterpret_cast<void*>(&ncclGroupEnd)}};
    static const NcclLibrary library = nccl_from([](const char* name) {
        const auto found = functions.find(name);
        return found == functions.end() ? nullptr : found->second;
    });
    return library;
}

}  // namespace strata::cuda
