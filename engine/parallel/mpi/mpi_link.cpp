#include "engine/parallel/mpi/mpi_link.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "engine/core/error.h"
#include "engine/parallel/mpi/mpi_line.h"

namespace strata::parallel {

void check_mpi(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw Error(ErrorCode::interrupted, std::string("MPI failed in ") + call + ": " + text);
}

MpiLink::MpiLink(std::chrono::milliseconds timeout) : timeout_(timeout) {
    int provided = MPI_THREAD_SINGLE;
    check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided),
              "MPI_Init_thread");
    if (provided < MPI_THREAD_SERIALIZED)
        throw Error(ErrorCode::unsupported, "this MPI library allows calls from one thread only");
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "MPI_Comm_dup");
    check_mpi(MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(world_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(world_, &size_), "MPI_Comm_size");
}

MpiLink::~MpiLink() = default;

void MpiLink::close() {
    watch_->finish();
    watch_.reset();
    check_mpi(MPI_Comm_free(&world_), "MPI_Comm_free");
    check_mpi(MPI_Finalize(), "MPI_Finalize");
}

Communicator& MpiLink::line(int number) {
    const std::lock_guard lock(lines_mutex_);
    std::unique_ptr<Communicator>& line = lines_[number];
    if (!line) line = std::make_unique<MpiLine>(*this, number);
    return *line;
}

MPI_Request MpiLink::send(const void* data, std::size_t bytes, int to, int tag) {
    MPI_Request request = MPI_REQUEST_NULL;
    const std::lock_guard lock(mpi_);
    require_whole();
    check_mpi(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, world_, &request),
              "MPI_Isend");
    return request;
}

MPI_Request MpiLink::receive(void* data, std::size_t bytes, int from, int tag) {
    MPI_Request request = MPI_REQUEST_NULL;
    const std::lock_guard lock(mpi_);
    require_whole();
    check_mpi(MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, world_, &request),
              "MPI_Irecv");
    return request;
}

bool MpiLink::are_done(std::vector<MPI_Request>& requests) {
    int done = 0;
    const std::lock_guard lock(mpi_);
    require_whole();
    check_mpi(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    return done != 0;
}

bool MpiLink::is_done(MPI_Request& request) {
    int done = 0;
    const std::lock_guard lock(mpi_);
    require_whole();
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
}

// MPI would go on to fill the memory of a line that has given up.
void MpiLink::require_whole() const {
    if (watch_->failed()) give_up();
}

void MpiLink::give_up() const {
    const std::string why = watch_->failure();
    throw Error(ErrorCode::interrupted, why.empty() ? "a rank has ended" : why, "",
                "--resume goes on from the last checkpoint");
}

void MpiLink::too_late(std::vector<int> missing) {
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3g s", static_cast<double>(timeout_.count()) / 1e3);
    {
        // No call of another line, which may fill this one's memory, goes on after it.
        const std::lock_guard lock(mpi_);
        watch_->fail(watch_->names_of(missing) + " not answered for " + seconds);
    }
    give_up();
}

}  // namespace strata::parallel
