#include "engine/train/trainer.h"

#include <filesystem>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/interop/curve_picture.h"
#include "engine/io/atomic_file.h"
#include "engine/io/paths.h"
#include "engine/layers/text.h"
#include "engine/train/control_file.h"
#include "engine/train/examiner.h"
#include "engine/train/first_state.h"
#include "engine/train/prepared_run.h"
#include "engine/train/rank_devices.h"
#include "engine/train/reporter.h"
#include "engine/train/requests.h"
#include "engine/train/run_directory.h"
#include "engine/train/run_saver.h"
#include "engine/train/stepper.h"

namespace strata::train {

namespace fs = std::filesystem;

struct Trainer::Impl {
    Impl(RunConfig c, RunOptions o, EventSink sink, std::shared_ptr<Control> asked)
        : config(std::move(c)),
          options(std::move(o)),
          world(options.world != nullptr ? *options.world : alone),
          requests(asked ? std::move(asked) : std::make_shared<Control>()),
          report(world.leads() ? std::move(sink) : EventSink()) {
        if (options.start_paused) requests.start_paused();
    }

    RunConfig config;
    RunOptions options;
    World alone;
    World& world;
    Requests requests;
    Reporter report;

    PreparedRun run;
    checkpoint::TrainingState state;
    std::unique_ptr<Stepper> stepper;
    DirectoryLock lock;
    EndEvent end;
    std::unique_ptr<RunSaver> saver;
    std::unique_ptr<Doctor> doctor;  // null where none is wanted
    std::unique_ptr<Examiner> examiner;
    bool shows_average = false;  // the executor, in the place of the trained weights

    Requests::Run now() {
        return {state,  *stepper,     *saver,
                report, doctor.get(), config.training.clipping.type != Clipping::none,
                world};
    }

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
        remove_control_file(options.run_directory);
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
            report.warn(fs::path(path).filename().string() + " is damaged");
        if (found.empty())
            throw Error(ErrorCode::not_found, "there is no checkpoint to go on from",
                        options.run_directory, "Train without --resume to begin a new run");
        report.say("Going on from " + found);
        return found;
    }

    void prepare() {
        report.emit(StateEvent{RunState::preparing});
        run = prepare_run(config, world);
        config = run.config;
        std::string resumed_from;
        world.together([&] {
            if (!world.leads()) return;
            make_run_directory();
            resumed_from = find_checkpoint();
        });
        state = set_weights(run, resumed_from);
        stepper = std::make_unique<Stepper>(run, state);
        saver = std::make_unique<RunSaver>(run, state, *stepper, report, end);
        if (options.doctor) call_doctor();
        PlanEvent plan;
        world.together([&] { plan = plan_of(run); });
        std::vector<std::string> devices;
        for (const PlanEvent::Device& device : plan.devices) devices.push_back(device.name);
        join_devices(plan, world);
        world.together([&] {
            if (world.leads()) begin_records(resumed_from, plan);
            watch(devices, plan);
        });
    }

    void watch(const std::vector<std::string>& devices, const PlanEvent& plan) {
        std::vector<std::string> joined;
        if (world.size() > 1)
            for (const PlanEvent::Device& device : plan.devices) joined.push_back(device.name);
        report.watch(devices, std::move(joined));
    }

    void begin_records(const std::string& resumed_from, PlanEvent& plan) {
        saver->write_project(path_of("project.strata"), pretty_json(project_to_json(run.config)));
        report.open_log(options.run_directory, config.training.metrics,
                        options.resume ? std::optional(state.update + 1) : std::nullopt, state.log);
        announce(plan);
        if (options.resume) {
            report.mark(MarkEvent::Kind::resumed, state.update, 0.0, "went on from a checkpoint");
            saver->find_kept_weights(resumed_from);
        }
    }

    void call_doctor() {
        doctor = std::make_unique<Doctor>(
            doctor_setup(run), [this](FindingEvent finding) { report.emit(std::move(finding)); });
        examiner = std::make_unique<Examiner>(*run.executor, config.data.pipeline.batch_size, world,
                                              *doctor);
    }

    void announce(PlanEvent& plan) {
        plan.first_update = state.update;
        plan.first_sample = state.samples;
        plan.run_directory = options.run_directory;
        report.announce(run, plan);
    }

    // ---- epochs

    // False where it was stopped.
    bool train_epoch() {
        if (state.batch_in_epoch == 0) {
            state.epoch_loss_sum = 0.0;
            state.epoch_samples = 0;
            state.epoch_metric_sums.assign(config.training.metrics.size(), 0.0);
        }
        data::Pipeline& pipeline = *run.train.pipeline;
        const double begin = report.rate.seconds();
        const std::int64_t before = report.rate.samples();
        pipeline.start_epoch(state.epoch, state.batch_in_epoch);
        report.rate.start();
        while (state.batch_in_epoch < run.batches_per_epoch) {
            if (!requests.wait_for_step(now())) return false;
            if (examiner) examiner->begin_step();
            const StepOutcome outcome = stepper->step();
            if (outcome.samples == 0) break;
            report.step(outcome, state);
            if (!outcome.warning.empty()) report.warn(outcome.warning);
            report.pipeline(pipeline);
            report.timeline(*run.executor, state.update);
            report.monitor(state.update);
            if (examiner) examine(outcome);
            if (outcome.applied) saver->save_if_due([this] { return values_so_far(); });
        }
        // Of several ranks: what was due after the last update.
        if (world.size() > 1 && world.any(saver->has_due())) saver->save_due();
        report.rate.pause();
        return end_epoch(report.rate.seconds() - begin, report.rate.samples() - before,
                         pipeline.wait_seconds());
    }

    void examine(const StepOutcome& outcome) {
        examiner->look_at_pipeline(*run.train.pipeline);
        if (!outcome.applied) return;
        const auto n = static_cast<double>(outcome.samples);
        const data::Batch* batch = outcome.batch;
        examiner->after_step({state.update, state.epoch + 1, outcome.samples, outcome.loss_sum / n,
                              outcome.gradient_norm},
                             batch == nullptr ? nullptr : batch->samples.data(),
                             batch == nullptr ? 0 : batch->size, 1.0 / (outcome.loss_scale * n));
    }

    // The values of the epoch so far, without validation.
    EpochValues values_so_far() const {
        const double n = static_cast<double>(std::max<std::int64_t>(state.epoch_samples, 1));
        EpochValues values{{"loss", state.epoch_loss_sum / n}};
        for (std::size_t i = 0; i < state.epoch_metric_sums.size(); ++i)
            values[config.training.metrics[i]] = state.epoch_metric_sums[i] / n;
        return values;
    }

    void swap_average() {
        run.executor->swap_average();
        shows_average = !shows_average;
    }

    // On the average of the weights, where there is one.
    Evaluation evaluate_part(DataPart& part, const std::function<bool()>& may_go_on) {
        const auto keep_going = [&] {
            report.monitor(state.update);
            return may_go_on();
        };
        if (!run.setup.ema_momentum || state.update == 0)
            return evaluate(*run.executor, *part.pipeline, *part.targets, config.training.metrics,
                            world, keep_going);
        swap_average();
        try {
            Evaluation result = evaluate(*run.executor, *part.pipeline, *part.targets,
                                         config.training.metrics, world, keep_going);
            swap_average();
            return result;
        } catch (...) {
            swap_average();
            throw;
        }
    }

    // False where it was stopped in the validation: a resumed run does that again.
    bool end_epoch(double seconds, std::int64_t samples, double waited) {
        EpochEvent event;
        EpochValues values = values_so_far();
        event.epoch = state.epoch + 1;
        event.update = state.update;
        event.loss = values.at("loss");
        for (const std::string& name : config.training.metrics) event.metrics[name] = values[name];
        if (run.validation) {
            // A checkpoint or a pause meanwhile must see the trained weights.
            const auto keep_going = [this] {
                return run.setup.ema_momentum ? !requests.stop_asked()
                                              : requests.wait_for_batch(now());
            };
            const Evaluation validation = evaluate_part(run.validation, keep_going);
            if (validation.samples < run.validation.pipeline->samples_per_epoch()) return false;
            values["val_loss"] = validation.loss;
            event.val_loss = validation.loss;
            event.val_metrics = validation.metrics;
            for (const auto& [name, value] : validation.metrics) values["val_" + name] = value;
        }
        event.seconds = seconds;
        event.samples_per_s = seconds > 0 ? static_cast<double>(samples) / seconds : 0.0;
        event.data_wait_share = seconds > 0 ? waited / seconds : 0.0;
        ++state.epoch;
        state.batch_in_epoch = 0;
        report.epoch(event);
        if (doctor) doctor->after_epoch(state.epoch, values);
        after_epoch(values);
        return true;
    }

    void after_epoch(const EpochValues& values) {
        if (run.learning_rate->end_epoch(values)) {
            const double rate = stepper->learning_rate();
            report.mark(MarkEvent::Kind::learning_rate, state.update, rate,
                        "no better " + run.learning_rate->monitor() +
                            ": learning rate lowered to " + layers::number_text(rate));
        }
        const EarlyStopping::Decision decision =
            run.early_stopping->after_epoch(state.epoch - 1, values);
        std::vector<checkpoint::Target> targets =
            run.keeper->after_epoch(state.epoch, state.update, values);
        if (decision.keep_weights) targets.push_back(saver->keep_weights());
        if (!targets.empty()) saver->save(std::move(targets), false);
        if (!decision.stop) return;
        end.reason = run.early_stopping->reason();
        report.mark(MarkEvent::Kind::early_stop, state.update, 0.0, "stopped early: " + end.reason);
    }

    // ---- the run

    void train() {
        report.emit(StateEvent{RunState::running});
        const std::int64_t begun_at = windows();
        if (state.epoch >= config.training.epochs)
            report.warn(std::string(config.training.epochs == 1 ? "the " : "all ") +
                        counted(config.training.epochs, "epoch is", "epochs are") +
                        " done already; set training.epochs higher to go on");
        try {
            while (state.epoch < config.training.epochs && end.reason.empty())
                if (!train_epoch()) break;
        } catch (...) {
            world.fail(current_fault());
            save_last_good(begun_at);
            throw;
        }
        const bool finished = state.epoch >= config.training.epochs || !end.reason.empty();
        if (!finished) report.emit(StateEvent{RunState::stopping});
        saver->save({CheckpointKeeper::last()}, true);
        saver->put_back_best();
        if (finished) test();
        if (finished && run.setup.ema_momentum) saver->save_average();
        world.together([&] { saver->require_last(); });
        end.state = finished ? RunState::finished : RunState::stopped;
    }

    std::int64_t windows() const { return state.update + state.skipped_steps; }

    // RELIABILITY 19, 20: where the data or the numbers end a run, what it had learnt before stays.
    void save_last_good(std::int64_t begun_at) noexcept try {
        if (!world.is_whole()) return;  // the others are gone, or do not know of the fault
        if (!world.any(!stepper->is_whole() || shows_average || windows() == begun_at))
            saver->save({CheckpointKeeper::last()}, true);
    } catch (const std::exception& error) {  // the run ends with another fault
        report.warn(std::string("The last update was not saved: ") + error.what());
    }

    void test() {
        if (!run.test) return;
        const Evaluation test = evaluate_part(run.test, [this] { return !requests.stop_asked(); });
        if (test.samples < run.test.pipeline->samples_per_epoch()) return;
        end.test_loss = test.loss;
        end.test_metrics = test.metrics;
    }

    void finish() noexcept try {
        if (saver) saver->finish();
        end.seconds = report.rate.seconds();
        end.samples_per_s = report.rate.mean();
        end.peak_process_bytes = peak_process_bytes();
        end.skipped_steps = state.skipped_steps;
        if (!report.has_log()) return;
        const World::Patience patience(world);
        report.flush();
        try {
            end.picture = interop::write_curve_picture(options.run_directory, config.name).string();
        } catch (const Error& error) {
            if (state.update > 0) report.warn(error.what());
        }
    } catch (const std::exception& error) {  // out of memory: the run itself has ended well
        report.warn(std::string("the picture was not drawn: ") + error.what());
    }

    void fail(const Error& error) {
        end.state = RunState::failed;
        end.error = error;
        world.fail(error);
    }
};

Trainer::Trainer(RunConfig config, RunOptions options, EventSink sink,
                 std::shared_ptr<Control> control)
    : impl_(std::make_unique<Impl>(std::move(config), std::move(options), std::move(sink),
                                   std::move(control))) {}

Trainer::~Trainer() = default;

EndEvent Trainer::run() {
    try {
        impl_->prepare();
        impl_->train();
    } catch (...) {
        impl_->fail(current_fault());
    }
    impl_->finish();
    impl_->report.emit(impl_->end);
    return impl_->end;
}

}  // namespace strata::train
