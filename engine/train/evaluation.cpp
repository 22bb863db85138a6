#include "engine/train/evaluation.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>

#include "engine/core/error.h"

namespace strata::train {
namespace {

// What a file says of its training, over the defaults of a new project.
void take_compile(const Json& compile, TrainingConfig& training) {
    if (!compile.is_object()) return;
    training.loss = get_string(compile, "loss", training.loss, "training_config");
    if (const auto it = compile.find("metrics"); it != compile.end() && it->is_array())
        training.metrics = it->get<std::vector<std::string>>();
    if (const auto it = compile.find("optimizer"); it != compile.end() && it->is_object()) {
        training.optimizer = get_string(*it, "type", training.optimizer, "training_config");
        training.optimizer_config = it->value("config", Json::object());
    }
}

const Shape& input_shape(const graph::ModelExecutor& executor) {
    const auto& report = executor.report();
    return *report.layers[static_cast<std::size_t>(report.input)].output;
}

const Shape& output_shape(const graph::ModelExecutor& executor) {
    const auto& report = executor.report();
    return *report.layers[static_cast<std::size_t>(report.output)].output;
}

// Goes through the batches one ahead of the device: the host reads the next one while the device
// works.
class Batches {
public:
    Batches(graph::ModelExecutor& executor, data::Pipeline& pipeline, TargetEncoder& targets,
            const std::function<bool()>& keep_going, std::span<double> sums)
        : executor_(executor),
          pipeline_(pipeline),
          targets_(targets),
          keep_going_(keep_going),
          sums_(sums) {}
    // Nothing is left behind on the device: what follows a fault has its queue to itself.
    ~Batches() {
        while (under_way_ > 0) try {
                finish();
            } catch (const std::exception&) {
                continue;
            }
    }
    Batches(const Batches&) = delete;
    Batches& operator=(const Batches&) = delete;

    void run() {
        pipeline_.start_epoch(0);
        bool more = begin_next();
        while (more) {
            more = begin_next();
            take();
        }
    }

private:
    // The fault of the batch before, where it has one, came first.
    bool begin_next() try {
        const data::Batch* batch = pipeline_.next();
        if (batch == nullptr || (keep_going_ && !keep_going_())) return false;
        executor_.begin_evaluate(batch->samples.data(), targets_.encode(*batch), batch->size);
        ++under_way_;
        sums_.back() += static_cast<double>(batch->size);
        return true;
    } catch (...) {
        if (under_way_ > 0) take();
        throw;
    }

    const graph::BatchResult& finish() {
        --under_way_;
        return executor_.finish_evaluate();
    }

    void take() {
        const graph::BatchResult& part = finish();
        const std::size_t metrics = sums_.size() - 2;
        for (std::size_t i = 0; i < metrics; ++i) sums_[i] += part.metric_sums[i];
        sums_[metrics] += part.loss_sum;
    }

    graph::ModelExecutor& executor_;
    data::Pipeline& pipeline_;
    TargetEncoder& targets_;
    const std::function<bool()>& keep_going_;
    std::span<double> sums_;  // metrics, loss, samples
    int under_way_ = 0;
};

}  // namespace

Evaluation evaluate(graph::ModelExecutor& executor, data::Pipeline& pipeline,
                    TargetEncoder& targets, const std::vector<std::string>& metrics, World& world,
                    const std::function<bool()>& keep_going) {
    std::vector<double> sums(metrics.size() + 2, 0.0);  // metrics, loss, samples
    world.together([&] { Batches(executor, pipeline, targets, keep_going, sums).run(); }, sums);
    Evaluation result;
    const double n = std::max(sums.back(), 1.0);
    result.samples = static_cast<std::int64_t>(sums.back());
    result.loss = sums[metrics.size()] / n;
    for (std::size_t i = 0; i < metrics.size(); ++i) result.metrics[metrics[i]] = sums[i] / n;
    return result;
}

graph::TrainingSetup make_setup(const TrainingConfig& training) {
    try {
        graph::TrainingSetup setup;
        setup.loss = &losses::find_loss(training.loss);
        for (const std::string& name : training.metrics)
            setup.metrics.push_back(&metrics::find_metric(name));
        setup.optimizer = &optimizers::find_optimizer(training.optimizer);
        setup.optimizer_config =
            layers::Config::checked(setup.optimizer->params, training.optimizer_config);
        setup.precision = training.precision;
        setup.accumulates = training.gradient_accumulation_steps > 1;
        setup.deferred_statistics = training.batch_statistics == BatchStatistics::deferred;
        setup.clip_by_variable = training.clipping.type == Clipping::norm;
        if (training.clipping.type == Clipping::value) setup.clip = ops::ClipKind::value;
        if (training.clipping.type == Clipping::global_norm)
            setup.clip = ops::ClipKind::global_norm;
        if (training.ema.enabled) setup.ema_momentum = static_cast<float>(training.ema.momentum);
        return setup;
    } catch (const Error& error) {
        throw error.at("training");
    }
}

FileEvaluation evaluate_file(const std::string& path, const data::Source& source,
                             const std::string& where, std::int64_t batch_size, int threads) {
    const interop::KerasFile file = interop::read_keras_h5(path);
    TrainingConfig training;
    take_compile(file.compile, training);
    const graph::TrainingSetup setup = make_setup(training);
    graph::ExecutorOptions options;
    options.device_options.threads = threads;
    options.batch = std::min(batch_size, std::max<std::int64_t>(source.size(), 1));
    options.other_batches = {source.size() % options.batch};
    options.input_dtype = source.sample_dtype();
    options.training = false;
    graph::Executor executor(file.model, &setup, options);
    if (source.sample_shape() != input_shape(executor))
        throw Error(ErrorCode::invalid_argument,
                    "the data have samples of shape " + source.sample_shape().text() +
                        ", the model's input is " + input_shape(executor).text(),
                    where, "Choose data of the model's shape");
    executor.restore(file.weights);
    TargetEncoder targets(*setup.loss, output_shape(executor), source, where);
    std::vector<std::int64_t> rows(static_cast<std::size_t>(source.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(i);
    data::PipelineOptions pipeline_options;
    pipeline_options.batch_size = options.batch;
    pipeline_options.shuffle = false;
    // The source outlives the pipeline: it is the caller's.
    data::Pipeline pipeline(std::shared_ptr<const data::Source>(&source, [](const auto*) {}), rows,
                            pipeline_options);
    const auto begin = std::chrono::steady_clock::now();
    FileEvaluation evaluation;
    World alone;
    evaluation.result = evaluate(executor, pipeline, targets, training.metrics, alone);
    evaluation.loss = setup.loss->name;
    evaluation.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return evaluation;
}

std::vector<float> predict_file(const interop::KerasFile& file, const void* samples, DType dtype,
                                std::int64_t n, std::int64_t batch_size, int threads) {
    graph::ExecutorOptions options;
    options.device_options.threads = threads;
    options.batch = std::clamp<std::int64_t>(n, 1, batch_size);
    options.other_batches = {n % options.batch};
    options.input_dtype = dtype;
    options.training = false;
    graph::Executor executor(file.model, nullptr, options);
    executor.restore(file.weights);
    const auto row_bytes =
        static_cast<std::size_t>(input_shape(executor).elements()) * size_of(dtype);
    const auto row_out = static_cast<std::size_t>(output_shape(executor).elements());
    std::vector<float> outputs(static_cast<std::size_t>(n) * row_out);
    for (std::int64_t i = 0; i < n; i += options.batch) {
        const auto row = static_cast<std::size_t>(i);
        executor.predict(static_cast<const std::byte*>(samples) + row * row_bytes,
                         std::min(options.batch, n - i), outputs.data() + row * row_out);
    }
    return outputs;
}

RunConfig import_project(const std::string& path) {
    const interop::KerasFile file = interop::read_keras_h5(path);
    RunConfig config;
    if (file.training_state.is_object() && file.training_state.contains("project")) {
        try {
            config = project_from_json(file.training_state["project"], path);
            // No path from a model file is opened: only data sets that go by a name are taken over.
            for (Json* part : {&config.data.source, &config.data.test})
                if (part->is_object() && !part->contains("dataset")) *part = Json();
        } catch (const Error&) {
            config = {};  // of another version: the model below is what counts
        }
    }
    if (config.model.layers.empty()) config.name = std::filesystem::path(path).stem().string();
    config.model = file.model;
    take_compile(file.compile, config.training);
    make_setup(config.training);
    config.training.initial_weights = std::filesystem::absolute(path).lexically_normal().string();
    return config;
}

Json compile_json(const TrainingConfig& training) {
    const auto& optimizer = optimizers::find_optimizer(training.optimizer);
    Json json = {
        {"optimizer",
         {{"type", training.optimizer},
          {"config", layers::Config::checked(optimizer.params, training.optimizer_config).json()}}},
        {"loss", training.loss},
        {"metrics", training.metrics}};
    if (training.ema.enabled) json["ema"] = {{"momentum", training.ema.momentum}};
    return json;
}

}  // namespace strata::train
