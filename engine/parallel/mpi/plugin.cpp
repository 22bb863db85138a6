// The entry of the MPI plug-in.
#include "engine/parallel/mpi/mpi_group.h"

extern "C" strata::parallel::ProcessGroup* strata_join_processes(
    std::chrono::milliseconds timeout) {
    return new strata::parallel::MpiGroup(timeout);
}
