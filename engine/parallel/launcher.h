// Whether this process is one of several that a launcher has started together, and how it meets the
// others. Knows no MPI: its plug-in (libstrata_mpi.so beside the program, in ../lib/strata-studio,
// or named by STRATA_MPI_PLUGIN) is loaded only where a launcher is at work.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/parallel/process_group.h"

namespace strata::parallel {

// By what launchers leave in the environment. variable: getenv, or a test's own.
bool started_with_others(const std::function<const char*(const char*)>& variable);

// The words that start so many processes: "mpirun -np 4". With --oversubscribe where this process
// was started so, or where there are fewer slots than processes: those that the launcher has given,
// else `cores`.
std::string start_command(std::int64_t processes, int cores,
                          const std::function<const char*(const char*)>& variable);
// The same, of this process and this machine.
std::string start_command(std::int64_t processes);

// Null where this process was started alone. timeout: how long one rank waits for another before
// the run ends. Throws Error{unsupported} where there is no plug-in. Once in a process.
std::unique_ptr<ProcessGroup> join_processes(std::chrono::milliseconds timeout);

}  // namespace strata::parallel
