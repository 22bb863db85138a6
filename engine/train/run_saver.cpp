#include "engine/train/run_saver.h"

#include <filesystem>
#include <utility>

#include "engine/core/error.h"
#include "engine/io/atomic_file.h"
#include "engine/train/evaluation.h"

namespace strata::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kept_name = checkpoint::kept_file;
constexpr const char* average_name = checkpoint::average_file;

}  // namespace

RunSaver::RunSaver(PreparedRun& run, checkpoint::TrainingState& state, Stepper& stepper,
                   Reporter& report, EndEvent& end)
    : run_(run), state_(state), stepper_(stepper), report_(report), end_(end) {
    if (run.world->leads())
        writer_.emplace(end.run_directory, run.keeper->retention(end.run_directory));
}

std::string RunSaver::path_of(const char* name) const {
    return (std::filesystem::path(end_.run_directory) / name).string();
}

// It is there at once, but only the first checkpoint, which comes behind it, needs it on the disk:
// a disk that is slow just now delays no step.
void RunSaver::write_project(const std::string& path, const std::string& text) {
    auto file = std::make_unique<io::AtomicFile>(path);
    file->write(text);
    file->show();
    writer_->commit(std::move(file));
}

void RunSaver::save_if_due(const std::function<EpochValues()>& values_so_far) {
    if (!writer_) return;
    tell_written();
    const double seconds = std::chrono::duration<double>(Clock::now() - last_saved_).count();
    if (auto target =
            run_.keeper->after_update(state_.epoch + 1, state_.update, seconds, values_so_far))
        due_ = std::move(*target);
    if (due_ && run_.world->size() == 1) save_due();
}

void RunSaver::save_due() {
    std::vector<checkpoint::Target> targets;
    if (due_) targets.push_back(*std::exchange(due_, std::nullopt));
    save(std::move(targets), false);
}

void RunSaver::save(std::vector<checkpoint::Target> targets, bool wait) {
    if (!writer_) {
        run_.executor->snapshot(true);
        return;
    }
    last_saved_ = Clock::now();
    const World::Patience patience(*run_.world);
    const bool training = report_.rate.running();
    report_.rate.pause();
    report_.flush();
    state_.log = report_.log_position();
    stepper_.save_state();
    state_.best = run_.keeper->best();
    state_.early_stopping = run_.early_stopping->state();
    writer_->submit({run_.executor->model(), run_.executor->snapshot(true, writer_->buffers()),
                     state_, compile_json(run_.config.training)},
                    std::move(targets));
    if (wait) writer_->flush();
    tell_written();
    if (training) report_.rate.start();
}

void RunSaver::finish() {
    if (!writer_) return;
    const World::Patience patience(*run_.world);
    writer_->flush();
    tell_written();
}

void RunSaver::tell_written() {
    for (checkpoint::Written& written : writer_->finished()) {
        if (!written.checkpoint) {
            report_.warn(written.failure->what());
            continue;
        }
        const std::string name = std::filesystem::path(written.path).filename().string();
        if (name == kept_name)
            kept_is_written_ = !written.failure;
        else if (!written.failure)
            end_.checkpoint = written.path;
        if (name == CheckpointKeeper::last().path) last_failure_ = written.failure;
        // A full disk fails at each save: it is told once for each file.
        if (!written.failure)
            failing_.erase(name);
        else if (!failing_.insert(name).second)
            continue;
        report_.emit(CheckpointEvent{std::move(written.path), written.update, written.best,
                                     std::move(written.failure)});
    }
}

void RunSaver::require_last() const {
    if (!last_failure_) return;
    end_.checkpoint.clear();
    throw Error(ErrorCode::io, "the result of this run is not saved: " + last_failure_->message(),
                last_failure_->where(),
                "Make room for it; --resume goes on from the last checkpoint that was written");
}

checkpoint::Target RunSaver::keep_weights() {
    // The average was validated, so it is what is kept.
    const bool averaged = run_.setup.ema_momentum && state_.update > 0;
    if (averaged) run_.executor->swap_average();
    kept_weights_ = run_.executor->snapshot(false, std::move(kept_weights_));
    if (averaged) run_.executor->swap_average();
    kept_is_written_ = false;
    return {kept_name};
}

// Whether the file holds the weights of the end of `epoch` (from 0); they are taken then.
bool RunSaver::take_kept_weights(const std::string& path, std::int64_t epoch) {
    const bool is_kept_file = path == path_of(kept_name);
    interop::KerasFile file = interop::read_keras_h5(path);
    const auto state = checkpoint::TrainingState::from_json(file.training_state);
    EarlyStopping then = *run_.early_stopping;
    then.restore(state.early_stopping);
    if (is_kept_file ? then.kept_epoch() != epoch
                     : state.epoch != epoch + 1 || state.batch_in_epoch != 0)
        return false;
    kept_weights_ = std::move(file.weights);
    // As keep_weights(): what was validated.
    for (const graph::HostTensor& average : file.optimizer)
        for (graph::HostTensor& weight : kept_weights_)
            if (average.slot == graph::average_slot && weight.layer == average.layer &&
                weight.role == average.role)
                weight.values = average.values;
    kept_is_written_ = is_kept_file;
    return true;
}

void RunSaver::find_kept_weights(const std::string& resumed_from) {
    const auto epoch = run_.early_stopping->kept_epoch();
    if (!epoch || !run_.config.training.early_stopping.restore_best_weights) return;
    std::string reason = std::string(kept_name) + " is of another epoch";
    for (const std::string& path : {path_of(kept_name), resumed_from, path_of("best.h5")}) {
        try {
            if (take_kept_weights(path, *epoch)) return;
        } catch (const Error& error) {
            if (path == path_of(kept_name)) reason = error.what();
        }
    }
    report_.warn("The weights of epoch " + std::to_string(*epoch + 1) +
                 ", which early stopping would put back, are lost: " + reason +
                 ". Those of a better epoch will be, if one comes");
}

void RunSaver::share_kept_weights() {
    run_.world->together([&] {
        if (run_.world->leads()) run_.executor->restore(kept_weights_, false);
    });
    run_.world->share_state(*run_.executor);
}

void RunSaver::put_back_best() {
    const auto epoch = run_.early_stopping->kept_epoch();
    if (!epoch || !run_.config.training.early_stopping.restore_best_weights) return;
    const std::string which = "weights of epoch " + std::to_string(*epoch + 1);
    if (!run_.world->any(run_.world->leads() && !kept_weights_.empty()))
        return report_.warn("The " + which + " are the best, but are lost: nothing was put back");
    finish();
    const bool averages = run_.setup.ema_momentum.has_value();
    share_kept_weights();
    if (averages) {  // they are the average, too: the test is on that
        run_.executor->swap_average();
        share_kept_weights();
    }
    // With averages the file held them as the average only until now.
    if (run_.world->any(run_.world->leads() && (averages || !kept_is_written_)))
        save({{kept_name}}, true);
    if (run_.world->leads() && !kept_is_written_)
        return report_.warn("The " + which + " are the best and are what is tested, but " +
                            path_of(kept_name) + " could not be written");
    if (!run_.world->leads()) return;
    report_.say("The " + which + " are the best and were put back: " + path_of(kept_name));
    end_.checkpoint = path_of(kept_name);
}

void RunSaver::save_average() {
    run_.executor->swap_average();
    save({{average_name}}, true);
    run_.executor->swap_average();
}

}  // namespace strata::train
