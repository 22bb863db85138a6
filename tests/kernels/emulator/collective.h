// A collective call of NCCL's and its arithmetic. Internal to the emulator; used by nccl.cpp alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "include/nccl.h"

namespace cuda_emulator {

enum class Kind { all_reduce, reduce, broadcast, reduce_scatter, all_gather, transfer };

// What a rank says of a call; all have to say the same, but for the addresses.
struct Part {
    const void* from = nullptr;
    void* to = nullptr;  // null: of another process
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
    std::map<std::size_t, std::vector<char>> given_elsewhere = {};  // by ranks of other processes

    bool is_like(const Call& other) const {
        return kind == other.kind && count == other.count && type == other.type && op == other.op &&
               root == other.root;
    }
    bool complete() const { return std::find(come.begin(), come.end(), false) == come.end(); }
};

std::size_t size_of(ncclDataType_t type);

// All is read before anything is written: parts may lie over each other.
void perform(const Call& call);

}  // namespace cuda_emulator
