// The run: loss, metrics, epochs, seed, threads and checkpoints.
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
    void makeCheckpoint();
    void applySeed();
    void applyMetric(const std::string& name, bool on);
    void showCheckpoint();
    void checkAgainstModel();

    QComboBox* m_loss;
    QWidget* m_metricBox;
    std::vector<std::pair<std::string, QCheckBox*>> m_metrics;
    QSpinBox *m_epochs, *m_threads;
    QLineEdit* m_seed;
    QCheckBox *m_checkpoint, *m_bestOnly;
    QComboBox *m_monitor, *m_mode;
};

}  // namespace strata::ui
