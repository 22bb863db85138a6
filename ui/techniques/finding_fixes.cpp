#include "ui/techniques/finding_fixes.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/optimizers/optimizer.h"
#include "ui/document/model_edits.h"
#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

using Kind = train::FindingEvent::Kind;
using Change = std::function<void(train::RunConfig&)>;

constexpr double usualDecay = 0.004, lowerBy = 3.0;
constexpr int usualWarmup = 100;
constexpr const char* rateKey = "training.optimizer.config.learning_rate";

struct Fixes {
    Q_DECLARE_TR_FUNCTIONS(strata::ui::Fixes)
};

// "key=value" as `--set` takes it.
Change assigned(const std::string& assignment) {
    return [assignment](train::RunConfig& config) {
        Json json = train::project_to_json(config);
        train::apply_override(json, assignment);
        train::RunConfig changed = train::project_from_json(json, "");
        changed.base = config.base;
        config = std::move(changed);
    };
}

QString textOf(const std::string& key, const Json& value, const std::string& layer) {
    if (key == rateKey && value.is_number())
        return Fixes::tr("learning rate %1").arg(formatNumber(value.get<double>()));
    if (key == "training.clipping" && value.is_object() && value.contains("value"))
        return Fixes::tr("clip gradients at %1").arg(formatNumber(value["value"].get<double>()));
    if (key == "training.early_stopping") return Fixes::tr("stop early and restore the best");
    if (key == "data.pipeline.map.threads") return Fixes::tr("as many threads as 'map' takes");
    if (key.starts_with("data.pipeline.prefetch")) return Fixes::tr("read ahead by need");
    if (key.ends_with(".config.activation") && value.is_string())
        return Fixes::tr("%1 in %2", "activation, layer")
            .arg(QString::fromStdString(value.get<std::string>()), QString::fromStdString(layer));
    return QString::fromStdString(key + " = " + value.dump());
}

FindingFix engineFix(const train::FindingEvent& finding, double rate) {
    const auto equals = finding.fix.find('=');
    const std::string key = finding.fix.substr(0, equals), text = finding.fix.substr(equals + 1);
    Json value = Json::parse(text, nullptr, false);
    if (value.is_discarded()) value = text;
    FindingFix fix{textOf(key, value, finding.layer), assigned(finding.fix), {}};
    if (key == rateKey && value.is_number()) {
        // A schedule or a hand may have lowered the run's rate below the project's already.
        const double wanted = value.get<double>();
        fix.live = {ControlDeck::learningRate,
                    rate > 0.0 && rate <= wanted ? rate / lowerBy : wanted};
    }
    return fix;
}

const std::string& typeOf(const graph::LayerNode& node) {
    return node.type->spec.type;
}

// The last Dense layer: what stands before it is what the classes are read from.
std::string lastDense(const graph::Model& model) {
    for (auto it = model.layers.rbegin(); it != model.layers.rend(); ++it)
        if (typeOf(*it) == "Dense") return it->name;
    return {};
}

std::optional<FindingFix> dropoutFix(const train::RunConfig& config) {
    const std::string last = lastDense(config.model);
    if (last.empty()) return {};
    const auto& inputs = config.model.layer(last).inputs;
    if (inputs.size() != 1 || typeOf(config.model.layer(inputs.front())) == "Dropout") return {};
    return FindingFix{Fixes::tr("Dropout before %1").arg(QString::fromStdString(last)),
                      [last](train::RunConfig& c) {
                          const std::string before = c.model.layer(last).inputs.at(0);
                          if (typeOf(c.model.layer(before)) != "Dropout")
                              insertOnEdge(c.model, "Dropout", before, last);
                      },
                      {}};
}

// Behind a layer that is none of the last.
std::optional<FindingFix> normalizeFix(const train::RunConfig& config, const std::string& layer) {
    const auto& layers = config.model.layers;
    const auto reader = std::find_if(layers.begin(), layers.end(), [&](const auto& each) {
        return std::find(each.inputs.begin(), each.inputs.end(), layer) != each.inputs.end();
    });
    if (reader == layers.end() || typeOf(*reader) == "BatchNormalization") return {};
    return FindingFix{Fixes::tr("BatchNormalization behind %1").arg(QString::fromStdString(layer)),
                      [layer](train::RunConfig& c) {
                          for (const graph::LayerNode& each : c.model.layers)
                              if (typeOf(each) == "BatchNormalization" &&
                                  each.inputs == std::vector<std::string>{layer})
                                  return;
                          if (c.model.index_of(layer) >= 0)
                              insertLayer(c.model, "BatchNormalization", layer);
                      },
                      {}};
}

std::optional<FindingFix> decayFix(const train::RunConfig& config) {
    const auto& optimizer = optimizers::find_optimizer(config.training.optimizer);
    const auto values = layers::Config::checked(optimizer.params, config.training.optimizer_config);
    const auto decay = values.json().find("weight_decay");
    if (decay == values.json().end() || (decay->is_number() && decay->get<double>() > 0.0))
        return {};
    return FindingFix{
        Fixes::tr("weight decay %1").arg(formatNumber(usualDecay)),
        assigned("training.optimizer.config.weight_decay=" + std::to_string(usualDecay)),
        FindingFix::Live{ControlDeck::weightDecay, usualDecay}};
}

void addForKind(const train::FindingEvent& finding, const train::RunConfig& config,
                std::vector<FindingFix>& out) {
    const train::TrainingConfig& training = config.training;
    const auto& clipping = training.clipping;
    switch (finding.kind) {
        case Kind::overfitting:
            if (auto fix = dropoutFix(config)) out.push_back(std::move(*fix));
            if (auto fix = decayFix(config)) out.push_back(std::move(*fix));
            break;
        case Kind::exploding_gradients:
            if (clipping.type == train::Clipping::global_norm) {
                const double half = clipping.value / 2.0;
                out.push_back({Fixes::tr("clipping limit %1").arg(formatNumber(half)),
                               [half](train::RunConfig& c) {
                                   c.training.clipping.value =
                                       std::min(c.training.clipping.value, half);
                               },
                               FindingFix::Live{ControlDeck::clipLimit, half}});
            }
            break;
        case Kind::learning_rate_too_high:
            if (!training.schedule.is_object() || !training.schedule.contains("warmup"))
                out.push_back({Fixes::tr("warm up over %1 updates").arg(formatCount(usualWarmup)),
                               assigned("training.learning_rate_schedule.warmup={\"updates\": " +
                                        std::to_string(usualWarmup) + "}"),
                               {}});
            break;
        case Kind::plateau:
            if (!training.schedule.is_object() || !training.schedule.contains("reduce_on_plateau"))
                out.push_back({Fixes::tr("lower the rate on each plateau"),
                               assigned("training.learning_rate_schedule.reduce_on_plateau={}"),
                               {}});
            break;
        case Kind::dead_units:
            if (config.model.index_of(finding.layer) >= 0)
                out.push_back(
                    {Fixes::tr("%1 in %2", "activation, layer")
                         .arg(QStringLiteral("leaky_relu"), QString::fromStdString(finding.layer)),
                     assigned("model.layers." + finding.layer + ".config.activation=leaky_relu"),
                     {}});
            break;
        case Kind::starved_of_data:
            if (!config.data.cache)
                out.push_back({Fixes::tr("keep the data in memory"),
                               [](train::RunConfig& c) { c.data.cache = true; },
                               {}});
            if (!config.data.pipeline.autotune)
                out.push_back({Fixes::tr("read ahead by need"),
                               assigned("data.pipeline.prefetch.buffer_size=auto"),
                               {}});
            break;
        case Kind::vanishing_gradients:
            if (auto fix = normalizeFix(config, finding.layer)) out.push_back(std::move(*fix));
            break;
    }
}

// Whether the change can be made: not where its layer is gone or takes no such value.
bool works(const FindingFix& fix, const train::RunConfig& config) {
    try {
        train::RunConfig copy = config;
        fix.change(copy);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

std::vector<FindingFix> fixesOf(const train::FindingEvent& finding, const train::RunConfig& config,
                                double rate) {
    std::vector<FindingFix> fixes;
    if (finding.fix.find('=') != std::string::npos) fixes.push_back(engineFix(finding, rate));
    addForKind(finding, config, fixes);
    std::erase_if(fixes, [&](const FindingFix& fix) { return !works(fix, config); });
    std::vector<FindingFix> kept;
    for (FindingFix& fix : fixes)
        if (std::none_of(kept.begin(), kept.end(),
                         [&](const FindingFix& other) { return other.text == fix.text; }))
            kept.push_back(std::move(fix));
    return kept;
}

bool isDone(const FindingFix& fix, const train::RunConfig& config) {
    try {
        train::RunConfig copy = config;
        fix.change(copy);
        return train::project_to_json(copy) == train::project_to_json(config);
    } catch (const Error&) {
        return false;
    }
}

}  // namespace strata::ui
