// Runs a model's plans on one device: owns the arena, the kernels and the state. One thread at a
// time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/graph/model_executor.h"

namespace strata::graph {

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

class Executor final : public ModelExecutor {
public:
    // Plans and allocates everything. setup may be null: prediction only. Throws Error (model,
    // memory, device).
    Executor(Model model, const TrainingSetup* setup, const ExecutorOptions& options);
    ~Executor() override;

    const device::MemoryBudget& memory() const;  // the arena's parts
    const Plan& plan(Mode mode) const;           // of the largest batch

    const Model& model() const override;
    const ModelReport& report() const override;
    const StateLayout& state() const override;
    std::vector<DeviceMemory> memory_by_device() const override;
    std::vector<std::string> fusions() const override;
    void initialize(std::uint64_t seed) override;
    void accumulate(const void* inputs, const void* targets, std::int64_t n,
                    const ops::StepScalars& scalars) override;
    bool stages() const override;
    void stage(const void* inputs, const void* targets, std::int64_t n) override;
    BatchResult window_sums() override;
    std::string take_note() override;
    void begin_update(std::int64_t n, ops::StepScalars scalars) override;
    UpdateResult finish_update() override;
    BatchResult evaluate(const void* inputs, const void* targets, std::int64_t n) override;
    void begin_evaluate(const void* inputs, const void* targets, std::int64_t n) override;
    const BatchResult& finish_evaluate() override;
    void predict(const void* inputs, std::int64_t n, float* outputs) override;
    std::vector<HostTensor> snapshot(bool with_optimizer,
                                     std::vector<HostTensor> buffers = {}) const override;
    void restore(std::span<const HostTensor> tensors, bool all_required = true) override;
    void keep_statistics() override;
    void put_back_statistics() override;
    std::vector<HostTensor> gradients() const override;
    std::vector<GradientNorm> gradient_norms(double scale) const override;
    std::optional<NotFinite> find_not_finite(const void* inputs, const void* targets,
                                             std::int64_t n,
                                             const ops::StepScalars& scalars) override;
    std::vector<LayerActivity> probe(const void* inputs, std::int64_t n) override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace strata::graph
