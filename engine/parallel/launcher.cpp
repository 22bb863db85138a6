#include "engine/parallel/launcher.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/error.h"

namespace strata::parallel {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> plugin_paths() {
    if (const char* given = std::getenv("STRATA_MPI_PLUGIN")) return {given};
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    return {program / "libstrata_mpi.so", program / "../lib/libstrata_mpi.so",
            program / "../lib/strata-studio/libstrata_mpi.so"};
}

JoinProcesses load_plugin() {
    std::string reason = "this build has no MPI plug-in (libstrata_mpi.so)";
    for (const fs::path& path : plugin_paths()) {
        std::error_code ignored;
        if (!fs::exists(path, ignored)) continue;
        // Global: MPI's own plug-ins look for its symbols. It stays loaded to the process's end.
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (library == nullptr) {
            reason = std::string("the MPI plug-in does not load: ") + dlerror();
            continue;
        }
        if (auto entry = reinterpret_cast<JoinProcesses>(dlsym(library, join_entry_name)))
            return entry;
        reason = "the MPI plug-in " + path.string() + " is of another version";
    }
    throw Error(ErrorCode::unsupported,
                "several processes were started together, and they cannot work together: " + reason,
                "", "Build where libopenmpi-dev is installed, or start one process");
}

}  // namespace

bool started_with_others(const std::function<const char*(const char*)>& variable) {
    const auto number = [&](const char* name) {
        const char* text = variable(name);
        return text == nullptr ? 0 : std::atoi(text);
    };
    // A count says more than a rank: one process alone needs nobody.
    for (const char* count : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
        if (variable(count) != nullptr) return number(count) > 1;
    // Slurm counts the tasks of a job in SLURM_NTASKS also where its script runs alone.
    if (variable("SLURM_STEP_NUM_TASKS") != nullptr && variable("SLURM_PROCID") != nullptr)
        return number("SLURM_STEP_NUM_TASKS") > 1;
    return variable("PMIX_RANK") != nullptr || variable("PMI_RANK") != nullptr;
}

std::string start_command(std::int64_t processes, int cores,
                          const std::function<const char*(const char*)>& variable) {
    const auto number = [&](const char* name) {
        const char* text = variable(name);
        return text == nullptr ? 0 : std::atoi(text);
    };
    const int given = number("OMPI_UNIVERSE_SIZE");
    const bool crowded = number("OMPI_MCA_rmaps_base_oversubscribe") > 0 ||
                         processes > std::max(given > 0 ? given : cores, 1);
    return std::string("mpirun ") + (crowded ? "--oversubscribe " : "") + "-np " +
           std::to_string(processes);
}

std::string start_command(std::int64_t processes) {
    return start_command(processes, static_cast<int>(std::thread::hardware_concurrency()),
                         [](const char* name) { return std::getenv(name); });
}

std::unique_ptr<ProcessGroup> join_processes(std::chrono::milliseconds timeout) {
    if (!started_with_others([](const char* name) { return std::getenv(name); })) return nullptr;
    std::unique_ptr<ProcessGroup> group(load_plugin()(timeout));
    if (group->size() == 1 && started_with_others([](const char* name) {
            return std::string(name).starts_with("SLURM") ? std::getenv(name) : nullptr;
        }))
        throw Error(ErrorCode::unsupported,
                    "srun has started several processes that do not know each other", "",
                    "Start them with srun --mpi=pmix (srun --mpi=list shows what there is)");
    return group;
}

}  // namespace strata::parallel
