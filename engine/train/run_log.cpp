#include "engine/train/run_log.h"

#include <algorithm>
#include <filesystem>

#include "engine/io/file.h"
#include "engine/train/figures.h"

namespace strata::train {
namespace {

namespace fs = std::filesystem;

// Of this log, in the order in which they were written.
std::vector<std::string> event_files(const fs::path& directory) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
        std::string name = entry.path().filename().string();
        if (name.starts_with("events.out.tfevents.") && fs::is_regular_file(entry.symlink_status()))
            names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

RunLog::RunLog(const std::string& directory, std::vector<std::string> metrics,
               std::optional<std::int64_t> resume_step)
    : metrics_(std::move(metrics)), file_(directory, resume_step) {}

Json RunLog::position() const {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file_.path(), error);
    if (error) return Json();
    return {{"file", file_.path().filename().string()}, {"bytes", bytes}};
}

void cut_log(const std::string& directory, const Json& position) {
    if (!position.is_object() || !position.value("bytes", Json()).is_number_unsigned()) return;
    const std::string last = get_string(position, "file", "", "log");
    const std::vector<std::string> names = event_files(directory);
    const auto found = std::find(names.begin(), names.end(), last);
    if (found == names.end()) return;
    try {
        const fs::path file = fs::path(directory) / last;
        const auto bytes = position["bytes"].get<std::uintmax_t>();
        if (fs::file_size(file) > bytes) fs::resize_file(file, bytes);
        for (auto later = found + 1; later != names.end(); ++later)
            fs::remove(fs::path(directory) / *later);
    } catch (const fs::filesystem_error& error) {
        throw io::system_error("shorten the log", error.path1(), error.code().value());
    }
}

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

void RunLog::add(const TimelineEvent& timeline) {
    file_.scalar("idle_share", timeline.update, static_cast<float>(timeline.idle_share));
}

void RunLog::add(const MonitorEvent& monitor) {
    for (const MonitorEvent::Device& device : monitor.devices) {
        const auto put = [&](const char* figure, auto value) {
            if (value)
                file_.scalar("devices/" + device.name + "/" + figure, monitor.update,
                             static_cast<float>(*value), monitor.wall_time);
        };
        for (const auto& [name, figure] : byte_figures) put(name, device.reading.*figure);
        for (const auto& [name, figure] : figures) put(name, device.reading.*figure);
    }
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
