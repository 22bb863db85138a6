// NCCL's functions, found at run time: a machine with one GPU needs no NCCL. The declarations are
// those of NCCL 2's C interface, whose values do not change within a major version.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace strata::cuda {

struct NcclCommunicator;  // NCCL's own
using NcclComm = NcclCommunicator*;

enum class NcclType : int { float32 = 7, float64 = 8 };
enum class NcclOp : int { sum = 0 };
struct NcclId {
    char bytes[128];
};
inline constexpr int nccl_success = 0, nccl_in_progress = 7;

struct NcclLibrary {
    int (*version)(int* version) = nullptr;
    const char* (*error_text)(int result) = nullptr;
    int (*make_id)(NcclId* id) = nullptr;
    // On the thread's device.
    int (*init_rank)(NcclComm* comm, int size, NcclId id, int rank) = nullptr;
    int (*destroy)(NcclComm comm) = nullptr;
    int (*abort)(NcclComm comm) = nullptr;
    int (*async_error)(NcclComm comm, int* error) = nullptr;
    int (*all_reduce)(const void* from, void* to, std::size_t count, NcclType type, NcclOp op,
                      NcclComm comm, cudaStream_t stream) = nullptr;
    int (*reduce)(const void* from, void* to, std::size_t count, NcclType type, NcclOp op, int root,
                  NcclComm comm, cudaStream_t stream) = nullptr;
    int (*broadcast)(const void* from, void* to, std::size_t count, NcclType type, int root,
                     NcclComm comm, cudaStream_t stream) = nullptr;
    int (*reduce_scatter)(const void* from, void* to, std::size_t count, NcclType type, NcclOp op,
                          NcclComm comm, cudaStream_t stream) = nullptr;
    int (*all_gather)(const void* from, void* to, std::size_t count, NcclType type, NcclComm comm,
                      cudaStream_t stream) = nullptr;
    int (*group_start)() = nullptr;
    int (*group_end)() = nullptr;
};

// symbol: a function of the library by its name, null where it has none of that name.
// Throws Error{unsupported} that names what is missing.
NcclLibrary nccl_from(const std::function<void*(const char*)>& symbol);

// What is installed, loaded once. Throws Error{unsupported} with the reason and what to install.
const NcclLibrary& nccl_library();

}  // namespace strata::cuda
