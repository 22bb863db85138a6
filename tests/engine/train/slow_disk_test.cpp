// A run whose disk takes no fsync until a step is done: nothing that a run does before its first
// step waits for the disk.
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "engine/io/bounded_reader.h"
#include "tests/engine/train/small_run.h"

namespace {

std::mutex gate_mutex;
std::condition_variable gate_changed;
bool gate_closed = false;
int passed = 0, waited = 0;

void set_gate(bool closed) {
    const std::lock_guard lock(gate_mutex);
    gate_closed = closed;
    gate_changed.notify_all();
}

}  // namespace

// In the place of the C library's, for all of this test program.
extern "C" int fsync(int fd) {
    {
        std::unique_lock lock(gate_mutex);
        if (gate_closed) ++waited;
        // For a run that would wait for ever, which then fails the test.
        gate_changed.wait_for(lock, std::chrono::seconds(20), [] { return !gate_closed; });
        ++passed;
    }
    return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace strata::train {
namespace {

class SlowDisk : public SmallRun {
protected:
    // Whether the disk had taken nothing when the first step was told.
    bool steps_before_the_disk(const RunOptions& options, Json json) {
        set_gate(true);
        passed = waited = 0;
        bool stepped = false, first = false;
        const auto sink = [&](const Event& event) {
            if (!std::holds_alternative<StepEvent>(event) || stepped) return;
            stepped = true;
            {
                const std::lock_guard lock(gate_mutex);
                first = passed == 0;
            }
            set_gate(false);
        };
        const EndEvent end = Trainer(config(json), options, sink, nullptr).run();
        set_gate(false);
        EXPECT_EQ(end.state, RunState::finished) << (end.error ? end.error->what() : "");
        EXPECT_GT(passed, 0) << "the run's files are on the disk in the end";
        return first;
    }
};

TEST_F(SlowDisk, NoStepWaitsForIt) {
    Json json = project();
    EXPECT_TRUE(steps_before_the_disk({run_directory("run")}, json));
    const std::string written = run_directory("run") + "/project.strata";
    EXPECT_EQ(parse_json(io::read_text_file(written), written), place_in("run").project);
}

TEST_F(SlowDisk, NorDoesOneThatGoesOn) {
    Json json = project();
    EXPECT_TRUE(steps_before_the_disk({run_directory("run")}, json));
    json["training"]["epochs"] = json["training"]["epochs"].get<int>() + 1;
    EXPECT_TRUE(steps_before_the_disk({run_directory("run"), true}, json));
    const std::string written = run_directory("run") + "/project.strata";
    const Json project = parse_json(io::read_text_file(written), written);
    EXPECT_EQ(project, place_in("run").project);
    EXPECT_EQ(project["training"]["epochs"], json["training"]["epochs"]);
}

}  // namespace
}  // namespace strata::train
