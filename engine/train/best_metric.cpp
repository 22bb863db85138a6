#include "engine/train/best_metric.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/metrics/metric.h"

namespace strata::train {

std::vector<std::string> epoch_value_names(const std::vector<std::string>& metrics,
                                           bool has_validation) {
    std::vector<std::string> names{"loss"};
    names.insert(names.end(), metrics.begin(), metrics.end());
    if (has_validation)
        for (std::size_t i = 0, n = names.size(); i < n; ++i) names.push_back("val_" + names[i]);
    return names;
}

bool Monitor::better(double value, double than, double min_delta) const {
    const double delta = std::abs(min_delta);
    return higher_is_better ? value - delta > than : value + delta < than;
}

Monitor find_monitor(const std::string& monitor, const std::string& mode,
                     const std::vector<std::string>& metrics, bool has_validation,
                     const std::string& where) {
    Monitor found{monitor, false};
    if (monitor == "val_loss" && !has_validation) found.name = "loss";
    const std::vector<std::string> known = epoch_value_names(metrics, has_validation);
    if (std::find(known.begin(), known.end(), found.name) == known.end()) {
        std::string all;
        for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
        throw Error(ErrorCode::invalid_argument, "this run has no value '" + found.name + "'",
                    where, "It will have: " + all);
    }
    const std::string name = found.name.starts_with("val_") ? found.name.substr(4) : found.name;
    found.higher_is_better = mode == "auto"
                                 ? name != "loss" && metrics::find_metric(name).higher_is_better
                                 : mode == "max";
    return found;
}

BestMetric::BestMetric(const CheckpointConfig& config, const std::vector<std::string>& metrics,
                       bool has_validation)
    : monitor_(find_monitor(config.monitor, config.mode, metrics, has_validation,
                            "training.checkpoint.monitor")) {}

bool BestMetric::improves(const EpochValues& values) {
    const auto it = values.find(monitor_.name);
    if (it == values.end() || std::isnan(it->second)) return false;
    if (best && !monitor_.better(it->second, *best)) return false;
    best = it->second;
    return true;
}

}  // namespace strata::train
