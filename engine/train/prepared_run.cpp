#include "engine/train/prepared_run.h"

#include <algorithm>
#include <filesystem>
#include <new>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/graph/batch_statistics.h"
#include "engine/graph/runtime.h"
#include "engine/parallel/launcher.h"
#include "engine/parallel/placed_executor.h"
#include "engine/parallel/placement_rules.h"
#include "engine/parallel/stages.h"
#include "engine/train/own_gpus.h"
#include "engine/train/pipeline_json.h"
#include "engine/train/process_share.h"

namespace strata::train {
namespace {

RunConfig with_absolute_paths(RunConfig config) {
    const std::string& base = config.base;
    if (!config.data.source.is_null())
        config.data.source = data::with_absolute_paths(config.data.source, base);
    if (!config.data.test.is_null())
        config.data.test = data::with_absolute_paths(config.data.test, base);
    std::string& weights = config.training.initial_weights;
    if (!weights.empty()) weights = (std::filesystem::path(base) / weights).string();
    config.data.pipeline.seed = config.training.seed;
    return config;
}

std::vector<std::int64_t> all_rows(std::int64_t size) {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(i);
    return rows;
}

void require_shape(const data::Source& source, const graph::ModelReport& report,
                   const graph::Model& model, const std::string& where) {
    const auto input = static_cast<std::size_t>(report.input);
    const Shape& wanted = *report.layers[input].output;
    if (source.sample_shape() == wanted) return;
    throw Error(ErrorCode::invalid_argument,
                "the data have samples of shape " + source.sample_shape().text() + ", layer '" +
                    model.layers[input].name + "' takes " + wanted.text(),
                where, "Set the input layer's shape to " + source.sample_shape().text());
}

DataPart make_part(std::shared_ptr<data::Source> source, std::vector<std::int64_t> rows,
                   const data::PipelineOptions& options, const PreparedRun& run,
                   const Shape& output, const std::string& where) {
    DataPart part;
    part.targets = std::make_unique<TargetEncoder>(*run.setup.loss, output, *source, where);
    part.pipeline = std::make_unique<data::Pipeline>(source, std::move(rows), options);
    part.source = std::move(source);
    return part;
}

// Of all replicas of this process.
std::int64_t own_batch(const RunConfig& config) {
    return config.data.pipeline.batch_size * config.placement.replicas;
}

void open_data(PreparedRun& run, const graph::ModelReport& report) {
    const DataConfig& data = run.config.data;
    if (data.source.is_null())
        throw Error(ErrorCode::invalid_argument, "no training data are chosen", "data.source",
                    "Choose a data set, for example Fashion-MNIST");
    const Shape& output = *report.layers[static_cast<std::size_t>(report.output)].output;
    auto source =
        data::open_source(data.source, run.config.base, "data.source", source_in_memory(data));
    require_shape(*source, report, run.config.model, "data.source");
    run.fingerprint = source->identity();
    data::Split split = data::split_indices(source->size(), data.validation_split);
    data::PipelineOptions in_order = evaluation_pipeline(data), shuffled = training_pipeline(data);
    in_order.batch_size = shuffled.batch_size = own_batch(run.config);
    in_order.shard = shuffled.shard = {run.world->rank(), run.world->size()};
    if (!split.validation.empty())
        run.validation =
            make_part(source, std::move(split.validation), in_order, run, output, "data.source");
    run.train = make_part(source, std::move(split.train), shuffled, run, output, "data.source");
    if (run.train.pipeline->batches_per_epoch() == 0)
        throw Error(ErrorCode::invalid_argument,
                    "an epoch has no batch: there are fewer training samples than batch_size, and "
                    "drop_remainder is set",
                    "data.pipeline", "Use a smaller batch, or leave drop_remainder off");
    if (data.test.is_null()) return;
    auto test = data::open_source(data.test, run.config.base, "data.test", source_in_memory(data));
    require_shape(*test, report, run.config.model, "data.test");
    if (test->sample_dtype() != source->sample_dtype())
        throw Error(ErrorCode::invalid_argument,
                    std::string("test data are ") + name_of(test->sample_dtype()) +
                        ", training data are " + name_of(source->sample_dtype()),
                    "data.test", "Use files of one type");
    const std::int64_t count = test->size();
    run.test = make_part(std::move(test), all_rows(count), in_order, run, output, "data.test");
}

graph::ExecutorOptions executor_options(const PreparedRun& run) {
    graph::ExecutorOptions options;
    options.device_options.threads = run.config.placement.threads;
    options.device_options.allow_tf32 = run.config.training.allow_tf32;
    options.input_dtype = run.train.pipeline->sample_dtype();
    const std::int64_t wanted = own_batch(run.config);
    std::int64_t largest = 1;
    for (const DataPart* part : {&run.train, &run.validation, &run.test}) {
        if (!*part) continue;
        largest = std::max(largest, std::min(wanted, part->pipeline->own_samples_per_epoch()));
        options.other_batches.push_back(part->pipeline->last_batch_size());
    }
    options.batch = largest;
    return options;
}

// How the processes of a machine lie: on the same cores, and in which order.
struct Neighbours {
    int sharing_cores = 1;
    World::OnHost on_host;
};

std::unique_ptr<graph::ModelExecutor> make_executor(PreparedRun& run,
                                                    const Neighbours& neighbours) {
    const RunConfig& config = run.config;
    parallel::PlacementOptions placement =
        parallel::with_threads(config.placement, config.model, neighbours.sharing_cores);
    graph::ExecutorOptions options = executor_options(run);
    graph::Model model = config.model;
    if (neighbours.on_host.count > 1)
        take_own_gpus(model, placement, neighbours.on_host, available_gpus());
    options.device = model.layers.front().device;
    const bool one_device = parallel::runs_on_one_device(model, placement);
    if (one_device) {
        if (!placement.devices.empty()) options.device = placement.devices.front();
        options.device_options.memory_limit = placement.memory_limit(options.device);
    }
    try {
        run.recomputed = fit_process(model, run.setup, options, config.training.recomputation,
                                     placement, run.world->size());
        if (one_device && run.world->size() == 1)
            return std::make_unique<graph::Executor>(model, &run.setup, options);
        return std::make_unique<parallel::PlacedExecutor>(model, &run.setup, options, placement,
                                                          run.world->ranks());
    } catch (const Error& error) {
        throw parallel::at_its_name(error, model, placement);
    }
}

void make_learning_rate(PreparedRun& run, bool validates) {
    const TrainingConfig& training = run.config.training;
    run.learning_rate = std::make_unique<schedules::LearningRate>(
        training.schedule, run.setup.optimizer_config.number("learning_rate"),
        run.updates_per_epoch, run.updates_per_epoch * training.epochs);
    const std::string monitor = run.learning_rate->monitor();
    if (monitor.empty()) return;
    const std::string where = std::string(schedules::setting_key) + ".reduce_on_plateau.monitor";
    const Monitor found = find_monitor(monitor, "auto", training.metrics, validates, where);
    if (found.name != monitor)
        throw Error(ErrorCode::invalid_argument,
                    "this run has no value '" + monitor + "': it has no validation data", where,
                    "Set it to " + found.name + ", or data.validation_split to 0.1");
}

// All but the executor.
PreparedRun prepare_parts(const RunConfig& config, World& world) {
    PreparedRun run;
    run.world = &world;
    run.config = with_absolute_paths(config);
    const graph::ModelReport report = graph::require_valid(config.model);
    run.setup = make_setup(config.training);
    run.setup.loss->check(*report.layers[static_cast<std::size_t>(report.output)].output);
    open_data(run, report);
    const TrainingConfig& training = config.training;
    const auto validates = static_cast<bool>(run.validation);
    run.keeper =
        std::make_unique<CheckpointKeeper>(training.checkpoint, training.metrics, validates);
    run.early_stopping =
        std::make_unique<EarlyStopping>(training.early_stopping, training.metrics, validates);
    run.batches_per_epoch = run.train.pipeline->batches_per_epoch();
    const std::int64_t window = training.gradient_accumulation_steps;
    run.updates_per_epoch = (run.batches_per_epoch + window - 1) / window;
    make_learning_rate(run, validates);
    run.rate_scaling = RateScaling(training.rate_scaling, config.placement.replicas * world.size(),
                                   run.updates_per_epoch);
    return run;
}

bool is_rank_0s(const std::string& text, World& world) {
    std::string first = text;
    world.broadcast(first);
    return text == first;
}

// Where ranks trained different models, their gradients would be added up all the same.
void require_one_project(const RunConfig& config, World& world) {
    Json project = project_to_json(config);
    if (project.contains("placement")) {
        Json& placement = project["placement"];
        for (const char* own : {"threads", "devices", "memory_limit"}) placement.erase(own);
        if (placement.empty()) project.erase("placement");
    }
    const bool same = is_rank_0s(project.dump(), world);
    world.together([&] {
        if (!same)
            throw Error(ErrorCode::invalid_argument,
                        "rank 0 trains another project or another part of it", "",
                        "Start all ranks with the same project and the same --set");
        if (config.placement.ranks > 0 && config.placement.ranks != world.size())
            throw Error(ErrorCode::invalid_argument,
                        "the project is for " +
                            counted(config.placement.ranks, "process", "processes") +
                            ", and there " + (world.size() == 1 ? "is " : "are ") +
                            std::to_string(world.size()),
                        "placement.ranks",
                        "Start as many (" + parallel::start_command(config.placement.ranks) +
                            "), or leave the key out");
    });
}

// Nor would their gradients fit together, were they of other data.
void require_one_source(const PreparedRun& run, World& world) {
    const bool same = is_rank_0s(run.fingerprint.dump(), world);
    world.together([&] {
        if (!same)
            throw Error(ErrorCode::invalid_argument, "rank 0 has read other data", "data.source",
                        "Give all ranks the same files");
    });
}

// Two processes on one GPU: NCCL would refuse them, but not say why. Nor would one on a CPU come to
// where those with GPUs wait.
void agree_on_devices(const RunConfig& config, World& world, World::OnHost place) {
    if (world.size() == 1) return;
    std::vector<std::string> devices;
    std::vector<Gpu> gpus;
    world.together([&] {
        graph::Model model = config.model;
        parallel::PlacementOptions placement = config.placement;
        if (place.count > 1) take_own_gpus(model, placement, place, available_gpus());
        devices = devices_of(model, placement);
        gpus = gpus_of(devices);
    });
    require_same_kinds(world, devices);
    require_gpus_apart(world, gpus);
}

// The fault where memory is lacking, which several ranks answer together; one alone throws it.
std::optional<Error> lack_of_memory(PreparedRun& run, const Neighbours& neighbours) {
    try {
        run.executor = make_executor(run, neighbours);
        return std::nullopt;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory || run.world->size() == 1) throw;
        return error;
    } catch (const std::bad_alloc&) {
        if (run.world->size() == 1) throw;
        return Error(ErrorCode::out_of_memory, "the process has no memory left for the model");
    }
}

void warn_of_placement(PreparedRun& run) {
    const std::string empty =
        parallel::empty_micro_batches(run.config.placement, run.config.data.pipeline.batch_size);
    if (!empty.empty()) run.warnings.push_back(empty);
    std::vector<std::string> used;
    for (const graph::DeviceMemory& part : run.executor->memory_by_device())
        used.push_back(part.device);
    const std::string unused = parallel::unused_limits(run.config.placement, used);
    if (!unused.empty()) run.warnings.push_back(unused);
}

// What it means, against what was asked for. lacking: the rank for whose sake it is done.
std::string halve_batches(RunConfig& now, const RunConfig& asked, int lacking, int ranks) {
    std::int64_t& size = now.data.pipeline.batch_size;
    std::int64_t& window = now.training.gradient_accumulation_steps;
    size /= 2;
    window *= 2;
    std::string text = "rank " + std::to_string(lacking) +
                       " has too little memory for the batches: all take " +
                       counted(size, "sample") + " at a time, and " +
                       counted(window, "batch", "batches") + " an update";
    const auto normalized = [ranks](const RunConfig& config) {
        const std::int64_t parts = config.placement.micro_batches;
        return graph::normalized_by(config.model,
                                    (config.data.pipeline.batch_size + parts - 1) / parts,
                                    config.placement.replicas * ranks);
    };
    if (const std::int64_t before = normalized(asked); before > 0)
        text += ". Layers of BatchNormalization take mean and variance of " +
                counted(normalized(now), "sample") + " in place of " + grouped(before) +
                ", so the losses are others than with whole batches";
    return text;
}

// All have their memory by now: who lacked it would be waited for by the others' libraries.
void join_gpus(PreparedRun& run) {
    World& world = *run.world;
    auto* placed = dynamic_cast<parallel::PlacedExecutor*>(run.executor.get());
    if (placed == nullptr || !placed->reaches_others()) return;
    std::vector<std::byte> ids;
    world.together([&] { ids = placed->make_group_ids(); });
    std::string text(reinterpret_cast<const char*>(ids.data()), ids.size());
    world.broadcast(text);
    world.together([&] { placed->join_others(std::as_bytes(std::span(text))); });
}

}  // namespace

PreparedRun prepare_run(const RunConfig& config, World& world) {
    require_one_project(config, world);
    const Neighbours neighbours{world.sharing_cores(), world.on_host()};
    agree_on_devices(config, world, neighbours.on_host);
    RunConfig now = config;
    for (std::vector<std::string> warnings;;) {
        PreparedRun run;
        std::optional<Error> lack;
        world.together([&] { run = prepare_parts(now, world); });
        require_one_source(run, world);
        world.together([&] { lack = lack_of_memory(run, neighbours); });
        const int lacking = world.first(lack.has_value());
        if (lacking < 0) {
            run.warnings.insert(run.warnings.end(), warnings.begin(), warnings.end());
            warn_of_placement(run);
            join_gpus(run);
            return run;
        }
        run.executor.reset();
        world.together([&] {
            if (lack && now.data.pipeline.batch_size % 2 != 0) throw Error(*lack);
        });
        warnings = {halve_batches(now, config, lacking, world.size())};
    }
}

PlanEvent plan_of(const PreparedRun& run) {
    PlanEvent plan;
    const std::vector<device::DeviceInfo> known = graph::runtime().devices();
    for (graph::DeviceMemory& part : run.executor->memory_by_device()) {
        plan.device += (plan.device.empty() ? "" : ", ") + part.device;
        for (std::size_t i = 0; i < device::category_count; ++i)
            plan.memory.bytes[i] += part.memory.bytes[i];
        if (plan.device_description.empty()) plan.device_description = part.description;
        PlanEvent::Device device{std::move(part.device), part.memory};
        const auto info = std::find_if(known.begin(), known.end(),
                                       [&](const auto& each) { return each.id == device.name; });
        const std::size_t limit = run.config.placement.memory_limit(device.name);
        if (limit > 0 || info != known.end())
            device.memory_limit = limit > 0 ? limit : info->memory;
        plan.devices.push_back(std::move(device));
    }
    if (plan.devices.size() == 1) plan.memory_limit = plan.devices.front().memory_limit;
    plan.parameters = run.executor->report().parameters;
    plan.train_samples = run.train.pipeline->samples_per_epoch();
    if (run.validation) plan.validation_samples = run.validation.pipeline->samples_per_epoch();
    if (run.test) plan.test_samples = run.test.pipeline->samples_per_epoch();
    plan.epochs = run.config.training.epochs;
    plan.updates_per_epoch = run.updates_per_epoch;
    plan.metrics = run.config.training.metrics;
    plan.fusions = run.executor->fusions();
    for (const std::string& layer : run.recomputed)
        plan.fusions.push_back(layer + ": computed again in the backward pass, to fit the memory");
    return plan;
}

std::optional<TimelineEvent> timeline_of(const graph::ModelExecutor& executor) {
    const auto* placed = dynamic_cast<const parallel::PlacedExecutor*>(&executor);
    if (placed == nullptr || placed->timeline().empty()) return {};
    TimelineEvent event;
    int of_replica = 1, replicas = 1;
    for (const parallel::MeasuredBlock& block : placed->timeline()) {
        of_replica = std::max(of_replica, block.device + 1);
        replicas = std::max(replicas, block.replica + 1);
        event.seconds = std::max(event.seconds, block.end);
    }
    event.devices = of_replica * replicas;
    double busy = 0.0;
    for (const parallel::MeasuredBlock& block : placed->timeline()) {
        event.blocks.push_back({block.replica * of_replica + block.device, block.task.stage,
                                block.task.micro_batch, block.task.backward, block.begin,
                                block.end});
        busy += block.end - block.begin;
    }
    if (event.seconds > 0.0)
        event.idle_share = std::clamp(1.0 - busy / (event.seconds * event.devices), 0.0, 1.0);
    return event;
}

}  // namespace strata::train
