// The optimizer: which one, and its parameters from its description.
#pragma once

#include "ui/training/settings_form.h"

class QComboBox;

namespace strata::ui {

class ParamForm;

class OptimizerForm : public SettingsForm {
    Q_OBJECT

public:
    explicit OptimizerForm(Document& document, QWidget* parent = nullptr);
    void retranslate() override;
    void refresh() override;
    ParamForm* params() const { return m_params; }

private:
    void chooseType(const QString& type);
    void applyParam(const QString& key, const Json& value);

    QComboBox* m_type;
    ParamForm* m_params;
    std::string m_shown;  // type that the parameters are of
};

}  // namespace strata::ui
