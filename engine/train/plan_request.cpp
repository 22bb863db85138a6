#include "engine/train/plan_request.h"

#include <algorithm>

#include "engine/data/pipeline.h"
#include "engine/data/source.h"
#include "engine/parallel/placement_rules.h"
#include "engine/train/evaluation.h"
#include "engine/train/process_share.h"

namespace strata::train {
namespace {

int processes(const RunConfig& config) {
    return std::max(config.placement.ranks, 1);
}

// Full batches and the short one behind them, of one part of the data as the first process has it.
void add_part(graph::ExecutorOptions& options, std::int64_t samples, std::int64_t wanted,
              int processes, bool drop_remainder) {
    samples = drop_remainder ? samples / (wanted * processes) * wanted
                             : data::Shard{0, processes}.size(samples);
    if (samples == 0) return;
    options.batch = std::max(options.batch, std::min(wanted, samples));
    options.other_batches.push_back(samples % wanted == 0 ? wanted : samples % wanted);
}

graph::ExecutorOptions executor_options(const RunConfig& config,
                                        const std::optional<DataSize>& size) {
    graph::ExecutorOptions options;
    const data::PipelineOptions& pipeline = config.data.pipeline;
    options.device = config.model.layers.front().device;
    options.device_options.threads = config.placement.threads;
    const std::int64_t wanted = pipeline.batch_size * config.placement.replicas;
    options.batch = wanted;
    options.input_dtype = size ? size->dtype : DType::uint8;
    if (!pipeline.map.empty()) options.input_dtype = DType::float32;
    if (!size || size->samples == 0) return options;
    options.batch = 1;
    const data::Split split = data::split_indices(size->samples, config.data.validation_split);
    add_part(options, std::ssize(split.train), wanted, processes(config), pipeline.drop_remainder);
    add_part(options, std::ssize(split.validation), wanted, processes(config), false);
    add_part(options, size->test_samples, wanted, processes(config), false);
    return options;
}

}  // namespace

std::optional<DataSize> data_size(const RunConfig& config) {
    if (config.data.source.is_null()) return std::nullopt;
    DataSize size;
    const auto source =
        data::open_source(config.data.source, config.base, "data.source", /*cache=*/false);
    size.samples = source->size();
    size.dtype = source->sample_dtype();
    if (!config.data.test.is_null())
        size.test_samples =
            data::open_source(config.data.test, config.base, "data.test", /*cache=*/false)->size();
    return size;
}

parallel::PlanRequest plan_request(const RunConfig& config, const std::optional<DataSize>& size) {
    parallel::PlanRequest request;
    const graph::ModelReport report = graph::require_valid(config.model);
    request.model = config.model;
    request.setup = make_setup(config.training);
    request.setup.loss->check(*report.layers[static_cast<std::size_t>(report.output)].output);
    request.options = executor_options(config, size);
    request.placement = config.placement;
    request.accumulation = config.training.gradient_accumulation_steps;
    request.sharing = processes(config);
    graph::ExecutorOptions options = request.options;
    if (!config.placement.devices.empty()) options.device = config.placement.devices.front();
    const parallel::PlacementOptions placement =
        parallel::with_threads(config.placement, config.model, request.sharing);
    fit_process(request.model, request.setup, options, config.training.recomputation, placement,
                processes(config));
    return request;
}

}  // namespace strata::train
