// The engine's thread and its Qt signals: the only part of the ui that knows the trainer. A run of
// several processes is a child process instead, with the same signals.
// The trainer's events gather in a queue; a timer on the window's thread emits them, so training
// never waits for the window.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <QVector>
#include <exception>
#include <memory>
#include <optional>
#include <thread>

#include "engine/graph/training_now.h"
#include "engine/train/events.h"
#include "engine/train/run_config.h"
#include "ui/bridge/event_queue.h"

namespace strata::train {
class Control;
struct ControlRequest;
}  // namespace strata::train

namespace strata::ui {

class RunProcess;

struct RunRequest {
    QString runDirectory;      // "" = runs/<time>-<name> beside the project
    bool resume = false;       // go on from the newest checkpoint of runDirectory
    bool startPaused = false;  // for a first Step: one update, then paused
};

// The end of a run that broke off by an exception.
train::EndEvent failedEnd(const std::exception_ptr& fault);

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
    // From the next step on; each is told by marked().
    void setLearningRate(double rate);
    void setClipLimit(double limit);
    void setWeightDecay(double decay);

Q_SIGNALS:
    void stateChanged(strata::train::RunState state);
    void planned(const strata::train::PlanEvent& plan);
    void stepsArrived(const QVector<strata::train::StepEvent>& steps);
    void epochFinished(const strata::train::EpochEvent& epoch);
    void checkpointWritten(const strata::train::CheckpointEvent& checkpoint);
    void logged(const strata::train::LogEvent& entry);
    void marked(const strata::train::MarkEvent& mark);
    void found(const strata::train::FindingEvent& finding);
    void pipelineMeasured(const strata::train::PipelineEvent& pipeline);
    void timelineMeasured(const strata::train::TimelineEvent& timeline);
    void devicesMeasured(const strata::train::MonitorEvent& monitor);
    void ended(const strata::train::EndEvent& end);

private:
    void deliver();
    void deliverOne(const train::Event& event, QVector<train::StepEvent>& steps);
    void deliverEnd(const train::EndEvent& end);
    void flush(QVector<train::StepEvent>& steps);
    bool isStale(train::RunState arrived) const;
    void setState(train::RunState state);
    void startProcesses(const train::RunConfig& config, const RunRequest& request);
    // Whether several processes train; they are asked by requests in the run's folder.
    bool isRemote() const;
    void ask(const train::ControlRequest& request);

    QTimer m_timer;
    std::thread m_thread;
    std::shared_ptr<train::Control> m_control;
    std::unique_ptr<RunProcess> m_process;  // where the project wants several
    EventQueue m_queue;  // filled on the engine's thread, emptied on the window's
    train::RunState m_state = train::RunState::ready;
    std::optional<graph::TrainingNow> m_training;  // while a run is active
};

}  // namespace strata::ui
