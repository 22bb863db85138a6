// A pass over data without training: validation, the test at a run's end, `strata evaluate`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/data/pipeline.h"
#include "engine/graph/executor.h"
#include "engine/interop/keras_h5.h"
#include "engine/train/run_config.h"
#include "engine/train/targets.h"
#include "engine/train/world.h"

namespace strata::train {

struct Evaluation {
    double loss = 0.0;                      // mean over all samples
    std::map<std::string, double> metrics;  // likewise, by name
    std::int64_t samples = 0;
};

// Sums of numerators and denominators over the batches of all ranks, divided once. keep_going is
// asked before each batch; where it says no, the result is of the batches so far. The device may
// still work on the batch before meanwhile; when this returns or throws, none is left.
Evaluation evaluate(graph::ModelExecutor& executor, data::Pipeline& pipeline,
                    TargetEncoder& targets, const std::vector<std::string>& metrics, World& world,
                    const std::function<bool()>& keep_going = {});

// Loss, metrics and optimizer of a configuration, found in their catalogues. Throws Error naming
// the key.
graph::TrainingSetup make_setup(const TrainingConfig& training);

// The model of a .h5 file on `source`, with the file's loss and metrics; where it was not compiled,
// those of a new project. Throws Error naming file or data.
struct FileEvaluation {
    Evaluation result;
    std::string loss;
    double seconds = 0.0;
};
FileEvaluation evaluate_file(const std::string& path, const data::Source& source,
                             const std::string& where, std::int64_t batch_size, int threads);

// (n, output) float32 for (n, input) samples, `uint8` or `float32`, in batches.
std::vector<float> predict_file(const interop::KerasFile& file, const void* samples, DType dtype,
                                std::int64_t n, std::int64_t batch_size, int threads);

// A project that starts from the weights of `path` (Keras's or ours), with the file's loss, metrics
// and optimizer where it holds them.
RunConfig import_project(const std::string& path);

// {"optimizer": {"type", "config"}, "loss", "metrics"}: what a checkpoint says of training.
Json compile_json(const TrainingConfig& training);

}  // namespace strata::train
