// Runs a model's plans on one device: owns the arena, the kernels and the state. One thread at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

struct ExecutorOptions {
    std::string device = "cpu:0";
    device::DeviceOptions device_options;
    std::int64_t batch = 64;  // the largest batch
    std::vector<std::int64_t>
        other_batches;  // short last batches that will come, so that they are planned now
    DType input_dtype = DType::float32;
    bool training = true;  // false: evaluate and predict only, no gradients and slots
};

// What an Executor of these arguments holds in its arena, byte for byte: its plans and its kernels'
// scratch, without allocating them. Opens the device, so it throws Error{not_found} where that is
// absent. Not for a window's thread: planning takes tens of milliseconds.
device::MemoryBudget predict_memory(const Model& model, const TrainingSetup* setup,
                                    const ExecutorOptions& options);

struct BatchResult {
    double loss_sum = 0.0;  // over the batch's samples
    std::vector<double> metric_sums;
    double gradient_norm = 0.0;  // of the mean gradient; training only
};

class Executor {
public:
    // Plans and allocates everything. setup may be null: prediction only. Throws Error (model,
    // memory, device).
    Executor(Model model, const TrainingSetup* setup, const ExecutorOptions& options);
    ~Executor();

    const Model& model() const;
    const ModelReport& report() const;
    const StateLayout& state() const;
    const device::MemoryBudget& memory() const;  // the arena's parts
    const Plan& plan(Mode mode) const;           // of the largest batch
    std::vector<std::string> fusions() const;

    // Fills the variables from their initializers: draw(seed, variable's number, ...). Zeroes the
    // optimizer's state.
    void initialize(std::uint64_t seed);

    // One forward, backward and update on n samples: inputs (n, ...) of input_dtype, targets int32
    // (n) or float32 (n, ...), both on the host. scalars.gradient_scale is set here to 1 / n.
    BatchResult train_step(const void* inputs, const void* targets, std::int64_t n,
                           ops::StepScalars scalars);
    BatchResult evaluate(const void* inputs, const void* targets, std::int64_t n);
    // outputs: (n, output shape) float32 on the host.
    void predict(const void* inputs, std::int64_t n, float* outputs);

    // Copies of the state in the layout's order: weights, then slots variable by variable (Keras's
    // file order).
    std::vector<HostTensor> snapshot(bool with_optimizer) const;
    // Puts back tensors by (layer, role, slot). Throws Error{format} on an unknown name, a shape
    // that differs, or, when all_required, a missing one.
    void restore(std::span<const HostTensor> tensors, bool all_required = true);
    // Gradients of the last train_step, before the update's scale: sums over the batch. For tests
    // and the doctor.
    std::vector<HostTensor> gradients() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace strata::graph
