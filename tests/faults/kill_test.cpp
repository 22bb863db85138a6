// SIGKILL at any moment of writing checkpoints: a whole one always loads, and it is never older
// than the last that was said to be written.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <thread>

#include "engine/io/atomic_file.h"
#include "tests/faults/loop_process.h"
#include "tests/faults/synthetic_snapshot.h"
#include "tests/support/temporary_directory.h"

namespace strata::faults {
namespace {

namespace fs = std::filesystem;

constexpr int kills = 200, chains = 4;  // chains run side by side: most of the time is the disk's
constexpr int width = 300;              // 1.1 MB a file

int temporaries_in(const fs::path& directory) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(directory))
        count += entry.path().filename().string().find(".tmp.") != std::string::npos ? 1 : 0;
    return count;
}

struct Tally {
    int in_the_middle = 0;   // kills that left a temporary
    long long reported = 0;  // the last update that was said to be written
};

// In one directory, each program going on from what the one before left.
void kill_in_turn(int seed, Tally& tally) {
    const strata::testing::TemporaryDirectory directory;
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_int_distribution<int> moment(30, 300);
    for (int i = 0; i < kills / chains; ++i) {
        LoopProcess process(directory.path().string(), width, 0);
        process.listen(i == 0 ? 1000 : moment(random));
        process.kill();
        tally.reported = std::max(tally.reported, process.last_written());
        const int left = temporaries_in(directory.path());
        ASSERT_LE(left, 1) << "the next start did not sweep";
        tally.in_the_middle += left;
        std::vector<std::string> damaged;
        const std::string newest = checkpoint::newest(directory.path().string(), &damaged);
        ASSERT_FALSE(newest.empty()) << "kill " << i;
        ASSERT_TRUE(damaged.empty()) << damaged.front();
        const interop::KerasFile file = interop::read_keras_h5(newest);
        ASSERT_EQ(fault_of(file, width), "");
        ASSERT_GE(checkpoint::TrainingState::from_json(file.training_state).update, tally.reported)
            << "kill " << i;
    }
    io::sweep_stale(directory.path());
    EXPECT_EQ(temporaries_in(directory.path()), 0);
}

TEST(Kill, AfterEachOfManyAWholeCheckpointLoads) {
    Tally tallies[chains];
    std::vector<std::thread> threads;
    for (int i = 0; i < chains; ++i)
        threads.emplace_back([&, i] { kill_in_turn(20 + i, tallies[i]); });
    for (std::thread& thread : threads) thread.join();
    int in_the_middle = 0;
    for (const Tally& tally : tallies) {
        EXPECT_GT(tally.reported, 3) << "hardly anything was written";
        in_the_middle += tally.in_the_middle;
    }
    EXPECT_GT(in_the_middle, kills / 10) << "the kills missed the writing";
}

}  // namespace
}  // namespace strata::faults
