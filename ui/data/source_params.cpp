#include "ui/data/source_params.h"

#include <QVBoxLayout>

#include "ui/training/settings_form.h"
#include "ui/widgets/param_form.h"

namespace strata::ui {

SourceParams::SourceParams(QWidget* parent) : QWidget(parent), m_form(new ParamForm) {
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_form);
    connect(m_form, &ParamForm::edited, this, &SourceParams::apply);
}

Json SourceParams::values() const {
    Json all = Json::object();
    for (const layers::ParamSpec& param : m_description->params) {
        const auto given = m_source.find(param.key);
        all[param.key] = given != m_source.end() ? *given : param.default_value;
    }
    return all;
}

void SourceParams::show(const data::SourceDescription& description, const Json& source) {
    const bool another = m_description != &description;
    m_description = &description;
    m_source = source;
    if (another)
        m_form->setParams(description.params, values());
    else
        m_form->setValues(values());
    m_form->clearErrors();
}

void SourceParams::begin(const data::SourceDescription& description) {
    m_description = nullptr;
    show(description, Json{{"type", description.type}});
    try {
        data::check_source(m_source, "data.source");
    } catch (const Error&) {
        return;  // a file is to be chosen first
    }
    Q_EMIT completed(m_source);
}

void SourceParams::setSource(const data::SourceDescription& description, const Json& source) {
    if (m_description != &description || m_source != source) show(description, source);
}

void SourceParams::retranslate() {
    if (m_description != nullptr) m_form->setParams(m_description->params, values());
}

void SourceParams::apply(const QString& key, const Json& value) {
    Json wanted = m_source;
    if (value.is_null())
        wanted.erase(key.toStdString());
    else
        wanted[key.toStdString()] = value;
    m_form->setError(key, {});
    try {
        data::check_source(wanted, "data.source");
    } catch (const Error& error) {
        const QString where = QString::fromStdString(error.where());
        const QString faulty = where.mid(where.lastIndexOf('.') + 1);
        // Another one that is still missing is no fault of this one.
        const Json other = values().value(faulty.toStdString(), Json());
        if (faulty == key || !other.is_null()) {
            m_form->setError(key, SettingsForm::fieldText(error));
            return;
        }
        m_source = wanted;
        return;
    }
    m_source = wanted;
    Q_EMIT completed(m_source);
}

}  // namespace strata::ui
