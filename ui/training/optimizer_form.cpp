#include "ui/training/optimizer_form.h"

#include <QComboBox>

#include "engine/optimizers/optimizer.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/param_form.h"
#include "ui/widgets/text.h"

namespace strata::ui {

OptimizerForm::OptimizerForm(Document& document, QWidget* parent)
    : SettingsForm(document, parent), m_type(new QComboBox), m_params(new ParamForm) {
    addHeading("optimizer");
    for (const auto* optimizer : optimizers::catalogue()) {
        m_type->addItem(QString::fromStdString(optimizer->type));
        m_type->setItemData(m_type->count() - 1, catalogueText(optimizer->doc), Qt::ToolTipRole);
    }
    addRow("training.optimizer", m_type);
    addWidget(m_params);
    connect(m_type, &QComboBox::textActivated, this, &OptimizerForm::chooseType);
    connect(m_params, &ParamForm::edited, this, &OptimizerForm::applyParam);
}

void OptimizerForm::retranslate() {
    setHeading("optimizer", tr("Optimizer"));
    m_shown.clear();  // the parameters' texts are made anew
}

void OptimizerForm::refresh() {
    const auto& description = optimizers::find_optimizer(config().training.optimizer);
    const Json values =
        layers::Config::checked(description.params, config().training.optimizer_config).json();
    const QSignalBlocker quiet(m_type);
    m_type->setCurrentText(QString::fromStdString(description.type));
    setText("training.optimizer", tr("type"), catalogueText(description.doc));
    if (m_shown != description.type) {
        m_shown = description.type;
        m_params->setParams(description.params, values);
    }
    m_params->clearErrors();
    m_params->setValues(values);
}

void OptimizerForm::chooseType(const QString& type) {
    if (type.toStdString() == config().training.optimizer) return;
    edit("training.optimizer", tr("Use %1").arg(type), [&](auto& c) {
        c.training.optimizer = type.toStdString();
        c.training.optimizer_config = Json::object();  // its own defaults
    });
}

void OptimizerForm::applyParam(const QString& key, const Json& value) {
    try {
        m_document.edit(
            tr("Change %1 of the optimizer").arg(nameText(key.toStdString())),
            [&](train::RunConfig& c) {
                const auto& params = optimizers::find_optimizer(c.training.optimizer).params;
                Json values = layers::Config::checked(params, c.training.optimizer_config).json();
                values[key.toStdString()] = value;
                c.training.optimizer_config =
                    layers::Config::checked(params, values).changed(params);
            },
            "training.optimizer." + key);
    } catch (const Error& error) {
        m_params->setError(key, fieldText(error));
    }
}

}  // namespace strata::ui
