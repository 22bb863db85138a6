#include "engine/train/best_metric.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/metrics/metric.h"

namespace strata::train {

BestMetric::BestMetric(const CheckpointConfig& config, const std::vector<std::string>& metrics,
                       bool has_validation)
    : monitor_(config.monitor) {
    std::vector<std::string> known{"loss"};
    known.insert(known.end(), metrics.begin(), metrics.end());
    if (has_validation)
        for (std::size_t i = 0, n = known.size(); i < n; ++i) known.push_back("val_" + known[i]);
    if (monitor_ == "val_loss" && !has_validation) monitor_ = "loss";
    if (std::find(known.begin(), known.end(), monitor_) == known.end()) {
        std::string all;
        for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
        throw Error(ErrorCode::invalid_argument, "this run has no value '" + monitor_ + "'",
                    "training.checkpoint.monitor", "It will have: " + all);
    }
    if (config.mode != "auto") {
        higher_is_better_ = config.mode == "max";
        return;
    }
    const std::string name = monitor_.starts_with("val_") ? monitor_.substr(4) : monitor_;
    higher_is_better_ = name != "loss" && metrics::find_metric(name).higher_is_better;
}

bool BestMetric::improves(const EpochValues& values) {
    const auto it = values.find(monitor_);
    if (it == values.end() || std::isnan(it->second)) return false;
    if (best && !(higher_is_better_ ? it->second > *best : it->second < *best)) return false;
    best = it->second;
    return true;
}

}  // namespace strata::train
