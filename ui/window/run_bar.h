// Train, Pause, Step, Stop and Save checkpoint, and beside them a block of fixed width with the
// state of the run. Shows what it is told; the window makes the actions and starts runs.
#pragma once

#include <QFrame>
#include <QTimer>
#include <QVector>

#include "engine/train/events.h"
#include "ui/window/run_clock.h"

class QAction;
class QLabel;
class QProgressBar;
class QPushButton;

namespace strata::ui {

class StateShape;

struct RunActions {
    QAction *train, *step, *stop, *save;
};

class RunBar : public QFrame {
    Q_OBJECT

public:
    explicit RunBar(const RunActions& actions, QWidget* parent = nullptr);

    void setState(train::RunState state);
    void setProjectOpen(bool open);  // before the first run it says what comes next
    QString hint() const;            // "" once there was a run
    void setPlan(const train::PlanEvent& plan);
    void addSteps(const QVector<train::StepEvent>& steps);
    train::RunState state() const { return m_state; }
    QString stateWords() const;
    QSize minimumSizeHint() const override;
    double elapsed() const { return m_clock.elapsed(); }  // seconds worked, without pauses

Q_SIGNALS:
    void focusFreed();  // the button with the keyboard focus is disabled

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* makeButton(QAction* action, const char* icon);
    QLabel* makeLabel(bool secondary);
    void buildBlock(QWidget* block);
    void syncButtons();
    void retranslate();
    void setWidths();  // the widest text that each place may hold
    void showNumbers();
    void showParts();        // those for which there is room
    int fixedWidth() const;  // of all but those

    RunActions m_actions;
    QPushButton *m_train, *m_step, *m_stop, *m_save;
    StateShape* m_shape;
    QLabel *m_stateText, *m_hint, *m_epoch, *m_update, *m_elapsed, *m_left, *m_rate, *m_device;
    QProgressBar* m_progress;
    QTimer m_refresh;  // numbers change at most ten times a second
    RunClock m_clock;
    train::RunState m_state = train::RunState::ready;
    train::StepEvent m_last;
    train::PlanEvent m_plan;
    bool m_begun = false, m_projectOpen = false;
};

}  // namespace strata::ui
