// The run: loss, metrics, epochs, batches, seed and threads.
#pragma once

#include "ui/training/settings_form.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace strata::ui {

class RunForm : public SettingsForm {
    Q_OBJECT

public:
    explicit RunForm(Document& document, QWidget* parent = nullptr);
    void retranslate() override;
    void refresh() override;

private:
    void makeMetrics();
    void applySeed();
    void applyMetric(const std::string& name, bool on);
    void checkAgainstModel();

    QComboBox* m_loss;
    QWidget* m_metricBox;
    std::vector<std::pair<std::string, QCheckBox*>> m_metrics;
    QSpinBox *m_epochs, *m_batch, *m_threads;
    QCheckBox* m_remainder;
    QLineEdit* m_seed;
};

}  // namespace strata::ui
