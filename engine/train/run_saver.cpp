#include "engine/train/run_saver.h"

#include <filesystem>

#include "engine/core/error.h"
#include "engine/train/evaluation.h"

namespace strata::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kept_name = checkpoint::kept_file;
constexpr const char* average_name = checkpoint::average_file;

}  // namespace

RunSaver::RunSaver(PreparedRun& run, checkpoint::TrainingState& state, Stepper& stepper,
                   Reporter& report, EndEvent& end)
    : run_(run),
      state_(state),
      stepper_(stepper),
      report_(report),
      end_(end),
      writer_(end.run_directory, run.keeper->retention(end.run_directory)) {}

std::string RunSaver::path_of(const char* name) const {
    return (std::filesystem::path(end_.run_directory) / name).string();
}

void RunSaver::save_if_due(const std::function<EpochValues()>& values_so_far) {
    tell_written();
    const double seconds = std::chrono::duration<double>(Clock::now() - last_saved_).count();
    if (auto target =
            run_.keeper->after_update(state_.epoch + 1, state_.update, seconds, values_so_far))
        save({std::move(*target)}, false);
}

void RunSaver::save(std::vector<checkpoint::Target> targets, bool wait) {
    last_saved_ = Clock::now();
    const bool training = report_.rate.running();
    report_.rate.pause();
    stepper_.save_state();
    state_.best = run_.keeper->best();
    state_.early_stopping = run_.early_stopping->state();
    writer_.submit({run_.executor->model(), run_.executor->snapshot(true, writer_.buffers()),
                    state_, compile_json(run_.config.training)},
                   std::move(targets));
    report_.flush();
    if (wait) writer_.flush();
    tell_written();
    if (training) report_.rate.start();
}

void RunSaver::finish() {
    writer_.flush();
    tell_written();
}

void RunSaver::tell_written() {
    for (checkpoint::Written& written : writer_.finished()) {
        if (!written.failure && std::filesystem::path(written.path).filename() != kept_name)
            end_.checkpoint = written.path;
        report_.emit(CheckpointEvent{std::move(written.path), written.update, written.best,
                                     std::move(written.failure)});
    }
}

checkpoint::Target RunSaver::keep_weights() {
    // The average was validated, so it is what is kept.
    const bool averaged = run_.setup.ema_momentum && state_.update > 0;
    if (averaged) run_.executor->swap_average();
    kept_weights_ = run_.executor->snapshot(false, std::move(kept_weights_));
    if (averaged) run_.executor->swap_average();
    return {kept_name};
}

void RunSaver::find_kept_weights() {
    if (!run_.early_stopping->kept_epoch() ||
        !run_.config.training.early_stopping.restore_best_weights)
        return;
    try {
        interop::KerasFile file = interop::read_keras_h5(path_of(kept_name));
        kept_weights_ = std::move(file.weights);
        // As keep_weights(): what was validated.
        for (const graph::HostTensor& average : file.optimizer)
            for (graph::HostTensor& weight : kept_weights_)
                if (average.slot == graph::average_slot && weight.layer == average.layer &&
                    weight.role == average.role)
                    weight.values = average.values;
    } catch (const Error& error) {
        report_.warn(std::string("The weights that early stopping would put back are lost: ") +
                     error.what());
    }
}

void RunSaver::put_back_best() {
    const auto epoch = run_.early_stopping->kept_epoch();
    if (kept_weights_.empty() || !epoch) return;
    finish();
    run_.executor->restore(kept_weights_, false);
    if (run_.setup.ema_momentum) {  // they are the average, too: the test is on that
        run_.executor->swap_average();
        run_.executor->restore(kept_weights_, false);
        save({{kept_name}}, true);  // until now the file held them as the average only
    }
    report_.say("The weights of epoch " + std::to_string(*epoch + 1) +
                " are the best and were put back: " + path_of(kept_name));
    end_.checkpoint = path_of(kept_name);
}

void RunSaver::save_average() {
    run_.executor->swap_average();
    save({{average_name}}, true);
    run_.executor->swap_average();
}

}  // namespace strata::train
