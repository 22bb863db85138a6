#include "engine/train/plan_request.h"

#include <algorithm>

#include "engine/data/source.h"
#include "engine/graph/recomputation.h"
#include "engine/parallel/stages.h"
#include "engine/train/evaluation.h"

namespace strata::train {
namespace {

// Full batches and the short one behind them, of one part of the data.
void add_part(graph::ExecutorOptions& options, std::int64_t samples, std::int64_t wanted,
              bool drop_remainder) {
    if (drop_remainder) samples -= samples % wanted;
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
    add_part(options, std::ssize(split.train), wanted, pipeline.drop_remainder);
    add_part(options, std::ssize(split.validation), wanted, false);
    add_part(options, size->test_samples, wanted, false);
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
    const std::int64_t limit = config.training.recomputation.memory_limit;
    if (limit > 0 && parallel::runs_on_one_device(request.model, request.placement))
        graph::fit_by_recomputation(request.model, request.setup, request.options,
                                    static_cast<std::size_t>(limit));
    return request;
}

}  // namespace strata::train
