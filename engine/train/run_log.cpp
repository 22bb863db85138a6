#include "engine/train/run_log.h"

namespace strata::train {

RunLog::RunLog(const std::string& directory, std::vector<std::string> metrics,
               std::optional<std::int64_t> resume_step)
    : metrics_(std::move(metrics)), file_(directory, resume_step) {}

void RunLog::add(const StepEvent& step) {
    const auto put = [&](std::string_view tag, double value) {
        file_.scalar(tag, step.update, static_cast<float>(value), step.wall_time);
    };
    // Of a skipped step only that it was: its update stands for the one before.
    put("loss_scale", step.loss_scale);
    if (step.skipped) return put("skipped", 1.0);
    put("loss", step.loss);
    for (std::size_t i = 0; i < metrics_.size(); ++i) put(metrics_[i], step.metrics[i]);
    put("learning_rate", step.learning_rate);
    put("gradient_norm", step.gradient_norm);
    put("samples_per_s", step.samples_per_s);
}

void RunLog::add(const MarkEvent& mark) {
    file_.scalar(std::string("mark/") + name_of(mark.kind), mark.update,
                 static_cast<float>(mark.value));
}

void RunLog::add(const EpochEvent& epoch) {
    const auto put = [&](const std::string& tag, double value) {
        file_.scalar(tag, epoch.update, static_cast<float>(value));
    };
    put("epoch_loss", epoch.loss);
    for (const auto& [name, value] : epoch.metrics) put("epoch_" + name, value);
    if (!epoch.val_loss) return;
    put("val_loss", *epoch.val_loss);
    for (const auto& [name, value] : epoch.val_metrics) put("val_" + name, value);
}

}  // namespace strata::train
