// The program that the tests of faults kill and disturb: checkpoint_loop DIRECTORY WIDTH COUNT goes
// on from the newest checkpoint, writes COUNT more (0: without end) in the background, and says
// after each "written UPDATE PATH" or "failed UPDATE MESSAGE".
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <thread>

#include "engine/checkpoint/writer.h"
#include "engine/io/atomic_file.h"
#include "tests/faults/synthetic_snapshot.h"

namespace {

using strata::checkpoint::Writer;

// In one call, so that a kill never cuts a line in two.
void say(const std::string& line) {
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(3);
}

void report(Writer& writer) {
    for (const auto& written : writer.finished())
        say((written.failure ? "failed " : "written ") + std::to_string(written.update) + " " +
            (written.failure ? written.failure->what() : written.path) + "\n");
}

void loop(const std::string& directory, int width, std::int64_t count) {
    strata::io::sweep_stale(directory);
    std::int64_t update = 0;
    if (const std::string newest = strata::checkpoint::newest(directory); !newest.empty())
        update = strata::checkpoint::TrainingState::from_json(
                     strata::interop::read_training_state(newest))
                     .update;
    say("from " + std::to_string(update) + "\n");
    Writer writer(directory);
    for (std::int64_t n = 0; count == 0 || n < count; ++n) {
        ++update;
        writer.submit(strata::faults::synthetic_snapshot(update, width),
                      {{update % 4 == 0 ? "best.h5" : "last.h5", update % 4 == 0}});
        if (count != 0) writer.flush();
        report(writer);
    }
    writer.flush();
    report(writer);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    try {
        loop(argv[1], std::atoi(argv[2]), std::atoll(argv[3]));
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
