#include "ui/bridge/engine_thread.h"

#include <new>

#include "engine/train/control_file.h"
#include "engine/train/trainer.h"
#include "ui/bridge/run_process.h"

namespace strata::ui {
namespace {

constexpr int deliveryIntervalMs = 33;
}  // namespace

train::EndEvent failedEnd(const std::exception_ptr& fault) {
    train::EndEvent end;
    end.state = train::RunState::failed;
    try {
        std::rethrow_exception(fault);
    } catch (const Error& error) {
        end.error = error;
    } catch (const std::bad_alloc&) {
        end.error = Error(ErrorCode::out_of_memory, "there is not enough memory", "",
                          "Use a smaller batch or close other programs");
    } catch (const std::exception& error) {
        end.error = Error(ErrorCode::internal, error.what());
    } catch (...) {
        end.error = Error(ErrorCode::internal, "the run ended by an unknown fault");
    }
    return end;
}

EngineThread::EngineThread(QObject* parent) : QObject(parent) {
    m_timer.setInterval(deliveryIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &EngineThread::deliver);
}

EngineThread::~EngineThread() {
    if (m_control) m_control->stop();
    if (m_thread.joinable()) m_thread.join();
}

bool EngineThread::isActive() const {
    return m_training.has_value();
}

void EngineThread::start(const train::RunConfig& config, const RunRequest& request) {
    if (isActive()) return;
    if (m_thread.joinable()) m_thread.join();
    m_training.emplace();
    if (config.placement.ranks > 1) {
        startProcesses(config, request);
        return;
    }
    m_control = std::make_shared<train::Control>();
    if (request.startPaused) m_control->step();
    setState(train::RunState::preparing);
    const train::RunOptions options{request.runDirectory.toStdString(), request.resume,
                                    request.startPaused};
    m_thread = std::thread([this, config, options, control = m_control] {
        const auto sink = [this](const train::Event& event) { m_queue.push(event); };
        try {
            train::Trainer(config, options, sink, control).run();
        } catch (...) {  // before the trainer could send its own end
            m_queue.push(failedEnd(std::current_exception()));
        }
    });
    m_timer.start();
}

void EngineThread::startProcesses(const train::RunConfig& config, const RunRequest& request) {
    setState(train::RunState::preparing);
    m_process =
        std::make_unique<RunProcess>([this](const train::Event& event) { m_queue.push(event); });
    try {
        m_process->start(config, request);
    } catch (...) {
        m_queue.push(failedEnd(std::current_exception()));
    }
    m_timer.start();
}

bool EngineThread::isRemote() const {
    return isActive() && m_process != nullptr;
}

void EngineThread::ask(const train::ControlRequest& request) {
    if (isRemote())
        m_process->control(request);
    else if (isActive())
        train::apply(request, *m_control);
}

void EngineThread::pause() {
    if (!isActive() || m_state != train::RunState::running) return;
    train::ControlRequest request;
    request.pause = true;
    ask(request);
    setState(train::RunState::pausing);
}

void EngineThread::resume() {
    if (!isActive() || (m_state != train::RunState::paused && m_state != train::RunState::pausing))
        return;
    train::ControlRequest request;
    request.resume = true;
    ask(request);
    setState(train::RunState::running);
}

void EngineThread::step() {
    train::ControlRequest request;
    request.step = true;
    ask(request);
}

void EngineThread::stop() {
    if (!isActive()) return;
    train::ControlRequest request;
    request.stop = true;
    ask(request);
    setState(train::RunState::stopping);
}

void EngineThread::save() {
    train::ControlRequest request;
    request.save = true;
    ask(request);
}

void EngineThread::setLearningRate(double rate) {
    train::ControlRequest request;
    request.learning_rate = rate;
    ask(request);
}

void EngineThread::setClipLimit(double limit) {
    train::ControlRequest request;
    request.clip_limit = limit;
    ask(request);
}

void EngineThread::setWeightDecay(double decay) {
    train::ControlRequest request;
    request.weight_decay = decay;
    ask(request);
}

void EngineThread::deliver() {
    const auto [events, dropped] = m_queue.take();
    QVector<train::StepEvent> steps;
    for (const train::Event& event : events) deliverOne(event, steps);
    flush(steps);
    if (dropped > 0)
        Q_EMIT logged(
            {train::LogEvent::Level::warning, tr("The window was busy: %n update(s) are missing on "
                                                 "the charts. The run's log has them.",
                                                 nullptr, static_cast<int>(dropped))
                                                  .toStdString()});
}

void EngineThread::flush(QVector<train::StepEvent>& steps) {
    if (steps.isEmpty()) return;
    Q_EMIT stepsArrived(steps);
    steps.clear();
}

void EngineThread::deliverOne(const train::Event& event, QVector<train::StepEvent>& steps) {
    if (const auto* stepEvent = std::get_if<train::StepEvent>(&event)) {
        steps.push_back(*stepEvent);
        return;
    }
    flush(steps);
    if (const auto* state = std::get_if<train::StateEvent>(&event)) {
        if (!isStale(state->state)) setState(state->state);
    } else if (const auto* plan = std::get_if<train::PlanEvent>(&event)) {
        Q_EMIT planned(*plan);
    } else if (const auto* epoch = std::get_if<train::EpochEvent>(&event)) {
        Q_EMIT epochFinished(*epoch);
    } else if (const auto* checkpoint = std::get_if<train::CheckpointEvent>(&event)) {
        Q_EMIT checkpointWritten(*checkpoint);
    } else if (const auto* entry = std::get_if<train::LogEvent>(&event)) {
        Q_EMIT logged(*entry);
    } else if (const auto* mark = std::get_if<train::MarkEvent>(&event)) {
        Q_EMIT marked(*mark);
    } else if (const auto* finding = std::get_if<train::FindingEvent>(&event)) {
        Q_EMIT found(*finding);
    } else if (const auto* pipeline = std::get_if<train::PipelineEvent>(&event)) {
        Q_EMIT pipelineMeasured(*pipeline);
    } else if (const auto* timeline = std::get_if<train::TimelineEvent>(&event)) {
        Q_EMIT timelineMeasured(*timeline);
    } else if (const auto* monitor = std::get_if<train::MonitorEvent>(&event)) {
        Q_EMIT devicesMeasured(*monitor);
    } else if (const auto* end = std::get_if<train::EndEvent>(&event)) {
        deliverEnd(*end);
    }
}

void EngineThread::deliverEnd(const train::EndEvent& end) {
    m_timer.stop();
    if (m_thread.joinable()) m_thread.join();
    m_process.reset();
    m_training.reset();
    setState(end.state);
    Q_EMIT ended(end);
}

// A request shows at once; an older state that was on its way does not take it back. The last state
// comes with EndEvent.
bool EngineThread::isStale(train::RunState arrived) const {
    using train::RunState;
    if (arrived == RunState::finished || arrived == RunState::stopped ||
        arrived == RunState::failed)
        return true;
    if (m_state == RunState::stopping) return true;
    return m_state == RunState::pausing && arrived == RunState::running;
}

void EngineThread::setState(train::RunState state) {
    if (state == m_state) return;
    m_state = state;
    Q_EMIT stateChanged(state);
}

}  // namespace strata::ui
