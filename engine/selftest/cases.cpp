#include "engine/selftest/cases.h"

#include "engine/core/error.h"
#include "engine/layers/catalogue.h"
#include "engine/layers/text.h"
#include "engine/selftest/example_model.h"

namespace strata::selftest {
namespace {

using graph::Model;
using graph::TrainingSetup;

TrainingSetup setup_of(const std::string& optimizer, const Json& config,
                       const std::string& precision) {
    TrainingSetup setup;
    setup.loss = &losses::find_loss("sparse_categorical_crossentropy");
    setup.metrics.push_back(&metrics::find_metric("accuracy"));
    setup.optimizer = &optimizers::find_optimizer(optimizer);
    setup.optimizer_config = layers::Config::checked(setup.optimizer->params, config);
    setup.precision = precision;
    return setup;
}

Model small(const std::string& activation) {
    const auto dense = [](const char* name, int units, const std::string& bend) {
        return Json{{"name", name},
                    {"type", "Dense"},
                    {"config", {{"units", units}, {"activation", bend}}}};
    };
    return Model::from_json(
        {{"layers",
          {{{"name", "input"}, {"type", "InputLayer"}, {"config", {{"shape", {7}}}}},
           dense("hidden", 9, "silu"),
           dense("output", 4, activation)}}});
}

// Those that have a meaning for the loss, on its output and on what is fused into it.
std::vector<const metrics::MetricDescription*> metrics_of(const losses::LossDescription& loss) {
    std::vector<const metrics::MetricDescription*> all;
    for (const metrics::MetricDescription* metric : metrics::catalogue()) {
        try {
            for (const bool on_logits : {false, true}) metric->op(loss.name, Shape{4}, on_logits);
            all.push_back(metric);
        } catch (const Error&) {
            continue;
        }
    }
    return all;
}

}  // namespace

std::vector<const layers::LayerDescription*> computing_layers() {
    std::vector<const layers::LayerDescription*> all;
    for (const layers::LayerDescription* type : layers::catalogue())
        if (type->spec.max_inputs != 0) all.push_back(type);
    return all;
}

std::vector<Case> cases_of(const layers::LayerDescription& type, const std::string& precision) {
    std::vector<Case> all;
    for (const layers::LayerExample& example : type.examples)
        all.push_back({example.name,
                       model_around(type, example),
                       setup_of("SGD", {{"momentum", 0.9}}, precision),
                       {}});
    return all;
}

std::vector<Case> cases_of(const losses::LossDescription& loss, const std::string& precision) {
    std::vector<Case> all;
    for (const char* activation : {"softmax", "sigmoid", "softplus", "linear"}) {
        if (std::string(activation) == "linear" && loss.name != "mean_squared_error")
            continue;  // no probabilities
        TrainingSetup setup = setup_of("SGD", Json::object(), precision);
        setup.loss = &loss;
        setup.metrics = metrics_of(loss);
        all.push_back({activation, small(activation), std::move(setup), {}});
    }
    return all;
}

std::vector<Recipe> recipes() {
    std::vector<Recipe> all{{"SGD, momentum", "SGD", {{"momentum", 0.9}}},
                            {"SGD, Nesterov", "SGD", {{"momentum", 0.9}, {"nesterov", true}}}};
    for (const optimizers::OptimizerDescription* type : optimizers::catalogue())
        all.push_back({type->type, type->type, Json::object()});
    return all;
}

std::vector<Case> cases_of(const Recipe& recipe, const std::string& precision) {
    using ops::ClipKind;
    const struct {
        const char* name;
        ClipKind kind;
        bool by_variable;
    } clippings[] = {{"clipnorm", ClipKind::none, true},
                     {"clipvalue", ClipKind::value, false},
                     {"global_clipnorm", ClipKind::global_norm, false}};
    std::vector<Case> all;
    const auto add = [&](const std::string& name, float limit, const auto& change) {
        TrainingSetup setup = setup_of(recipe.optimizer, recipe.config, precision);
        change(setup);
        all.push_back({name,
                       small("softmax"),
                       std::move(setup),
                       {.count = 3, .clip_limit = limit, .weight_decay = 0.1F}});
    };
    add("no clipping", 0.0F, [](TrainingSetup&) {});
    for (const float limit : {0.02F, 50.0F})
        for (const auto& clipping : clippings)
            add(clipping.name + (" " + layers::number_text(limit)), limit,
                [&](TrainingSetup& setup) {
                    setup.clip = clipping.kind;
                    setup.clip_by_variable = clipping.by_variable;
                    if (limit > 1.0F) setup.ema_momentum = 0.9F;
                });
    return all;
}

}  // namespace strata::selftest
