// The processes that a launcher (mpirun, srun) has started together, as ranks of a communicator.
// Made by join_processes() (launcher.h) from the MPI plug-in.
#pragma once

#include <chrono>
#include <string>

#include "engine/parallel/communicator.h"

namespace strata::parallel {

class ProcessGroup : public Communicator {
public:
    // Without close() the others are told that this process has failed.
    ~ProcessGroup() override = default;

    virtual const std::string& host(int rank) const = 0;
    virtual int ranks_on_this_host() const = 0;
    // While this rank writes a file, say, the others wait for it longer than usual.
    virtual void set_busy(bool busy) = 0;
    // At the end of a run that went well, by all ranks: waits for the others. No call may follow.
    virtual void close() = 0;
};

// Library entry of the MPI plug-in; the caller owns the group. Throws Error.
using JoinProcesses = ProcessGroup* (*)(std::chrono::milliseconds timeout);
inline constexpr const char* join_entry_name = "strata_join_processes";

}  // namespace strata::parallel
