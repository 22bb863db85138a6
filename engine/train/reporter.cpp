#include "engine/train/reporter.h"

#include <cctype>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/train/pipeline_json.h"
#include "engine/train/rank_devices.h"

namespace strata::train {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto second = std::chrono::seconds(1);

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string sentence(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(text[0]));
    return text;
}

}  // namespace

void Reporter::open_log(const std::string& directory, const std::vector<std::string>& metrics,
                        std::optional<std::int64_t> resume_step, const Json& position) {
    if (resume_step) cut_log(directory, position);
    log_ = std::make_unique<RunLog>(directory, metrics, resume_step);
}

template <typename Write>
void Reporter::write(Write&& to_log) {
    if (!log_) return;
    try {
        to_log(*log_);
    } catch (const Error& error) {
        if (!log_failed_) warn(error.what());
        log_failed_ = true;
    }
}

void Reporter::flush() {
    write([](RunLog& log) { log.flush(); });
}

void Reporter::announce(const PreparedRun& run, const PlanEvent& plan) const {
    const RunConfig& config = run.config;
    const data::Source& source = *run.train.source;
    emit(plan);
    say("Training data: " + source.description() + "; " + grouped(plan.train_samples) +
        " to train, " + grouped(plan.validation_samples) + " to validate");
    if (const int ranks = run.world->size(); ranks > 1)
        say(std::to_string(ranks) + " processes train together; a batch of all has " +
            counted(config.data.pipeline.batch_size * config.placement.replicas * ranks, "sample"));
    for (const std::string& warning : run.warnings) warn(warning);
    for (const std::string& warning : source.warnings()) warn(warning);
    for (const std::string& warning : pipeline_warnings(config.data)) warn(warning);
    if (!config.data.cache && source.in_memory())
        say("The samples are held in memory without a cache, too");
    if (config.training.checkpoint.enabled &&
        run.keeper->monitor() != config.training.checkpoint.monitor)
        say("There are no validation data: the best checkpoint is the one with the lowest loss");
    for (const std::string& fusion : plan.fusions) say("Planned: " + fusion);
}

void Reporter::step(const StepOutcome& outcome, const checkpoint::TrainingState& state) {
    const auto now = Clock::now();
    if (resident_bytes_ == 0 || now - resident_read_ > second) {
        resident_bytes_ = process_bytes();
        resident_read_ = now;
    }
    rate.add(outcome.samples);
    StepEvent event;
    const auto n = static_cast<double>(outcome.samples);
    event.update = state.update;
    event.epoch = state.epoch + 1;
    event.loss = outcome.loss_sum / n;
    for (double sum : outcome.metric_sums) event.metrics.push_back(sum / n);
    event.learning_rate = outcome.learning_rate;
    event.gradient_norm = outcome.gradient_norm;
    event.samples_per_s = rate.samples_per_s();
    event.wall_time = seconds_since_1970();
    event.samples = state.samples;
    event.process_bytes = resident_bytes_;
    event.loss_scale = outcome.loss_scale;
    event.skipped = !outcome.applied;
    event.clip_limit = outcome.clip_limit;
    write([&](RunLog& log) { log.add(event); });
    emit(event);
    if (outcome.new_loss_scale)
        mark(MarkEvent::Kind::loss_scale, state.update, *outcome.new_loss_scale,
             std::string(outcome.applied ? "the loss scale doubled"
                                         : "a step was skipped, its "
                                           "gradient overflowed; the "
                                           "loss scale halved"));
}

void Reporter::epoch(const EpochEvent& event) {
    write([&](RunLog& log) { log.add(event); });
    emit(event);
}

void Reporter::mark(MarkEvent::Kind kind, std::int64_t update, double value, std::string text) {
    const MarkEvent event{kind, update, value, std::move(text)};
    write([&](RunLog& log) { log.add(event); });
    emit(event);
}

void Reporter::pipeline(const data::Pipeline& pipeline) {
    const auto now = Clock::now();
    if (now - pipeline_told_ < second) return;
    pipeline_told_ = now;
    PipelineEvent event;
    const std::vector<data::StageStatistics> stages = pipeline.statistics();
    for (const data::StageStatistics& stage : stages)
        event.stages.push_back({stage.name, stage.samples_per_s, stage.busy, stage.fill,
                                stage.capacity, stage.threads});
    event.wait_share = pipeline.wait_share();
    event.sentence = sentence(data::wait_text(event.wait_share)) + "; " +
                     data::limit_text(stages, event.wait_share);
    emit(event);
}

void Reporter::timeline(const graph::ModelExecutor& executor, std::int64_t update) {
    const auto now = Clock::now();
    if (now - timeline_seen_ < second / 8) return;
    std::optional<TimelineEvent> seen = timeline_of(executor);
    if (!seen) return;
    timeline_seen_ = now;
    seen->update = update;
    timelines_.push_back(std::move(*seen));
    if (now - timeline_told_ < second) return;
    timeline_told_ = now;
    const TimelineEvent event = typical(std::exchange(timelines_, {}));
    write([&](RunLog& log) { log.add(event); });
    emit(event);
}

void Reporter::watch(const std::vector<std::string>& devices, std::vector<std::string> joined) {
    joined_devices_ = std::move(joined);
    watch_ = std::make_unique<DeviceWatch>(devices);
}

void Reporter::tell(MonitorEvent event, std::int64_t update) {
    event.update = update;
    write([&](RunLog& log) { log.add(event); });
    emit(event);
}

void Reporter::monitor(std::int64_t update) {
    if (!has_readings() || !joined_devices_.empty()) return;
    for (MonitorEvent& event : watch_->take()) tell(std::move(event), update);
}

void Reporter::monitor_ranks(std::int64_t update, World& world) {
    if (has_readings())
        if (std::vector<MonitorEvent> news = watch_->take(); !news.empty())
            last_reading_ = std::move(news.back());
    MonitorEvent all = join_readings(last_reading_, joined_devices_, world);
    if (world.leads()) tell(std::move(all), update);
}

}  // namespace strata::train
