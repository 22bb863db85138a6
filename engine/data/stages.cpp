#include "engine/data/stages.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/text.h"
#include "engine/data/stage_limit.h"

namespace strata::data {
namespace {

std::string rounded(double value) {
    return std::to_string(std::llround(value));
}

}  // namespace

StageStatistics statistics_of(const char* name, const StageMeter& meter, int threads,
                              double seconds) {
    StageStatistics stage;
    stage.name = name;
    stage.threads = threads;
    const double busy = meter.busy_seconds();
    if (busy > 0)
        stage.samples_per_s = static_cast<double>(meter.samples()) / busy * std::max(threads, 1);
    if (seconds > 0) stage.busy = std::clamp(busy / (seconds * std::max(threads, 1)), 0.0, 1.0);
    return stage;
}

int busiest_stage(const std::vector<StageStatistics>& stages) {
    int busiest = -1;
    for (std::size_t i = 0; i < stages.size(); ++i)
        if (stages[i].busy > (busiest < 0 ? 0.0 : stages[static_cast<std::size_t>(busiest)].busy))
            busiest = static_cast<int>(i);
    return busiest;
}

std::string wait_text(double share) {
    const double percent = std::clamp(share, 0.0, 1.0) * 100;
    char number[16];
    std::snprintf(number, sizeof number, percent < 10 && percent >= 0.05 ? "%.1f" : "%.0f",
                  percent);
    std::string text = number;
    std::replace(text.begin(), text.end(), ',', '.');  // whatever the locale
    return "the device waits for data " + text + " % of the time";
}

std::string limit_text(const std::vector<StageStatistics>& stages, double wait_share) {
    const int limit = limiting_stage(stages, wait_share);
    if (limit == device_limits) return "the device is at its limit";
    if (limit == nothing_limits) return "no stage is at its limit";
    const StageStatistics& stage = stages[static_cast<std::size_t>(limit)];
    return stage.name + " is at its limit: " + rounded(stage.samples_per_s) + " samples/s on " +
           counted(stage.threads, "thread");
}

}  // namespace strata::data
