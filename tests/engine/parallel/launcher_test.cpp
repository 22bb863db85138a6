// What a launcher leaves in the environment, and what does not mean that there is one.
#include "engine/parallel/launcher.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace strata::parallel {
namespace {

bool found(const std::map<std::string, const char*>& environment) {
    return started_with_others([&](const char* name) {
        const auto it = environment.find(name);
        return it == environment.end() ? nullptr : it->second;
    });
}

TEST(Launcher, IsFoundByItsVariables) {
    EXPECT_TRUE(found({{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "0"}}));
    EXPECT_TRUE(found({{"PMI_SIZE", "2"}}));
    EXPECT_TRUE(found({{"PMIX_RANK", "0"}}));
    EXPECT_TRUE(found({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "3"}}));
}

TEST(Launcher, OneProcessIsAlone) {
    EXPECT_FALSE(found({}));
    EXPECT_FALSE(found({{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMIX_RANK", "0"}}));
    EXPECT_FALSE(found({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}, {"PMI_RANK", "0"}}));
}

// The script of a batch job runs once, however many tasks the job has.
TEST(Launcher, ABatchScriptIsAlone) {
    EXPECT_FALSE(found({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}, {"SLURM_JOB_ID", "1"}}));
}

std::string command(std::int64_t processes, int cores,
                    const std::map<std::string, const char*>& environment) {
    return start_command(processes, cores, [&](const char* name) {
        const auto it = environment.find(name);
        return it == environment.end() ? nullptr : it->second;
    });
}

TEST(Launcher, ACommandStartsMoreProcessesThanThereAreSlots) {
    EXPECT_EQ(command(4, 8, {}), "mpirun -np 4");
    EXPECT_EQ(command(4, 2, {}), "mpirun --oversubscribe -np 4");
    // Open MPI binds each process to a core: it knows better how many slots there are.
    EXPECT_EQ(command(4, 1, {{"OMPI_UNIVERSE_SIZE", "16"}}), "mpirun -np 4");
    EXPECT_EQ(command(4, 64, {{"OMPI_UNIVERSE_SIZE", "2"}}), "mpirun --oversubscribe -np 4");
    EXPECT_EQ(command(2, 2, {{"OMPI_MCA_rmaps_base_oversubscribe", "1"}}),
              "mpirun --oversubscribe -np 2");
}

}  // namespace
}  // namespace strata::parallel
