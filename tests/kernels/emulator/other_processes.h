// Ranks of a communicator of NCCL's that are other processes of this machine: what each gives to a
// call lies in a file of a directory that all share. Internal to the emulator; used by nccl.cpp.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "collective.h"

namespace cuda_emulator {

// STRATA_EMULATED_PROCESSES; empty: there are no other processes.
const std::string& shared_directory();

class OtherProcesses {
public:
    // name: of the communicator, the same in all processes.
    OtherProcesses(const std::string& name, int size);

    // A rank of this process.
    void join(int rank);
    bool have_joined() const;
    bool is_here(std::size_t rank) const { return here_.contains(rank); }

    // number: of the call, in the order of each rank's. What a rank of this process gives to it.
    void give(const Call& call, std::size_t number, std::size_t rank) const;
    // What another gives becomes its part. False where it has not come to the call. Fault where it
    // makes another one.
    bool take(Call& call, std::size_t number, std::size_t rank) const;
    // When all have come to the call: they are done with what lies far behind it, for a group has
    // fewer calls than that.
    void forget_far_behind(std::size_t number) const;

private:
    std::string file_of(const std::string& what, std::size_t rank) const;

    std::string stem_;
    int size_;
    std::set<std::size_t> here_;
};

}  // namespace cuda_emulator
