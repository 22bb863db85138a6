#include "engine/train/training_json.h"

#include <algorithm>
#include <limits>

#include "engine/core/error.h"
#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "engine/optimizers/optimizer.h"
#include "engine/train/project_keys.h"
#include "engine/train/technique_json.h"

namespace strata::train {
namespace {

void read_names(const Json& json, TrainingConfig& training) {
    training.loss = get_string(json, "loss", training.loss, "training");
    try {
        training.loss = losses::find_loss(training.loss).name;
        const auto it = json.find("metrics");
        if (it == json.end()) return;
        if (!it->is_array())
            refuse("expected a list of names", "metrics", "For example [\"accuracy\"]");
        training.metrics.clear();
        for (const Json& name : *it) {
            if (!name.is_string()) refuse("expected a name, found " + name.dump(), "metrics");
            training.metrics.push_back(metrics::find_metric(name.get<std::string>()).name);
        }
    } catch (const Error& error) {
        throw error.at("training");
    }
}

void read_optimizer(const Json& json, TrainingConfig& training) {
    const std::string where = "training.optimizer";
    const auto it = json.find("optimizer");
    if (it == json.end()) return;
    if (it->is_string()) {
        training.optimizer = it->get<std::string>();
    } else {
        refuse_unknown_keys(*it, {"type", "config"}, where);
        training.optimizer = get_string(*it, "type", training.optimizer, where);
        training.optimizer_config = it->value("config", Json::object());
    }
    try {
        const auto& optimizer = optimizers::find_optimizer(training.optimizer);
        training.optimizer = optimizer.type;
        training.optimizer_config =
            layers::Config::checked(optimizer.params, training.optimizer_config)
                .changed(optimizer.params);
    } catch (const Error& error) {
        throw error.at(where);
    }
}

}  // namespace

TrainingConfig read_training(const Json& json) {
    std::vector<std::string> known{"epochs",          "seed",      "loss", "metrics", "optimizer",
                                   "initial_weights", "checkpoint"};
    const auto& techniques = technique_keys();
    known.insert(known.end(), techniques.begin(), techniques.end());
    refuse_unknown_keys(json, known, "training");
    TrainingConfig training;
    training.epochs = get_integer_between(json, "epochs", training.epochs, 1, "training");
    training.seed = static_cast<std::uint64_t>(get_integer_between(
        json, "seed", 1, 0, "training", std::numeric_limits<std::int64_t>::max()));
    read_names(json, training);
    read_optimizer(json, training);
    training.initial_weights = get_string(json, "initial_weights", "", "training");
    read_techniques(json, training);
    return training;
}

Json training_to_json(const TrainingConfig& training) {
    Json optimizer = {{"type", training.optimizer}};
    if (!training.optimizer_config.empty()) optimizer["config"] = training.optimizer_config;
    Json json = {{"epochs", training.epochs},
                 {"seed", training.seed},
                 {"loss", training.loss},
                 {"metrics", training.metrics},
                 {"optimizer", std::move(optimizer)}};
    if (!training.initial_weights.empty()) json["initial_weights"] = training.initial_weights;
    write_techniques(training, json);
    return json;
}

}  // namespace strata::train
