// Trains a model on several devices of this process: layers on devices of their own, in a pipeline
// over micro-batches, and replicas of all of it that share each batch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/parallel/gradient_exchange.h"
#include "engine/parallel/placement.h"

namespace strata::parallel {

// When a stage worked on a micro-batch, in seconds since the batch's begin.
struct MeasuredBlock {
    int replica = 0, device = 0;
    StageTask task;
    double begin = 0.0, end = 0.0;
};

class PlacedExecutor final : public graph::ModelExecutor {
public:
    // options.device is not used: the model's layers name theirs. options.batch: of all replicas
    // together; a batch may be smaller than there are replicas, some then have no sample. Throws
    // Error as Executor does, and for a placement that makes no sense.
    // world: the processes that train the same model with the same placement, each on other samples
    // of its own; null where this is the only one. Then begin_update() is called by all of them,
    // and so are, where the optimizer is sharded, snapshot() with the optimizer, gradients(),
    // gradient_norms() and swap_average(); each may throw what the communicator throws.
    // accumulate() takes 0 samples where a process has no more, and is then called by all as often
    // as by the others.
    PlacedExecutor(graph::Model model, const graph::TrainingSetup* setup,
                   const graph::ExecutorOptions& options, const PlacementOptions& placement,
                   Communicator* world = nullptr);
    ~PlacedExecutor() override;

    // Where devices exchange with those of other processes by groups of their own (GPUs), before
    // the first batch and after all processes have made their executors: make_group_ids() on each,
    // then, if none has thrown, join_others() on each with what it gave on rank 0. Throws Error
    // where a library is missing, or others do not come.
    bool reaches_others() const;
    std::vector<std::byte> make_group_ids() const;
    void join_others(std::span<const std::byte> ids);

    // Of the last batch.
    const std::vector<MeasuredBlock>& timeline() const;
    // Of the last window: what adding up the gradients took, and how much of it nothing hid.
    ExchangeTimes exchange_times() const;

    const graph::Model& model() const override;
    const graph::ModelReport& report() const override;
    const graph::StateLayout& state() const override;
    std::vector<graph::DeviceMemory> memory_by_device() const override;
    std::vector<std::string> fusions() const override;
    void initialize(std::uint64_t seed) override;
    void accumulate(const void* inputs, const void* targets, std::int64_t n,
                    const ops::StepScalars& scalars) override;
    graph::BatchResult window_sums() override;
    void begin_update(std::int64_t n, ops::StepScalars scalars) override;
    graph::UpdateResult finish_update() override;
    graph::BatchResult evaluate(const void* inputs, const void* targets, std::int64_t n) override;
    void predict(const void* inputs, std::int64_t n, float* outputs) override;
    std::vector<graph::HostTensor> snapshot(
        bool with_optimizer, std::vector<graph::HostTensor> buffers = {}) const override;
    void restore(std::span<const graph::HostTensor> tensors, bool all_required = true) override;
    void keep_statistics() override;
    void put_back_statistics() override;
    std::vector<graph::HostTensor> gradients() const override;
    std::vector<graph::GradientNorm> gradient_norms(double scale) const override;
    std::optional<graph::NotFinite> find_not_finite(const void* inputs, const void* targets,
                                                    std::int64_t n,
                                                    const ops::StepScalars& scalars) override;
    std::vector<graph::LayerActivity> probe(const void* inputs, std::int64_t n) override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace strata::parallel
