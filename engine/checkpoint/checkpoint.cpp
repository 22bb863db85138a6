#include "engine/checkpoint/checkpoint.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "engine/io/atomic_file.h"

namespace strata::checkpoint {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t fixed_bytes = 64 << 10;  // configuration, names, HDF5's own structures
constexpr std::uint64_t bytes_a_tensor = 1024;   // its name and header, with the gap before it

std::uint64_t expected_bytes(const Snapshot& snapshot) {
    std::uint64_t bytes = fixed_bytes;
    for (const graph::HostTensor& tensor : snapshot.tensors)
        bytes += tensor.values.size() * sizeof(float) + bytes_a_tensor;
    return bytes;
}

// The tensors lent to a KerasFile, which wants weights and slots apart, without a copy.
class LentTensors {
public:
    LentTensors(Snapshot& snapshot, interop::KerasFile& file) : snapshot_(snapshot), file_(file) {
        for (graph::HostTensor& tensor : snapshot.tensors)
            (tensor.slot.empty() ? file.weights : file.optimizer).push_back(std::move(tensor));
    }
    LentTensors(const LentTensors&) = delete;
    LentTensors& operator=(const LentTensors&) = delete;
    ~LentTensors() {
        auto to = std::move(file_.weights.begin(), file_.weights.end(), snapshot_.tensors.begin());
        std::move(file_.optimizer.begin(), file_.optimizer.end(), to);
    }

private:
    Snapshot& snapshot_;
    interop::KerasFile& file_;
};

struct Candidate {
    std::int64_t update = 0;
    bool is_last = false;
    fs::file_time_type time;
    std::string path;

    auto order() const { return std::tuple(update, is_last, time); }
};

// Nothing where the file is damaged or no checkpoint. A file that cannot be read at all is no
// reason to take an older one: that error is the caller's.
std::optional<Candidate> candidate(const fs::path& path, std::vector<std::string>& damaged) {
    try {
        const Json state = interop::read_training_state(path.string());
        if (state.is_null()) return std::nullopt;
        std::error_code ignored;
        return Candidate{TrainingState::from_json(state).update, path.filename() == "last.h5",
                         fs::last_write_time(path, ignored), path.string()};
    } catch (const Error& error) {
        if (error.code() != ErrorCode::format) throw;
        damaged.push_back(path.string());
        return std::nullopt;
    }
}

bool is_whole(const std::string& path, std::vector<std::string>& damaged) {
    try {
        interop::check_keras_h5(path);
        return true;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::format) throw;
        damaged.push_back(path);
        return false;
    }
}

}  // namespace

void write(Snapshot& snapshot, const std::string& path) {
    io::AtomicFile target(path, expected_bytes(snapshot));
    interop::KerasFile file;
    file.model = snapshot.model;
    file.compile = snapshot.compile;
    file.training_state = snapshot.state.to_json();
    const LentTensors lent(snapshot, file);
    interop::write_keras_h5(target.temporary_path().string(), file);
    // Reading compares every tensor with its checksum, which was taken before it was written.
    target.commit([](const fs::path& temporary) { interop::verify_keras_h5(temporary.string()); });
}

void save(const graph::ModelExecutor& executor, const TrainingState& state, const Json& compile,
          const std::string& path) {
    Snapshot snapshot{executor.model(), executor.snapshot(true), state, compile};
    write(snapshot, path);
}

TrainingState load(graph::ModelExecutor& executor, const std::string& path,
                   std::vector<graph::HostTensor>* all) {
    interop::KerasFile file = interop::read_keras_h5(path);
    try {
        TrainingState state = TrainingState::from_json(file.training_state);
        std::vector<graph::HostTensor> tensors = std::move(file.weights);
        std::move(file.optimizer.begin(), file.optimizer.end(), std::back_inserter(tensors));
        executor.restore(tensors);
        if (all != nullptr) *all = std::move(tensors);
        return state;
    } catch (const Error& error) {
        throw error.at(path);
    }
}

std::string newest(const std::string& run_directory, std::vector<std::string>* damaged) {
    std::vector<std::string> ignored;
    std::vector<std::string>& bad = damaged != nullptr ? *damaged : ignored;
    std::vector<Candidate> candidates;
    std::error_code error;
    for (fs::directory_iterator it(run_directory, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code unknown;
        if (it->path().extension() != ".h5" || !it->is_regular_file(unknown)) continue;
        const fs::path name = it->path().filename();
        if (name == kept_file || name == average_file) continue;
        if (auto found = candidate(it->path(), bad)) candidates.push_back(std::move(*found));
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.order() > b.order(); });
    for (const Candidate& found : candidates)
        if (is_whole(found.path, bad)) return found.path;
    return {};
}

}  // namespace strata::checkpoint
