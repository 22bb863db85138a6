// The card of the learning rate over a run: schedule, warm-up and reduction on a plateau, with a
// preview of the curve. Made by the techniques panel.
#pragma once

#include "ui/techniques/technique_card.h"

namespace strata::ui {

class ParamForm;
class RateCurve;

class ScheduleCard : public TechniqueCard {
    Q_OBJECT

public:
    explicit ScheduleCard(Document& document);
    void retranslate() override;
    bool showFault(const Error& error) override;
    QWidget* faultEditor(const Error& error) const override;
    ParamForm* params() const { return m_params; }
    ParamForm* plateau() const { return m_plateau; }
    const std::vector<double>& preview() const { return m_rates; }

protected:
    void showOptions(const train::RunConfig& config) override;
    QString effect() const override;
    QString title() const override { return tr("Learning-rate schedule"); }
    QString sentence() const override {
        return tr("Changes the learning rate as the run goes on.");
    }

private:
    ParamForm* addForm(const QString& part);
    void applyPart(ParamForm* form, const QString& part, const QString& key, const Json& value);
    void updatePreview();
    std::pair<ParamForm*, QString> faultParam(const Error& error) const;

    QComboBox* m_type;
    ParamForm *m_params, *m_plateau;
    QSpinBox* m_warmup;
    QCheckBox* m_lowers;
    RateCurve* m_curve;
    std::string m_shown;  // type that the parameters are of
    bool m_plateauMade = false;
    std::vector<double> m_rates;  // of the preview, evenly over the run
};

}  // namespace strata::ui
