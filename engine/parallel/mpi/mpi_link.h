// This process's place among the ranks of MPI, which its lines share: their calls of MPI one at a
// time, none of which blocks, and what becomes of them when a rank is lost.
#pragma once

#include <mpi.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/parallel/communicator.h"
#include "engine/parallel/mpi/watch.h"

namespace strata::parallel {

// Throws Error{interrupted} where MPI reports a fault.
void check_mpi(int code, const char* call);

class MpiLink {
public:
    // Starts MPI. Once in a process.
    explicit MpiLink(std::chrono::milliseconds timeout);
    ~MpiLink();
    MpiLink(const MpiLink&) = delete;
    MpiLink& operator=(const MpiLink&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    std::chrono::milliseconds timeout() const { return timeout_; }
    Watch& watch() const { return *watch_; }
    // While no line is in a call.
    void set_watch(std::unique_ptr<Watch> watch) { watch_ = std::move(watch); }
    Communicator& line(int number);
    // By all ranks together, when no call will follow.
    void close();

    // ---- for the lines, from any thread; each line has a tag of its own
    MPI_Request send(const void* data, std::size_t bytes, int to, int tag);
    MPI_Request receive(void* data, std::size_t bytes, int from, int tag);
    bool are_done(std::vector<MPI_Request>& requests);
    bool is_done(MPI_Request& request);
    void require_whole() const;  // throws where the watch says that a rank is lost
    // After a deadline: names those whose messages are missing.
    [[noreturn]] void too_late(std::vector<int> missing);

private:
    [[noreturn]] void give_up() const;

    int rank_ = 0, size_ = 1;
    std::chrono::milliseconds timeout_;
    MPI_Comm world_ = MPI_COMM_NULL;
    std::unique_ptr<Watch> watch_;
    std::mutex mpi_;          // for one call of MPI
    std::mutex lines_mutex_;  // of what follows
    std::map<int, std::unique_ptr<Communicator>> lines_;
};

}  // namespace strata::parallel
