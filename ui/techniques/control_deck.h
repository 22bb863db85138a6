// Changes what a running training may change: learning rate, clipping limit, weight decay. Shows
// the run's present values; the window hands what was applied to the engine thread.
#pragma once

#include <QVector>
#include <QWidget>
#include <optional>

#include "engine/train/events.h"
#include "engine/train/run_config.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace strata::ui {

class ControlDeck : public QWidget {
    Q_OBJECT

public:
    enum Setting { learningRate, clipLimit, weightDecay, settingCount };

    explicit ControlDeck(QWidget* parent = nullptr);

    void begin(const train::RunConfig& config);  // a run of this project begins
    void setState(train::RunState state);        // shown while a run is going on
    void addSteps(const QVector<train::StepEvent>& steps);
    QLineEdit* field(Setting setting) const { return m_fields[setting]; }
    QPushButton* button() const { return m_apply; }

Q_SIGNALS:
    void applied(strata::ui::ControlDeck::Setting setting, double value);
    void visibilityChanged(bool visible);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void apply();
    void showValue(Setting setting, double value);
    bool isOpen(Setting setting) const { return setting != clipLimit || m_clips; }

    QLabel *m_title, *m_sentence, *m_error;
    QLabel* m_labels[settingCount];
    QLineEdit* m_fields[settingCount];
    QPushButton* m_apply;
    bool m_clips = false;
};

}  // namespace strata::ui
