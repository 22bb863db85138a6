// The engine's thread and its Qt signals: the only part of the ui that knows the trainer.
// The trainer's events gather in a queue; a timer on the window's thread emits them, so training
// never waits for the window.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <QVector>
#include <memory>
#include <mutex>
#include <thread>

#include "engine/train/events.h"
#include "engine/train/run_config.h"

namespace strata::train {
class Control;
}  // namespace strata::train

namespace strata::ui {

struct RunRequest {
    QString runDirectory;      // "" = runs/<time>-<name> beside the project
    bool resume = false;       // go on from the newest checkpoint of runDirectory
    bool startPaused = false;  // for a first Step: one update, then paused
};

class EngineThread : public QObject {
    Q_OBJECT

public:
    explicit EngineThread(QObject* parent = nullptr);
    ~EngineThread() override;  // stops a run and waits for its end

    train::RunState state() const { return m_state; }
    bool isActive() const;  // between start() and ended()

    // Starts a run of a copy of the project. Ignored while one is active.
    void start(const train::RunConfig& config, const RunRequest& request);
    void pause();
    void resume();
    void step();  // one update, then paused
    void stop();  // after this step, with a checkpoint
    void save();

Q_SIGNALS:
    void stateChanged(strata::train::RunState state);
    void planned(const strata::train::PlanEvent& plan);
    void stepsArrived(const QVector<strata::train::StepEvent>& steps);
    void epochFinished(const strata::train::EpochEvent& epoch);
    void checkpointWritten(const strata::train::CheckpointEvent& checkpoint);
    void logged(const strata::train::LogEvent& entry);
    void ended(const strata::train::EndEvent& end);

private:
    void receive(const train::Event& event);  // on the engine's thread
    void deliver();                           // on the window's thread
    void deliverOne(const train::Event& event, QVector<train::StepEvent>& steps);
    void flush(QVector<train::StepEvent>& steps);
    bool isStale(train::RunState arrived) const;
    void setState(train::RunState state);

    QTimer m_timer;
    std::thread m_thread;
    std::shared_ptr<train::Control> m_control;
    std::mutex m_mutex;
    std::vector<train::Event> m_queue;  // guarded by m_mutex
    std::size_t m_dropped = 0;          // guarded by m_mutex
    train::RunState m_state = train::RunState::ready;
    bool m_active = false;
};

}  // namespace strata::ui
