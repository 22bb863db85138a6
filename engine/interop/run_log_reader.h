// Reads the scalars of a run's event files, also while they grow and wherever they are cut.
// Called by the studio's charts, by the run table and by the picture of the curves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace strata::interop {

// One tag's points in the order of their steps as logged. The three vectors are of one length.
struct Series {
    std::vector<std::int64_t> steps;
    std::vector<float> values;
    std::vector<double> wall_times;  // seconds since 1970
};

using RunLog = std::map<std::string, Series, std::less<>>;  // by tag

// What a poll tells, in order. restart: the run was resumed; points with a step >= `step` that came
// before are superseded and must be dropped.
struct LogVisitor {
    std::function<void(std::string_view tag, std::int64_t step, float value, double wall_time)>
        scalar;
    std::function<void(std::int64_t step)> restart;
};

// Follows the files `*tfevents*` of one directory. Complete records only: what is cut is read again
// at the next poll. Scalars as simple_value and as rank-0 float tensors (Keras, TensorFlow 2) are
// understood; everything else is skipped. One thread at a time; a file that grows while it is read
// is no error.
class RunLogReader {
public:
    explicit RunLogReader(std::filesystem::path directory);

    // Reads what was added since the last call; returns the number of scalars told. A directory
    // that does not exist yet holds none. Throws Error{io} where reading fails.
    std::size_t poll(const LogVisitor& visitor);

    // Files whose reading ended at a record with a wrong checksum, with the byte offset in words.
    const std::vector<std::string>& warnings() const { return warnings_; }

private:
    struct LogFile {
        std::filesystem::path path;
        std::uint64_t offset = 0;  // of the first record not yet read
        std::int64_t resume_step;  // lowest step of its SessionLog START
        bool damaged = false;
    };

    void find_files();
    std::size_t read_file(std::size_t index, const LogVisitor& visitor);
    std::size_t read_event(std::string_view message, std::size_t index, const LogVisitor& visitor);

    std::filesystem::path directory_;
    std::vector<LogFile> files_;  // by name, which is by time
    std::vector<std::string> warnings_;
};

// Everything that is there now, overlaps dropped.
RunLog read_run_log(const std::filesystem::path& directory);

// Applies a restart: removes the points with a step >= `step`.
void drop_from_step(RunLog& log, std::int64_t step);

}  // namespace strata::interop
