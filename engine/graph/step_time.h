// How long a training step takes with the techniques of a project, against the same project without
// any: from the FLOPs and bytes of each op of the plan and the rates of the device. Called for
// predictions; not for a window's thread.
#pragma once

#include <cstdint>

#include "engine/graph/executor.h"

namespace strata::graph {

// Seconds a sample, by what the time is spent on.
struct StepTimeParts {
    double forward = 0.0;        // with the loss, the metrics and the copy of the samples
    double backward = 0.0;       // without what stands below
    double recomputation = 0.0;  // activations computed again
    double accumulation = 0.0;   // adding a micro-batch's gradients to the window's
    double update = 0.0;         // gradient norm, optimizer, moving averages
    double clip = 0.0;           // only of "clipnorm": the others are part of the update's one pass
    double casts = 0.0;          // between float32 and the 16-bit types, weights and activations

    double total() const {
        return forward + backward + recomputation + accumulation + update + clip + casts;
    }
};

struct StepTime {
    StepTimeParts with;     // the techniques
    StepTimeParts without;  // float32, nothing computed again, every batch an update, no clipping
                            // and no average of the weights
    // with / without, for equally many samples: 1.3 = an epoch takes 30 % longer. Data that the
    // device waits for are not in it.
    double relative_step_time = 1.0;
};

// model: with its marks of what is computed again (fit_by_recomputation). micro_batches: an update,
// at least 1. Measures the device's rates on first need, once in a process for each kind of work
// (tens of milliseconds in all). Throws what planning throws. Thread-safe.
StepTime predict_step_time(const Model& model, const TrainingSetup& setup,
                           const ExecutorOptions& options, std::int64_t micro_batches);

}  // namespace strata::graph
