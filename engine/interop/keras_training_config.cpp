// Keras's training_config (optimizer, loss, metrics), both ways; see keras_config.h.
#include <algorithm>
#include <charconv>
#include <system_error>

#include "engine/interop/keras_config.h"
#include "engine/losses/loss.h"
#include "engine/metrics/metric.h"
#include "engine/optimizers/optimizer.h"

namespace strata::interop {
namespace {

// "SparseCategoricalAccuracy" -> "sparse_categorical_accuracy".
std::string snake_case(const std::string& name) {
    std::string out;
    for (const char c : name) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper && !out.empty()) out += '_';
        out += upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

// Keras keeps rates as float32: 0.001 is written as 0.0010000000474974513. The shortest decimal
// of that float is what the user wrote.
Json without_float_noise(const Json& value) {
    if (!value.is_number_float()) return value;
    const auto number = value.get<double>();
    const auto single = static_cast<float>(number);
    if (static_cast<double>(single) != number) return value;
    char text[32];
    const auto written = std::to_chars(text, text + sizeof text, single);
    double shortest = number;
    std::from_chars(text, written.ptr, shortest);
    return shortest;
}

const Json* find(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto it = object.find(key);
    return it == object.end() || it->is_null() ? nullptr : &*it;
}

std::string class_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    const Json* name = find(value, "class_name");
    return name && name->is_string() ? name->get<std::string>() : "";
}

// Nothing where the class or a value is not known here.
Json read_optimizer(const Json& optimizer) {
    std::string type = class_of(optimizer);
    if (const std::size_t mark = type.rfind('>'); mark != std::string::npos)
        type.erase(0, mark + 1);
    try {
        const optimizers::OptimizerDescription& known = optimizers::find_optimizer(type);
        Json config = Json::object();
        const Json* given = find(optimizer, "config");
        for (const layers::ParamSpec& param : known.params) {
            const Json* value = given ? find(*given, param.key.c_str()) : nullptr;
            if (!value && given && param.key == "learning_rate") value = find(*given, "lr");
            if (value && value->is_object() && find(*value, "config"))
                value = find(*find(*value, "config"), "initial_learning_rate");  // a schedule
            if (value) config[param.key] = without_float_noise(*value);
        }
        config = layers::Config::checked(known.params, config).changed(known.params);
        return {{"type", known.type}, {"config", config}};
    } catch (const Error&) {
        return Json();
    }
}

// {"momentum": ...}, or null where the optimizer keeps no averages of the weights.
Json read_ema(const Json& training_config) {
    const Json* optimizer = find(training_config, "optimizer_config");
    const Json* config = optimizer ? find(*optimizer, "config") : nullptr;
    const Json* used = config ? find(*config, "use_ema") : nullptr;
    if (!used || *used != Json(true)) return Json();
    const Json* momentum = find(*config, "ema_momentum");
    if (!momentum || !momentum->is_number()) return Json();
    return {{"momentum", without_float_noise(*momentum)}};
}

Json read_loss(const Json& loss) {
    if (const Json* config = find(loss, "config"); config && find(*config, "from_logits"))
        if (*find(*config, "from_logits") != Json(false)) return Json();
    try {
        return losses::find_loss(class_of(loss)).name;
    } catch (const Error&) {
        return Json();
    }
}

void read_metrics(const Json& value, Json& names) {
    if (value.is_array()) {
        for (const Json& part : value) read_metrics(part, names);
        return;
    }
    const Json* config = find(value, "config");
    std::vector<std::string> tries{class_of(value), snake_case(class_of(value))};
    for (const char* key : {"fn", "name"}) {
        const Json* text = config ? find(*config, key) : nullptr;
        if (text && text->is_string()) tries.push_back(text->get<std::string>());
    }
    for (const std::string& name : tries) {
        try {
            const std::string known = metrics::find_metric(name).name;
            if (std::find(names.begin(), names.end(), Json(known)) == names.end())
                names.push_back(known);
            return;
        } catch (const Error&) {
            continue;
        }
    }
}

}  // namespace

Json keras_training_config(const Json& compile) {
    Json result = {{"loss", compile.value("loss", Json())},
                   {"loss_weights", nullptr},
                   {"metrics", compile.value("metrics", Json::array())},
                   {"weighted_metrics", nullptr},
                   {"run_eagerly", false},
                   {"steps_per_execution", 1}};
    const Json* optimizer = find(compile, "optimizer");
    if (!optimizer) return result;
    const optimizers::OptimizerDescription& known =
        optimizers::find_optimizer(get_string(*optimizer, "type", "", "optimizer"));
    std::string name = known.type;  // Keras: "adamw", in small letters alone
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    Json config = {{"name", name}};
    const layers::Config values =
        layers::Config::checked(known.params, optimizer->value("config", Json::object()));
    for (const auto& [key, value] : values.json().items()) config[key] = value;
    if (const Json* ema = find(compile, "ema")) {
        config["use_ema"] = true;
        config["ema_momentum"] = get_number(*ema, "momentum", 0.99, "ema");
        config["ema_overwrite_frequency"] = nullptr;
    }
    result["optimizer_config"] = {{"class_name", known.type}, {"config", config}};
    return result;
}

Json compile_from_keras(const Json& training_config) {
    Json compile = Json::object();
    if (const Json* optimizer = find(training_config, "optimizer_config"))
        if (Json read = read_optimizer(*optimizer); !read.is_null()) compile["optimizer"] = read;
    if (const Json ema = read_ema(training_config); !ema.is_null()) compile["ema"] = ema;
    if (const Json* loss = find(training_config, "loss"))
        if (Json read = read_loss(*loss); !read.is_null()) compile["loss"] = read;
    if (const Json* metrics = find(training_config, "metrics")) {
        Json names = Json::array();
        read_metrics(*metrics, names);
        compile["metrics"] = names;
    }
    return compile.empty() ? Json() : compile;
}

}  // namespace strata::interop
