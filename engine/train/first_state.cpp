#include "engine/train/first_state.h"

#include "engine/core/error.h"
#include "engine/interop/keras_h5.h"
#include "engine/train/resume_check.h"

namespace strata::train {
namespace {

// With the number of processes, which the project leaves to the launcher.
Json project_as_run(const PreparedRun& run) {
    Json project = project_to_json(run.config);
    if (run.world->size() > 1) project["placement"]["ranks"] = run.world->size();
    return project;
}

checkpoint::TrainingState read_checkpoint(PreparedRun& run, const std::string& path,
                                          std::vector<graph::HostTensor>& tensors) {
    checkpoint::TrainingState state = checkpoint::load(*run.executor, path, &tensors);
    const Json now = project_as_run(run);
    if (const std::string key = first_difference(state.project, now); !key.empty())
        throw difference_error(key, state, now);
    if (std::string text = compare_data(state.fingerprint, run.fingerprint); !text.empty())
        run.warnings.push_back(std::move(text));
    const EpochSize epoch{run.train.pipeline->rows(), run.train.pipeline->samples_per_epoch(),
                          run.batches_per_epoch, run.updates_per_epoch};
    if (std::string text = take_other_batches(state, now, epoch); !text.empty())
        run.warnings.push_back(std::move(text));
    if (std::string text = other_scale(state.project, now); !text.empty())
        run.warnings.push_back(std::move(text));
    drop_changed(state.live, state.project, now);
    if (same_monitor(state.project, now)) run.keeper->set_best(state.best);
    run.learning_rate->restore(state.schedule);
    run.early_stopping->restore(state.early_stopping);
    return state;
}

void make_fresh(PreparedRun& run) {
    run.executor->initialize(run.config.training.seed);
    const std::string& weights = run.config.training.initial_weights;
    if (weights.empty() || !run.world->leads()) return;
    try {
        run.executor->restore(interop::read_keras_h5(weights).weights);
    } catch (const Error& error) {
        throw error.at("training.initial_weights");
    }
}

// From rank 0 to the others.
void share(PreparedRun& run, checkpoint::TrainingState& state,
           const std::vector<graph::HostTensor>& tensors) {
    World& world = *run.world;
    std::string text;
    world.together([&] {
        if (!world.leads()) return;
        state.best = run.keeper->best();
        state.schedule = run.learning_rate->state();
        state.early_stopping = run.early_stopping->state();
        text = state.to_json().dump();
    });
    world.broadcast(text);
    world.together([&] {
        if (world.leads()) return;
        state = checkpoint::TrainingState::from_json(parse_json(text, "rank 0"));
        run.keeper->set_best(state.best);
        run.learning_rate->restore(state.schedule);
        run.early_stopping->restore(state.early_stopping);
    });
    world.share_state(*run.executor, tensors);
}

}  // namespace

checkpoint::TrainingState set_weights(PreparedRun& run, const std::string& resume_from) {
    checkpoint::TrainingState state;
    state.seed = run.config.training.seed;
    std::vector<graph::HostTensor> tensors;  // of the checkpoint, on rank 0
    run.world->together([&] {
        if (run.world->leads() && !resume_from.empty())
            state = read_checkpoint(run, resume_from, tensors);
        else
            make_fresh(run);
        state.project = project_as_run(run);
        state.fingerprint = run.fingerprint;
    });
    if (run.world->size() > 1) share(run, state, tensors);
    return state;
}

}  // namespace strata::train
