// What trains and runs a model, on one device or on several: the trainer, checkpoints and the
// command line know no more than this. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/evaluation_turns.h"
#include "engine/graph/plan.h"
#include "engine/ops/backend.h"

namespace strata::graph {

// One variable or optimizer slot, copied to the host.
struct HostTensor {
    std::string layer;
    std::string role;  // "kernel"; for a slot the variable's role
    std::string slot;  // "" for the weight itself, else the optimizer's suffix
    Shape shape;
    std::vector<float> values;
};

struct BatchResult {
    double loss_sum = 0.0;  // over the batch's samples
    std::vector<double> metric_sums;
    double gradient_norm = 0.0;  // of the mean gradient, before clipping; train_step only
    bool applied = true;         // train_step only: as in UpdateResult
};

struct UpdateResult {
    double gradient_norm = 0.0;  // of the window's mean gradient, before clipping
    bool applied = true;         // false: loss or gradient were not finite, and nothing was changed
    std::int64_t samples = 0;    // of the window, of all processes
    // Over the window's samples of this process.
    double loss_sum = 0.0;
    std::vector<double> metric_sums;
};

// The first op, in the order of a pass, that gave Inf or NaN.
struct NotFinite {
    std::string layer;      // "loss" for the loss itself
    bool backward = false;  // in a gradient
};

// How many of a layer's units gave nothing but 0 for all samples of a probe.
struct LayerActivity {
    std::string layer;
    std::int64_t units = 0;  // the last axis
    std::int64_t dead = 0;
    std::int64_t samples = 0;
};

// The length of a layer's gradient, all its variables together.
struct GradientNorm {
    std::string layer;
    double norm = 0.0;
};

// What a device holds, by category.
struct DeviceMemory {
    std::string device;
    device::MemoryBudget memory;
    std::string description = {};  // as it was opened: "AMD EPYC, 2 threads, AVX-512"
};

class ModelExecutor {
public:
    virtual ~ModelExecutor() = default;

    virtual const Model& model() const = 0;
    virtual const ModelReport& report() const = 0;
    virtual const StateLayout& state() const = 0;  // of the whole model
    virtual std::vector<DeviceMemory> memory_by_device() const = 0;
    virtual std::vector<std::string> fusions() const = 0;

    // Fills the variables from their initializers: draw(seed, variable's number, ...). Zeroes the
    // optimizer's state.
    virtual void initialize(std::uint64_t seed) = 0;

    // Forward and backward of a micro-batch of n samples: inputs (n, ...) of input_dtype, targets
    // int32 (n) or float32 (n, ...), both on the host. scalars.first_in_window begins a window of
    // micro-batches; others need a setup that accumulates. Both are null where stage() has taken
    // them. Where the device works beside the host it may return before anything is computed; the
    // host's memory may be reused.
    virtual void accumulate(const void* inputs, const void* targets, std::int64_t n,
                            const ops::StepScalars& scalars) = 0;
    // Where the device works beside the host: begins to take the next accumulate()'s samples there
    // while it works; the host's memory may be reused.
    virtual bool stages() const { return false; }
    virtual void stage(const void* /*inputs*/, const void* /*targets*/, std::int64_t /*n*/) {}
    // The sums of the window so far, of this process. Waits for the device: for processes that have
    // to agree before an update.
    virtual BatchResult window_sums() = 0;
    // In words, once: why a device's passes cannot be launched as they should; "" where they can.
    virtual std::string take_note() { return {}; }
    // The optimizer's step on the window's n samples. scalars.gradient_scale is set here to 1 /
    // (loss_scale n). A window whose loss is not finite changes nothing. finish_update() waits for
    // it.
    virtual void begin_update(std::int64_t n, ops::StepScalars scalars) = 0;
    virtual UpdateResult finish_update() = 0;
    UpdateResult update(std::int64_t n, const ops::StepScalars& scalars);
    // Both, for a window of one batch.
    BatchResult train_step(const void* inputs, const void* targets, std::int64_t n,
                           const ops::StepScalars& scalars);
    // Forward without training, with none under way that begin_evaluate() has begun.
    virtual BatchResult evaluate(const void* inputs, const void* targets, std::int64_t n) = 0;
    // The same in two halves. Where the device works beside the host, the first may return before
    // anything is computed; the host's memory may be reused. Two may be under way; a third, or
    // finish_evaluate() without one, throws Error{internal}. Passes of other kinds may come between
    // them. finish_evaluate() waits for the earliest, which is over then, also where it throws; its
    // result is valid until the next begin_evaluate() or evaluate(). By default all is done in the
    // first.
    virtual void begin_evaluate(const void* inputs, const void* targets, std::int64_t n);
    virtual const BatchResult& finish_evaluate();
    // outputs: (n, output shape) float32 on the host.
    virtual void predict(const void* inputs, std::int64_t n, float* outputs) = 0;

    // Copies of the state in the layout's order: weights, then slots variable by variable (Keras's
    // file order).
    // buffers: an earlier answer, whose memory is used again.
    virtual std::vector<HostTensor> snapshot(bool with_optimizer,
                                             std::vector<HostTensor> buffers = {}) const = 0;
    // Puts back tensors by (layer, role, slot). Throws Error{format} on an unknown name, a shape
    // that differs, or, when all_required, a missing one.
    virtual void restore(std::span<const HostTensor> tensors, bool all_required = true) = 0;
    // The variables that no gradient changes, the moving averages of batch statistics: kept as they
    // are now, and put back where a window of micro-batches is given up. One copy.
    virtual void keep_statistics() = 0;
    virtual void put_back_statistics() = 0;
    // Gradients of the last window, before the update's scale: sums over its samples. For tests
    // and the doctor.
    virtual std::vector<HostTensor> gradients() const = 0;
    // Their norms times `scale` (1 / (loss_scale n) makes them the mean's), in float64, without
    // copies of more than a few pages. clipnorm has shortened them already.
    virtual std::vector<GradientNorm> gradient_norms(double scale) const = 0;

    // Exchanges the weights with their moving average, for a validation between two steps; a second
    // call undoes it. Needs a setup with ema_momentum.
    void swap_average();
    // What accumulate() of the same arguments meets first that is not finite; nothing where all is.
    // Takes much longer than a step, and leaves the window's gradients undefined.
    virtual std::optional<NotFinite> find_not_finite(const void* inputs, const void* targets,
                                                     std::int64_t n,
                                                     const ops::StepScalars& scalars) = 0;
    // Forward without training on the first of n samples (32 at most): what the rectifying layers
    // give.
    virtual std::vector<LayerActivity> probe(const void* inputs, std::int64_t n) = 0;

private:
    // What evaluate() gave, until finish_evaluate() asks for it.
    EvaluationTurns evaluations_;
    std::array<BatchResult, EvaluationTurns::most> evaluated_;
};

}  // namespace strata::graph
