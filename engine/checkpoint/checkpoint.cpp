#include "engine/checkpoint/checkpoint.h"

#include <algorithm>
#include <filesystem>

#include "engine/io/atomic_file.h"

namespace strata::checkpoint {
namespace fs = std::filesystem;
namespace {

constexpr const char* where = "training_state";
constexpr std::uint64_t fixed_bytes = 64 << 10;  // configuration, names, HDF5's own structures

std::uint64_t expected_bytes(const interop::KerasFile& file) {
    std::uint64_t bytes = fixed_bytes;
    for (const auto* tensors : {&file.weights, &file.optimizer})
        for (const graph::HostTensor& tensor : *tensors)
            bytes += tensor.values.size() * sizeof(float) + 1024;
    return bytes;
}

// The updates that a checkpoint has behind it; nothing where the file is damaged or holds no
// training state. A file that cannot be read at all (no permission, no memory) is no reason to take
// an older one: that error is the caller's.
std::optional<std::int64_t> updates_in(const fs::path& path) {
    try {
        return TrainingState::from_json(interop::read_keras_h5(path.string()).training_state)
            .update;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::format) throw;
        return std::nullopt;
    }
}

}  // namespace

Json TrainingState::to_json() const {
    Json json = Json::object();
    json["epoch"] = epoch;
    json["batch_in_epoch"] = batch_in_epoch;
    json["update"] = update;
    json["samples"] = samples;
    json["seed"] = seed;
    json["epoch_loss_sum"] = epoch_loss_sum;
    json["epoch_metric_sums"] = epoch_metric_sums;
    json["epoch_samples"] = epoch_samples;
    json["best"] = best ? Json(*best) : Json();
    json["project"] = project;
    return json;
}

TrainingState TrainingState::from_json(const Json& json) {
    if (!json.is_object())
        throw Error(ErrorCode::format, "holds no training state, only a model", where,
                    "Start a run from its weights instead of resuming it");
    TrainingState state;
    state.epoch = get_integer(json, "epoch", 0, where);
    state.batch_in_epoch = get_integer(json, "batch_in_epoch", 0, where);
    state.update = get_integer(json, "update", 0, where);
    state.samples = get_integer(json, "samples", 0, where);
    state.epoch_samples = get_integer(json, "epoch_samples", 0, where);
    state.epoch_loss_sum = get_number(json, "epoch_loss_sum", 0.0, where);
    if (const Json seed = json.value("seed", Json()); seed.is_number_integer())
        state.seed = seed.get<std::uint64_t>();
    if (const Json best = json.value("best", Json()); best.is_number())
        state.best = best.get<double>();
    for (const Json& sum : json.value("epoch_metric_sums", Json::array()))
        state.epoch_metric_sums.push_back(sum.is_number() ? sum.get<double>() : 0.0);
    state.project = json.value("project", Json());
    return state;
}

void save(const graph::Executor& executor, const TrainingState& state, const Json& compile,
          const std::string& path) {
    interop::KerasFile file;
    file.model = executor.model();
    for (graph::HostTensor& tensor : executor.snapshot(true))
        (tensor.slot.empty() ? file.weights : file.optimizer).push_back(std::move(tensor));
    file.compile = compile;
    file.training_state = state.to_json();
    io::AtomicFile target(path, expected_bytes(file));
    interop::write_keras_h5(target.temporary_path().string(), file);
    // Reading compares every tensor with its checksum, which was taken before it was written.
    target.commit([](const fs::path& temporary) { interop::verify_keras_h5(temporary.string()); });
}

TrainingState load(graph::Executor& executor, const std::string& path) {
    interop::KerasFile file = interop::read_keras_h5(path);
    try {
        TrainingState state = TrainingState::from_json(file.training_state);
        std::vector<graph::HostTensor> tensors = std::move(file.weights);
        std::move(file.optimizer.begin(), file.optimizer.end(), std::back_inserter(tensors));
        executor.restore(tensors);
        return state;
    } catch (const Error& error) {
        throw error.at(path);
    }
}

std::string newest(const std::string& run_directory, std::vector<std::string>* damaged) {
    std::string found;
    std::int64_t most = -1;
    for (const char* name : {"last.h5", "best.h5"}) {
        const fs::path path = fs::path(run_directory) / name;
        std::error_code ignored;
        if (!fs::is_regular_file(path, ignored)) continue;
        if (const auto updates = updates_in(path)) {
            if (*updates > most) found = path.string();
            most = std::max(most, *updates);
        } else if (damaged != nullptr) {
            damaged->push_back(path.string());
        }
    }
    return found;
}

}  // namespace strata::checkpoint
