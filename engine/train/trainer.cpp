#include "engine/train/trainer.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <new>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/interop/curve_picture.h"
#include "engine/io/atomic_file.h"
#include "engine/io/paths.h"
#include "engine/train/meters.h"
#include "engine/train/prepared_run.h"
#include "engine/train/run_directory.h"
#include "engine/train/run_log.h"

namespace strata::train {
namespace {

namespace fs = std::filesystem;

constexpr auto save_interval = std::chrono::minutes(1);

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace

struct Trainer::Impl {
    RunConfig config;
    RunOptions options;
    EventSink sink;
    std::shared_ptr<Control> control;

    PreparedRun run;
    checkpoint::TrainingState state;
    std::unique_ptr<RunLog> log;
    RateMeter rate;
    EndEvent end;
    double learning_rate = 0.0;
    std::size_t resident_bytes = 0;
    std::chrono::steady_clock::time_point last_saved = std::chrono::steady_clock::now();
    DirectoryLock lock;
    std::chrono::steady_clock::time_point resident_read;
    bool log_failed = false;

    void emit(const Event& event) const {
        if (sink) sink(event);
    }
    void say(LogEvent::Level level, std::string text) const {
        emit(LogEvent{level, std::move(text)});
    }
    void say(std::string text) const { say(LogEvent::Level::info, std::move(text)); }

    bool stop_asked() const { return control->stop_; }

    // ---- before step 1

    void make_run_directory() {
        if (options.run_directory.empty()) {
            const fs::path runs = fs::path(config.base.empty() ? "." : config.base) / "runs";
            io::require_writable_directory(runs);
            options.run_directory = io::create_run_directory(runs, config.name).string();
        }
        io::require_writable_directory(options.run_directory);
        lock.acquire(options.run_directory);
        if (!options.resume) require_unused_directory(options.run_directory);
        io::sweep_stale(options.run_directory);
        end.run_directory = options.run_directory;
    }

    std::string path_of(const char* name) const {
        return (fs::path(options.run_directory) / name).string();
    }

    std::string find_checkpoint() const {
        if (!options.resume) return {};
        std::vector<std::string> damaged;
        std::string found = checkpoint::newest(options.run_directory, &damaged);
        for (const std::string& path : damaged)
            say(LogEvent::Level::warning, fs::path(path).filename().string() + " is damaged");
        if (found.empty())
            throw Error(ErrorCode::not_found, "there is no checkpoint to go on from",
                        options.run_directory, "Train without --resume to begin a new run");
        say("Going on from " + found);
        return found;
    }

    void prepare() {
        emit(StateEvent{RunState::preparing});
        run = prepare_run(config);
        make_run_directory();
        state = set_weights(run, find_checkpoint());
        learning_rate = run.setup.optimizer_config.number("learning_rate");
        io::write_file(path_of("project.strata"), pretty_json(project_to_json(run.config)));
        log = std::make_unique<RunLog>(
            options.run_directory, config.training.metrics,
            options.resume ? std::optional(state.update + 1) : std::nullopt);
        announce();
    }

    void announce() const {
        PlanEvent plan = plan_of(run);
        plan.first_update = state.update;
        plan.run_directory = options.run_directory;
        emit(plan);
        say("Training data: " + run.train.source->description() + "; " +
            grouped(plan.train_samples) + " to train, " + grouped(plan.validation_samples) +
            " to validate");
        if (!config.data.cache && run.train.source->in_memory())
            say("The samples are compressed, so they are held in memory without a cache, too");
        if (config.training.checkpoint.enabled &&
            run.best->monitor() != config.training.checkpoint.monitor)
            say("There are no validation data: the best checkpoint is the one with the lowest "
                "loss");
        for (const std::string& fusion : plan.fusions) say("Fused: " + fusion);
    }

    // ---- steps

    // Waits while paused. True: do a step (or, in validation, go on); false: stop.
    bool wait_for_turn() {
        bool told = false;
        while (!stop_asked()) {
            if (control->save_.exchange(false)) save("last.h5", false);
            const std::uint32_t seen = control->generation_.load();
            if (control->command_.load() == Control::Command::run) {
                if (told) emit(StateEvent{RunState::running});
                return true;
            }
            if (control->steps_.load() > 0) {
                control->steps_.fetch_sub(1);
                return true;
            }
            if (!told) {
                rate.pause();
                flush_log();
                emit(StateEvent{RunState::paused});
                told = true;
            }
            if (!stop_asked() && !control->save_) control->generation_.wait(seen);
            rate.start();
        }
        return false;
    }

    void require_finite(const graph::BatchResult& result) const {
        if (std::isfinite(result.loss_sum) && std::isfinite(result.gradient_norm)) return;
        const std::string layer = first_layer_not_finite(*run.executor);
        throw Error(
            ErrorCode::numeric,
            "the loss or its gradient is no longer a finite number at update " +
                std::to_string(state.update + 1),
            layer.empty() ? "loss" : "layer '" + layer + "'",
            std::string("Try a smaller learning rate") +
                (end.checkpoint.empty() ? "" : "; the last checkpoint is from before this update"));
    }

    void step(const data::Batch& batch) {
        ops::StepScalars scalars;
        scalars.seed = state.seed;
        scalars.step = static_cast<std::uint32_t>(state.update);
        scalars.first_sample = batch.first_sample;
        scalars.learning_rate = static_cast<float>(learning_rate);
        scalars.update = state.update + 1;
        const graph::BatchResult result = run.executor->train_step(
            batch.samples.data(), run.train.targets->encode(batch), batch.size, scalars);
        require_finite(result);
        rate.add(batch.size);
        ++state.update;
        ++state.batch_in_epoch;
        state.samples += batch.size;
        state.epoch_samples += batch.size;
        state.epoch_loss_sum += result.loss_sum;
        for (std::size_t i = 0; i < result.metric_sums.size(); ++i)
            state.epoch_metric_sums[i] += result.metric_sums[i];
        tell(result, batch.size);
    }

    void tell(const graph::BatchResult& result, std::int64_t size) {
        const auto now = std::chrono::steady_clock::now();
        if (resident_bytes == 0 || now - resident_read > std::chrono::seconds(1)) {
            resident_bytes = process_bytes();
            resident_read = now;
        }
        StepEvent event;
        const auto n = static_cast<double>(size);
        event.update = state.update;
        event.epoch = state.epoch + 1;
        event.loss = result.loss_sum / n;
        for (double sum : result.metric_sums) event.metrics.push_back(sum / n);
        event.learning_rate = learning_rate;
        event.gradient_norm = result.gradient_norm;
        event.samples_per_s = rate.samples_per_s();
        event.wall_time = seconds_since_1970();
        event.samples = state.samples;
        event.process_bytes = resident_bytes;
        write_log([&] { log->add(event); });
        emit(std::move(event));
    }

    // A log that cannot be written is told once; training goes on.
    template <typename Write>
    void write_log(Write&& write) {
        try {
            write();
        } catch (const Error& error) {
            if (!log_failed) say(LogEvent::Level::warning, error.what());
            log_failed = true;
        }
    }
    void flush_log() {
        write_log([&] { log->flush(); });
    }

    // ---- epochs

    // False where it was stopped.
    bool train_epoch() {
        if (state.batch_in_epoch == 0) {
            state.epoch_loss_sum = 0.0;
            state.epoch_samples = 0;
        }
        state.epoch_metric_sums.resize(config.training.metrics.size());
        if (state.batch_in_epoch == 0)
            state.epoch_metric_sums.assign(state.epoch_metric_sums.size(), 0.0);
        data::Pipeline& pipeline = *run.train.pipeline;
        const double begin = rate.seconds();
        const std::int64_t before = rate.samples();
        pipeline.start_epoch(state.epoch, state.batch_in_epoch);
        rate.start();
        while (state.batch_in_epoch < run.updates_per_epoch) {
            if (!wait_for_turn()) return false;
            const data::Batch* batch = pipeline.next();
            if (batch == nullptr) break;
            step(*batch);
            save_if_due();
        }
        rate.pause();
        const double seconds = rate.seconds() - begin;
        return end_epoch(seconds, rate.samples() - before, pipeline.wait_seconds());
    }

    // False where it was stopped in the validation: a resumed run does that again.
    bool end_epoch(double seconds, std::int64_t samples, double waited) {
        const double n = static_cast<double>(std::max<std::int64_t>(state.epoch_samples, 1));
        EpochEvent event;
        event.epoch = state.epoch + 1;
        event.update = state.update;
        event.loss = state.epoch_loss_sum / n;
        EpochValues values{{"loss", event.loss}};
        const auto& names = config.training.metrics;
        for (std::size_t i = 0; i < names.size(); ++i)
            values[names[i]] = event.metrics[names[i]] = state.epoch_metric_sums[i] / n;
        if (run.validation) {
            const Evaluation validation =
                evaluate(*run.executor, *run.validation.pipeline, *run.validation.targets, names,
                         [this] { return wait_for_turn(); });
            if (validation.samples < run.validation.pipeline->samples_per_epoch()) return false;
            values["val_loss"] = validation.loss;
            event.val_loss = validation.loss;
            event.val_metrics = validation.metrics;
            for (const auto& [name, value] : validation.metrics) values["val_" + name] = value;
        }
        event.seconds = seconds;
        event.samples_per_s = seconds > 0 ? static_cast<double>(samples) / seconds : 0.0;
        event.data_wait_share = seconds > 0 ? waited / seconds : 0.0;
        write_log([&] { log->add(event); });
        ++state.epoch;
        state.batch_in_epoch = 0;
        emit(event);
        save_epoch(values);
        return true;
    }

    void save_epoch(const EpochValues& values) {
        const CheckpointConfig& rule = config.training.checkpoint;
        const bool better = run.best->improves(values);
        state.best = run.best->best;
        if (!rule.enabled) return;
        if (better) save("best.h5", true);
        if (!rule.save_best_only) save("last.h5", false);
    }

    // A run that is killed loses at most this much, however long its epochs are.
    void save_if_due() {
        const auto now = std::chrono::steady_clock::now();
        const CheckpointConfig& rule = config.training.checkpoint;
        if (!rule.enabled || rule.save_best_only || now - last_saved < save_interval) return;
        save("last.h5", false);
    }

    bool save(const char* name, bool best) {
        last_saved = std::chrono::steady_clock::now();
        rate.pause();
        CheckpointEvent event{path_of(name), state.update, best, std::nullopt};
        try {
            checkpoint::save(*run.executor, state, compile_json(config.training), event.path);
            end.checkpoint = event.path;
        } catch (const Error& error) {
            event.failure = error;
        }
        flush_log();
        emit(event);
        rate.start();
        return !event.failure;
    }

    void train() {
        emit(StateEvent{RunState::running});
        if (state.epoch >= config.training.epochs)
            say(LogEvent::Level::warning,
                "all " + std::to_string(config.training.epochs) +
                    " epochs are done already; set training.epochs higher to go on");
        while (state.epoch < config.training.epochs)
            if (!train_epoch()) break;
        const bool stopped = state.epoch < config.training.epochs;
        if (stopped) emit(StateEvent{RunState::stopping});
        save("last.h5", false);
        if (!stopped && run.test) {
            const Evaluation test =
                evaluate(*run.executor, *run.test.pipeline, *run.test.targets,
                         config.training.metrics, [this] { return !stop_asked(); });
            if (test.samples == run.test.pipeline->samples_per_epoch()) {
                end.test_loss = test.loss;
                end.test_metrics = test.metrics;
            }
        }
        end.state = stopped ? RunState::stopped : RunState::finished;
    }

    void finish() noexcept try {
        end.seconds = rate.seconds();
        end.samples_per_s = rate.mean();
        end.peak_process_bytes = peak_process_bytes();
        if (!log) return;
        flush_log();
        try {
            end.picture = interop::write_curve_picture(options.run_directory, config.name).string();
        } catch (const Error& error) {
            if (state.update > 0) say(LogEvent::Level::warning, error.what());
        }
    } catch (const std::exception& error) {  // out of memory: the run itself has ended well
        say(LogEvent::Level::warning, std::string("the picture was not drawn: ") + error.what());
    }

    void fail(const Error& error) {
        end.state = RunState::failed;
        end.error = error;
    }
};

Trainer::Trainer(RunConfig config, RunOptions options, EventSink sink,
                 std::shared_ptr<Control> control)
    : impl_(std::make_unique<Impl>()) {
    impl_->config = std::move(config);
    impl_->options = std::move(options);
    impl_->sink = std::move(sink);
    impl_->control = control ? std::move(control) : std::make_shared<Control>();
    if (impl_->options.start_paused) impl_->control->command_ = Control::Command::pause;
}

Trainer::~Trainer() = default;

EndEvent Trainer::run() {
    try {
        impl_->prepare();
        impl_->train();
    } catch (const Error& error) {
        impl_->fail(error);
    } catch (const std::bad_alloc&) {
        impl_->fail(Error(ErrorCode::out_of_memory, "there is not enough memory", "",
                          "Use a smaller batch or close other programs"));
    } catch (const std::exception& error) {
        impl_->fail(Error(ErrorCode::internal, error.what()));
    }
    impl_->finish();
    impl_->emit(impl_->end);
    return impl_->end;
}

}  // namespace strata::train
