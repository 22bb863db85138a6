#include "ui/techniques/schedule_card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>

#include "engine/optimizers/optimizer.h"
#include "engine/schedules/learning_rate.h"
#include "ui/techniques/rate_curve.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/param_form.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

constexpr const char* typeKey = "training.learning_rate_schedule.type";
constexpr const char* warmupKey = "training.learning_rate_schedule.warmup";
constexpr const char* plateauKey = "training.learning_rate_schedule.reduce_on_plateau";
constexpr std::int64_t previewPoints = 160;
constexpr std::int64_t longestPreview = 50'000'000;  // updates; restarts are counted one by one

Json part(const Json& setting, const char* key) {
    if (!setting.is_object()) return {};
    const auto it = setting.find(key);
    return it == setting.end() ? Json() : *it;
}

std::string typeOf(const Json& setting) {
    if (setting.is_string()) return setting.get<std::string>();
    const Json type = part(setting, "type");
    return type.is_string() ? type.get<std::string>() : "Constant";
}

Json objectOf(const Json& setting) {
    return setting.is_object() ? setting : Json{{"type", typeOf(setting)}};
}

// Parts that say nothing are left out of the project.
void setPart(train::RunConfig& c, const char* key, const Json& value) {
    Json setting = objectOf(c.training.schedule);
    if (value.is_null() || (value.is_object() && value.empty() && key == std::string("config")))
        setting.erase(key);
    else
        setting[key] = value;
    schedules::check_setting(setting);
    c.training.schedule = setting;
}

Json checkedValues(const std::vector<layers::ParamSpec>& params, const Json& given) {
    try {
        return layers::Config::checked(params, given.is_object() ? given : Json::object()).json();
    } catch (const Error&) {
        return layers::Config::checked(params, Json::object()).json();  // told by showFault()
    }
}

}  // namespace

ScheduleCard::ScheduleCard(Document& document)
    : TechniqueCard(document, "training.learning_rate_schedule", Technique::schedule),
      m_curve(new RateCurve) {
    QStringList types;
    for (const auto* schedule : schedules::catalogue())
        types << QString::fromStdString(schedule->type);
    m_type = addChoice(typeKey, types, [](Config& c, const std::string& type) {
        Json setting = objectOf(c.training.schedule);
        setting["type"] = type;
        setting.erase("config");  // its own defaults
        c.training.schedule = setting;
    });
    m_params = addForm("config");
    m_warmup = addSpin(warmupKey, 0, 1000000000, [](Config& c, int updates) {
        Json warmup = part(c.training.schedule, "warmup");
        if (!warmup.is_object()) warmup = Json::object();
        warmup.erase("epochs");
        warmup["updates"] = updates;
        setPart(c, "warmup", updates > 0 ? warmup : Json());
    });
    m_lowers = addCheck(plateauKey, [](Config& c, bool on) {
        setPart(c, "reduce_on_plateau", on ? Json::object() : Json());
    });
    m_plateau = addForm("reduce_on_plateau");
    addWidget(m_curve);
    finish();
}

ParamForm* ScheduleCard::addForm(const QString& part) {
    auto* form = new ParamForm;
    addWidget(form);
    connect(form, &ParamForm::edited, this,
            [this, form, part](const QString& key, const Json& value) {
                applyPart(form, part, key, value);
            });
    return form;
}

void ScheduleCard::retranslate() {
    TechniqueCard::retranslate();
    setText(warmupKey, tr("warm-up updates"),
            tr("Updates over which the rate rises from 0 before the schedule begins; 0 for none"));
    setText(plateauKey, tr("lower on a plateau"),
            tr("Lower the rate, too, when a value stops getting better"));
    m_curve->setAccessibleName(tr("Preview of the learning rate"));
    m_curve->setToolTip(tr("The learning rate over the whole run, as it is planned"));
    m_shown.clear();
    m_plateauMade = false;
}

void ScheduleCard::showOptions(const train::RunConfig& config) {
    const Json& setting = config.training.schedule;
    const auto& description = schedules::find_schedule("Constant");
    const auto* chosen = &description;
    for (const auto* each : schedules::catalogue())
        if (each->type == typeOf(setting)) chosen = each;
    showChoice(m_type, chosen->type);
    setText(typeKey, tr("type"), catalogueText(chosen->doc));
    const Json values = checkedValues(chosen->params, part(setting, "config"));
    if (m_shown != chosen->type) {
        m_shown = chosen->type;
        m_params->setParams(chosen->params, values);
    }
    m_params->clearErrors();
    m_params->setValues(values);
    m_params->setVisible(on() && !chosen->params.empty());
    const Json warmup = part(setting, "warmup"), updates = part(warmup, "updates");
    showSpin(m_warmup, updates.is_number_integer() ? updates.get<std::int64_t>() : 0);
    const Json plateau = part(setting, "reduce_on_plateau");
    showCheck(m_lowers, plateau.is_object());
    const auto& plateauParams = schedules::ReduceLROnPlateau::params();
    const Json plateauValues = checkedValues(plateauParams, plateau);
    if (!m_plateauMade) m_plateau->setParams(plateauParams, plateauValues);
    m_plateauMade = true;
    m_plateau->clearErrors();
    m_plateau->setValues(plateauValues);
    m_plateau->setVisible(on() && plateau.is_object());
    updatePreview();
}

void ScheduleCard::applyPart(ParamForm* form, const QString& name, const QString& key,
                             const Json& value) {
    const bool plateau = form == m_plateau;
    const std::vector<layers::ParamSpec>& params =
        plateau ? schedules::ReduceLROnPlateau::params()
                : schedules::find_schedule(typeOf(config().training.schedule)).params;
    try {
        m_document.edit(
            tr("%1: change %2", "technique: option").arg(title(), nameText(key.toStdString())),
            [&](Config& c) {
                const std::string partName = name.toStdString();
                Json values = checkedValues(params, part(c.training.schedule, partName.c_str()));
                values[key.toStdString()] = value;
                setPart(c, partName.c_str(),
                        layers::Config::checked(params, values).changed(params));
            },
            "training.learning_rate_schedule." + name + "." + key);
    } catch (const Error& error) {
        form->setError(key, fieldText(error));
    }
}

// The rate of evenly spaced updates of the run.
void ScheduleCard::updatePreview() {
    m_rates.clear();
    const auto& epoch = prediction().epoch;
    if (on() && epoch) {
        try {
            const train::TrainingConfig& training = config().training;
            const auto& optimizer = optimizers::find_optimizer(training.optimizer);
            const double base = layers::Config::checked(optimizer.params, training.optimizer_config)
                                    .number("learning_rate");
            const std::int64_t total = epoch->updates * training.epochs;
            const schedules::LearningRate rate(training.schedule, base, epoch->updates, total);
            const std::int64_t points = std::min(previewPoints, total);
            if (total <= longestPreview)
                for (std::int64_t i = 0; i < points; ++i)
                    m_rates.push_back(rate.at(points == 1 ? 0 : i * (total - 1) / (points - 1)));
        } catch (const Error&) {
            m_rates.clear();  // the fault stands at its row
        }
    }
    m_curve->setRates(m_rates, config().training.epochs);
}

QString ScheduleCard::effect() const {
    if (!on() || m_rates.empty()) return {};
    return tr("rate %1 at first, %2 at the end")
        .arg(formatNumber(m_rates.front(), 3), formatNumber(m_rates.back(), 3));
}

// The form that has the fault's parameter, and the parameter.
std::pair<ParamForm*, QString> ScheduleCard::faultParam(const Error& error) const {
    const QString where = QString::fromStdString(error.where()).replace(", ", ".");
    const QString key = where.mid(where.lastIndexOf('.') + 1);
    ParamForm* form = where.contains(".reduce_on_plateau.") ? m_plateau
                      : where.contains(".config.")          ? m_params
                                                            : nullptr;
    if (form != nullptr && form->editor(key) == nullptr) form = nullptr;
    return {form, key};
}

bool ScheduleCard::showFault(const Error& error) {
    if (!error.where().starts_with("training.learning_rate_schedule")) return false;
    if (const auto [form, key] = faultParam(error); form != nullptr) {
        form->setError(key, fieldText(error));
        return true;
    }
    return TechniqueCard::showFault(error);
}

QWidget* ScheduleCard::faultEditor(const Error& error) const {
    const auto [form, key] = faultParam(error);
    return form != nullptr ? form->editor(key) : TechniqueCard::faultEditor(error);
}

}  // namespace strata::ui
