#include "app/cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/cli/table.h"
#include "engine/core/text.h"
#include "engine/io/file.h"
#include "engine/parallel/launcher.h"

namespace strata::cli {
namespace {

constexpr auto redraw_every = std::chrono::milliseconds(100);

int terminal_columns(std::FILE* out) {
    winsize size{};
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

std::string rate_text(double samples_per_s) {
    return grouped(std::llround(samples_per_s)) + " samples/s";
}

std::string error_text(const Error& error) {
    std::string text = error.where().empty() ? "" : error.where() + ": ";
    text += error.message();
    if (!error.hint().empty()) text += ". " + error.hint();
    return text;
}

// As a shell reads it.
std::string shell_word(const std::string& word) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return c >= 0x80 || std::isalnum(c) != 0 ||
               std::string_view("-_./+:@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain) return word;
    std::string text = "'";
    for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace

std::string duration_text(double seconds) {
    const auto whole = std::llround(std::max(seconds, 0.0));
    const auto two = [](std::int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    const std::string tail = two(whole % 60);
    if (whole < 3600) return std::to_string(whole / 60) + ":" + tail;
    return std::to_string(whole / 3600) + ":" + two(whole / 60 % 60) + ":" + tail;
}

void Progress::show(const train::Event& event) {
    std::visit([this](const auto& one) { show(one); }, event);
}

void Progress::show(const train::PlanEvent& plan) {
    plan_ = plan;
    epoch_ = 0;
    line("Device    " + plan.device +
         (plan.device_description.empty() ? "" : " (" + plan.device_description + ")"));
    line("Model     " + counted(plan.parameters, "parameter") + ", " +
         io::byte_text(plan.memory.total()) + " of memory planned");
    line("Run       " + plan.run_directory);
}

// A run that goes on with another number of processes has had epochs of other lengths: where it
// does within one, the samples say how far that is.
void Progress::follow(const train::StepEvent& step) {
    if (step.epoch == epoch_) return;
    updates_before_ = step.update - 1;
    if (epoch_ == 0 && step.update > 1 && plan_.train_samples > 0) {
        const auto total = static_cast<double>(std::max<std::int64_t>(plan_.updates_per_epoch, 1));
        const auto epoch = static_cast<double>(plan_.train_samples);
        const double shown =
            static_cast<double>(step.samples) - static_cast<double>(step.epoch - 1) * epoch;
        updates_before_ =
            step.update - std::clamp<std::int64_t>(std::llround(shown / epoch * total), 1,
                                                   std::min(step.update, plan_.updates_per_epoch));
    }
    epoch_ = step.epoch;
}

std::string Progress::bar(const train::StepEvent& step) const {
    const std::int64_t total = std::max<std::int64_t>(plan_.updates_per_epoch, 1);
    const std::int64_t done = std::min(step.update - updates_before_, total);
    const std::string head =
        "Epoch " + std::to_string(step.epoch) + "/" + std::to_string(plan_.epochs) + " ";
    // What a narrow terminal cannot hold is left out from the end.
    std::vector<std::string> parts{" " + std::to_string(done) + "/" + std::to_string(total)};
    parts.push_back("  loss " + fixed(step.loss, 4));
    if (!step.metrics.empty())
        parts.push_back("  " + plan_.metrics[0] + " " + fixed(step.metrics[0], 4));
    if (step.samples_per_s > 0) {
        const double left = static_cast<double>(plan_.epochs * plan_.train_samples) -
                            static_cast<double>(step.samples);
        parts.push_back("  " + duration_text(left / step.samples_per_s) + " left");
        parts.push_back("  " + rate_text(step.samples_per_s));
    }
    parts.push_back(load_);
    constexpr std::size_t fewest_cells = 8, most_cells = 30;
    const auto columns = static_cast<std::size_t>(std::max(terminal_columns(out_) - 1, 1));
    std::string tail;
    for (const std::string& part : parts)
        if (head.size() + fewest_cells + tail.size() + part.size() <= columns) tail += part;
    const std::size_t used = head.size() + tail.size();
    if (used + fewest_cells > columns) return head.substr(0, columns);
    const std::size_t cells = std::min(most_cells, columns - used);
    const std::size_t full =
        static_cast<std::size_t>(done) * cells / static_cast<std::size_t>(total);
    std::string drawn;
    for (std::size_t i = 0; i < cells; ++i) drawn += i < full ? "█" : "░";
    return head + drawn + tail;
}

void Progress::show(const train::StepEvent& step) {
    follow(step);
    if (!live_) return;
    const auto now = std::chrono::steady_clock::now();
    if (drawn_ && now - last_drawn_ < redraw_every) return;
    std::fprintf(out_, "\r%s\x1b[K", bar(step).c_str());
    std::fflush(out_);
    drawn_ = true;
    last_drawn_ = now;
}

void Progress::show(const train::MonitorEvent& monitor) {
    load_.clear();
    for (const train::MonitorEvent::Device& device : monitor.devices) {
        const device::Reading& reading = device.reading;
        std::string figures;
        if (reading.utilisation)
            figures += " " + std::to_string(std::lround(*reading.utilisation * 100.0)) + " %";
        // A GPU's memory is the run's for the most part, a machine's is not.
        const auto bytes = reading.program_bytes ? reading.program_bytes : reading.used_bytes;
        if (bytes) figures += " " + io::byte_text(*bytes);
        if (!figures.empty()) load_ += "  " + device.name + figures;
    }
}

void Progress::show(const train::EpochEvent& epoch) {
    std::string text = "Epoch " + std::to_string(epoch.epoch) + "/" + std::to_string(plan_.epochs) +
                       "  loss " + fixed(epoch.loss, 4);
    for (const auto& [name, value] : epoch.metrics) text += "  " + name + " " + fixed(value, 4);
    if (epoch.val_loss) text += "  val_loss " + fixed(*epoch.val_loss, 4);
    for (const auto& [name, value] : epoch.val_metrics)
        text += "  val_" + name + " " + fixed(value, 4);
    line(text + "  " + duration_text(epoch.seconds) + "  " + rate_text(epoch.samples_per_s));
}

void Progress::show(const train::CheckpointEvent& checkpoint) {
    if (checkpoint.failure)
        line("Warning: the checkpoint was not saved: " + error_text(*checkpoint.failure) +
             ". Training goes on");
}

void Progress::show(const train::LogEvent& entry) {
    if (entry.level != train::LogEvent::Level::info) line("Warning: " + entry.text);
}

void Progress::show(const train::MarkEvent& mark) {
    using Kind = train::MarkEvent::Kind;
    if (mark.kind == Kind::loss_scale || mark.kind == Kind::paused) return;
    line("Update " + std::to_string(mark.update) + ": " + mark.text);
}

void Progress::show(const train::FindingEvent& finding) {
    const std::string layer = finding.layer.empty() ? "" : "layer '" + finding.layer + "': ";
    line("Note: " + layer + finding.evidence + ". " + finding.advice);
}

void Progress::show(const train::StateEvent& state) {
    using train::RunState;
    if (state.state == RunState::stopping) line("Stopped after this step");
    if (state.state == RunState::paused)
        line("Paused. Go on with: strata control " + shell_word(plan_.run_directory) + " --resume");
    if (state.state == RunState::running && paused_) line("Going on");
    paused_ = state.state == RunState::paused;
}

void Progress::show(const train::EndEvent& end) {
    clear_bar();
    if (end.test_loss) {
        std::string text;
        for (const auto& [name, value] : end.test_metrics)
            text += "Test " + name + " " + fixed(value, 4) + ", ";
        line(text + (text.empty() ? "Test loss " : "test loss ") + fixed(*end.test_loss, 4));
    }
    if (!end.reason.empty()) line("Stopped early: " + end.reason);
    if (end.skipped_steps > 0)
        line(counted(end.skipped_steps, "step was", "steps were") +
             " skipped: gradients too large for float16");
    if (!end.checkpoint.empty()) line("Checkpoint  " + end.checkpoint);
    if (!end.picture.empty()) line("Curves      " + end.picture);
    if (end.state != train::RunState::finished && !end.checkpoint.empty())
        // The project as run: with what --set changed.
        line((end.error ? "When that is mended, go on with: " : "Go on with: ") +
             (ranks_ > 1 ? parallel::start_command(ranks_) + " " : std::string()) +
             "strata train " + shell_word(end.run_directory + "/project.strata") +
             " --resume --run-dir " + shell_word(end.run_directory));
}

void Progress::clear_bar() {
    if (drawn_) std::fputs("\r\x1b[K", out_);
    drawn_ = false;
}

void Progress::line(const std::string& text) {
    clear_bar();
    std::fprintf(out_, "%s\n", text.c_str());
    std::fflush(out_);
}

}  // namespace strata::cli
