#include "engine/backends/cuda/nccl_library.h"

#include "engine/core/error.h"

namespace strata::cuda {
namespace {

constexpr int oldest_version = 20900;  // from which versions are numbered so

}  // namespace

NcclLibrary nccl_from(const std::function<void*(const char*)>& symbol) {
    NcclLibrary library;
    const auto take = [&](auto& function, const char* name) {
        void* found = symbol(name);
        if (found == nullptr)
            throw Error(ErrorCode::unsupported, std::string("NCCL has no function ") + name, "NCCL",
                        "Install NCCL 2.9 or newer");
        function = reinterpret_cast<std::decay_t<decltype(function)>>(found);
    };
    take(library.version, "ncclGetVersion");
    take(library.error_text, "ncclGetErrorString");
    take(library.make_id, "ncclGetUniqueId");
    take(library.init_rank, "ncclCommInitRank");
    take(library.destroy, "ncclCommDestroy");
    take(library.abort, "ncclCommAbort");
    take(library.async_error, "ncclCommGetAsyncError");
    take(library.all_reduce, "ncclAllReduce");
    take(library.reduce, "ncclReduce");
    take(library.broadcast, "ncclBroadcast");
    take(library.reduce_scatter, "ncclReduceScatter");
    take(library.all_gather, "ncclAllGather");
    take(library.group_start, "ncclGroupStart");
    take(library.group_end, "ncclGroupEnd");
    int version = 0;
    if (library.version(&version) != nccl_success || version < oldest_version)
        throw Error(ErrorCode::unsupported, "NCCL is too old: " + std::to_string(version), "NCCL",
                    "Install NCCL 2.9 or newer");
    return library;
}

}  // namespace strata::cuda
