#include "engine/train/examiner.h"

#include <algorithm>

namespace strata::train {
namespace {

constexpr double allowed_share = 0.01;
// The first look comes when caches and threads are warm; later ones are never closer.
constexpr std::int64_t fewest_steps = 10;
// The first ones come in any case: a short run is over before there is time to spare.
constexpr std::int64_t first_looks = 10, first_steps = 50;
constexpr std::int64_t probed_samples = 32;  // as many as Executor::probe takes

}  // namespace

DoctorSetup doctor_setup(const PreparedRun& run) {
    const TrainingConfig& training = run.config.training;
    const data::PipelineOptions& pipeline = run.config.data.pipeline;
    DoctorSetup setup;
    setup.learning_rate = run.setup.optimizer_config.number("learning_rate");
    setup.clips = training.clipping.type != Clipping::none;
    setup.stops_early = training.early_stopping.enabled;
    setup.map_threads = pipeline.map_threads;
    setup.fixed_prefetch = pipeline.prefetch > 0 && !pipeline.autotune;
    for (const graph::LayerNode& layer : run.executor->model().layers) {
        const Json& config = layer.config.json();
        const auto activation = config.find("activation");
        if (activation != config.end() && activation->is_string())
            setup.activations[layer.name] = *activation;
    }
    return setup;
}

void Examiner::begin_step() {
    step_began_ = Clock::now();
}

void Examiner::after_step(const StepValues& values, const void* batch, std::int64_t size,
                          double gradient_scale) {
    const Clock::time_point begin = Clock::now();
    const double step = std::chrono::duration<double>(begin - step_began_).count();
    step_seconds_ += step;
    credit_ = std::min(credit_ + allowed_share * step, 2.0 * std::max(cost_, step));
    doctor_.after_step(values);
    ++steps_since_;
    // Rank 0's clock decides, and does not ask at every step.
    const bool asks = world_.size() == 1 || values.update % fewest_steps == 0;
    if (asks && world_.any(world_.leads() && is_due(size))) {
        look(batch, size, gradient_scale);
        steps_since_ = 0;
    }
    const double took = since(begin);
    credit_ -= took;
    own_ += took;
}

// A short batch would need a plan of its own.
bool Examiner::is_due(std::int64_t size) const {
    return size >= std::min(full_batch_, probed_samples) &&
           ((credit_ >= cost_ && steps_since_ >= fewest_steps) ||
            (looks_ < first_looks && steps_since_ >= first_steps));
}

void Examiner::look(const void* batch, std::int64_t size, double gradient_scale) {
    const Clock::time_point begin = Clock::now();
    doctor_.layer_gradients(executor_.gradient_norms(gradient_scale));
    if (world_.leads()) doctor_.layer_activity(executor_.probe(batch, size));
    const double took = since(begin);
    // The first one finds caches and threads cold and says little of those to come.
    if (looks_++ == 0)
        credit_ = took;
    else
        cost_ = cost_ > 0.0 ? 0.5 * (cost_ + took) : took;
}

void Examiner::look_at_pipeline(const data::Pipeline& pipeline) {
    if (step_seconds_ < 1.0) return;
    const double waited = pipeline.wait_seconds();
    // It counts from an epoch's begin.
    const double more = waited < waited_before_ ? waited : waited - waited_before_;
    const auto stages = pipeline.statistics();
    const int busiest = data::busiest_stage(stages);
    doctor_.data_wait(std::min(more, step_seconds_), step_seconds_,
                      data::limit_text(stages, more / step_seconds_),
                      busiest < 0 ? "" : stages[static_cast<std::size_t>(busiest)].name);
    waited_before_ = waited;
    step_seconds_ = 0.0;
}

}  // namespace strata::train
