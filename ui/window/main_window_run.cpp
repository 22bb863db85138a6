// The window's part in a run: from Train to the engine thread, and from its signals to bar, charts,
// log and canvas.
#include <QStackedWidget>
#include <QTabWidget>

#include "ui/canvas/canvas.h"
#include "ui/charts/charts.h"
#include "ui/charts/mark_text.h"
#include "ui/charts/stage_view.h"
#include "ui/data/data_panel.h"
#include "ui/inspector/inspector.h"
#include "ui/techniques/control_deck.h"
#include "ui/techniques/doctor_view.h"
#include "ui/techniques/plan_view.h"
#include "ui/techniques/techniques_panel.h"
#include "ui/training/training_panel.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/log_view.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/window/run_bar.h"
#include "ui/window/run_folder.h"
#include "ui/window/welcome_page.h"

namespace strata::ui {

using train::RunState;

void MainWindow::connectRunActions() {
    connect(m_actions->train, &QAction::triggered, this, &MainWindow::train);
    connect(m_actions->goOn, &QAction::triggered, this, &MainWindow::goOn);
    connect(m_actions->trainMenu, &QMenu::aboutToShow, this, &MainWindow::findCheckpoint);
    connect(m_actions->stop, &QAction::triggered, this, &MainWindow::stop);
    connect(m_actions->step, &QAction::triggered, this, [this] {
        if (m_engine->isActive()) {
            m_engine->step();
        } else {
            startRun(true);
        }
    });
    connect(m_actions->saveCheckpoint, &QAction::triggered, m_engine, &EngineThread::save);
}

void MainWindow::connectEngine() {
    connect(m_engine, &EngineThread::stateChanged, this, &MainWindow::stateChanged);
    connect(m_engine, &EngineThread::planned, this, [this](const train::PlanEvent& plan) {
        m_runBar->setPlan(plan);
        m_charts->start(plan);
        m_begunFolder = QString::fromStdString(plan.run_directory);
        if (m_runIsDocuments) m_runFolder = m_begunFolder;
        m_log->add(train::LogEvent::Level::info,
                   tr("Run folder: %1").arg(QString::fromStdString(plan.run_directory)));
    });
    connect(m_engine, &EngineThread::stepsArrived, m_runBar, &RunBar::addSteps);
    connect(m_engine, &EngineThread::stepsArrived, m_charts,
            qOverload<const QVector<train::StepEvent>&>(&Charts::addSteps));
    connect(m_engine, &EngineThread::epochFinished, m_charts, &Charts::addEpoch);
    connect(m_engine, &EngineThread::checkpointWritten, m_charts, &Charts::addCheckpoint);
    connect(m_engine, &EngineThread::checkpointWritten, this,
            [this](const train::CheckpointEvent& checkpoint) {
                m_saveFailure = checkpoint.failure;
                if (checkpoint.failure) {
                    showError(errorText(*checkpoint.failure));
                } else {
                    m_log->add(train::LogEvent::Level::info,
                               (checkpoint.best ? tr("Best checkpoint saved: %1")
                                                : tr("Checkpoint saved: %1"))
                                   .arg(QString::fromStdString(checkpoint.path)));
                }
            });
    connect(m_engine, &EngineThread::logged, this, [this](const train::LogEvent& entry) {
        m_log->add(entry.level, engineText(entry.text));
    });
    connectTechniques();
    connect(m_engine, &EngineThread::ended, m_charts, &Charts::finish);
    connect(m_engine, &EngineThread::ended, this, &MainWindow::ended);
}

void MainWindow::connectTechniques() {
    ControlDeck* deck = m_techniques->deck();
    connect(m_engine, &EngineThread::stateChanged, deck, &ControlDeck::setState);
    connect(m_engine, &EngineThread::stepsArrived, m_techniques, &TechniquesPanel::addSteps);
    connect(m_engine, &EngineThread::marked, m_charts, &Charts::addMark);
    connect(m_engine, &EngineThread::devicesMeasured, m_charts, &Charts::addMeasurement);
    connect(m_engine, &EngineThread::marked, this, &MainWindow::logMark);
    connect(m_engine, &EngineThread::pipelineMeasured, m_stages, &StageView::setPipeline);
    connect(m_engine, &EngineThread::epochFinished, this, [this] {
        if (const QString sentence = m_stages->sentence(); !sentence.isEmpty())
            m_log->add(train::LogEvent::Level::info, sentence);
    });
    connect(deck, &ControlDeck::applied, this, &MainWindow::changeRun);
    connectDoctor();
}

void MainWindow::changeRun(ControlDeck::Setting setting, double value) {
    m_engine->save();  // a way back
    if (setting == ControlDeck::learningRate) m_engine->setLearningRate(value);
    if (setting == ControlDeck::clipLimit) m_engine->setClipLimit(value);
    if (setting == ControlDeck::weightDecay) m_engine->setWeightDecay(value);
}

void MainWindow::logMark(const train::MarkEvent& mark) {
    if (mark.kind == train::MarkEvent::Kind::paused) return;  // the bar shows it
    m_log->add(train::LogEvent::Level::info,
               tr("Update %1: %2").arg(formatCount(mark.update), markText(mark)));
}

void MainWindow::train() {
    switch (m_engine->state()) {
        case RunState::running:
            m_engine->pause();
            break;
        case RunState::pausing:
        case RunState::paused:
            m_engine->resume();
            break;
        case RunState::preparing:
        case RunState::stopping:
            break;
        default:
            startRun(false);
    }
}

void MainWindow::stop() {
    m_engine->stop();
}

void MainWindow::goOn() {
    findCheckpoint();
    if (!m_checkpointFolder.isEmpty()) startRun(false, m_checkpointFolder);
}

void MainWindow::findCheckpoint() {
    m_checkpointFolder = holdsCheckpoint(m_runFolder) ? m_runFolder : lastRunFolder(*m_document);
    updateActions();
}

void MainWindow::startRun(bool paused, const QString& resumeFrom) {
    if (m_engine->isActive() || m_pages->currentWidget() == m_welcome) return;
    m_notice->hide();
    m_toldDetached = false;
    if (const auto error = m_document->fault()) {
        showRunError(*error);
        return;
    }
    RunRequest request;
    request.resume = !resumeFrom.isEmpty();
    request.runDirectory = request.resume ? resumeFrom : runFolder(*m_document);
    request.startPaused = paused;
    m_runIsDocuments = true;
    m_begunFolder.clear();
    m_saveFailure.reset();
    m_stages->clear();
    m_doctor->clear();
    m_planView->clearFailure();
    m_toldMemory = false;
    tellFindings();
    m_techniques->deck()->begin(m_document->config());
    // Only the whole gradient's norm can be compared with the line.
    m_charts->setClipLine(m_document->config().training.clipping.type ==
                          train::Clipping::global_norm);
    beginMeasuring();
    m_engine->start(m_document->config(), request);
}

void MainWindow::stateChanged(RunState state) {
    updateActions();
    m_runBar->setState(state);
}

void MainWindow::updateActions() {
    const RunState state = m_engine->state();
    const bool editing = m_pages->currentWidget() != m_welcome;
    const bool active = m_engine->isActive();
    const bool settled =
        state == RunState::running || state == RunState::paused || state == RunState::pausing;
    m_actions->train->setEnabled(editing && (!active || settled));
    m_actions->train->setText(state == RunState::running ? tr("Pause")
                              : state == RunState::paused || state == RunState::pausing
                                  ? tr("Resume")
                                  : tr("Train"));
    m_actions->goOn->setEnabled(editing && !active && !m_checkpointFolder.isEmpty());
    m_runBar->setProjectOpen(editing);
    m_actions->step->setEnabled(editing && (!active || state == RunState::paused));
    m_actions->stop->setEnabled(active && state != RunState::stopping);
    m_actions->saveCheckpoint->setEnabled(active && settled);
    for (QAction* action : {m_actions->save, m_actions->saveAs, m_actions->selectAll,
                            m_actions->find, m_actions->fit, m_actions->zoomIn, m_actions->zoomOut,
                            m_actions->actualSize, m_actions->lanes, m_actions->placeAuto})
        action->setEnabled(editing);
    const bool selected = editing && !m_document->selection().isEmpty();
    m_actions->duplicate->setEnabled(selected);
    m_actions->placeMenu->setEnabled(selected);
    m_actions->placeOn->setEnabled(selected);
    m_actions->remove->setEnabled(selected || (editing && m_canvas->hasSelectedEdge()));
    m_actions->rename->setEnabled(editing && m_document->selection().size() == 1);
}

void MainWindow::ended(const train::EndEvent& end) {
    findCheckpoint();
    m_runBar->setState(end.state);
    if (end.error) {
        showRunError(*end.error);
        const bool goesOn = m_actions->goOn->isEnabled() && m_checkpointFolder == m_begunFolder;
        if (goesOn && m_notice->offers().isEmpty())
            m_notice->show(NoticeBar::Kind::error, errorText(*end.error), {m_actions->goOn});
    } else {
        tellEnd(end);
    }
    Q_EMIT runEnded();
    // What was learned is not on disk: the person decides what becomes of it.
    const bool lost = end.error || m_saveFailure;
    if (m_closing && !lost) close();
    m_closing = false;
}

void MainWindow::tellEnd(const train::EndEvent& end) {
    QStringList results;
    if (end.test_loss) results << tr("test loss %1").arg(formatNumber(*end.test_loss));
    for (const auto& [name, value] : end.test_metrics)
        results << tr("test %1 %2").arg(nameText(name), formatNumber(value));
    const QString head =
        end.state == RunState::finished ? tr("Finished after %1.") : tr("Stopped after %1.");
    QString text = head.arg(formatDuration(m_runBar->elapsed()));
    if (!end.reason.empty()) text += " " + tr("Ended early: %1.").arg(engineText(end.reason));
    if (end.skipped_steps > 0)
        text += " " + tr("Steps skipped for an overflow: %1.").arg(formatCount(end.skipped_steps));
    if (!results.isEmpty()) {
        QString sentence = results.join(", ") + ".";
        sentence[0] = sentence[0].toUpper();
        text += " " + sentence;
    }
    if (m_saveFailure) {
        showError(text + " " +
                  tr("The model could not be saved: %1").arg(errorText(*m_saveFailure)));
        return;
    }
    if (!end.checkpoint.empty())
        text += " " + tr("Model: %1").arg(QString::fromStdString(end.checkpoint));
    const bool goesOn = end.state == RunState::stopped && m_actions->goOn->isEnabled();
    m_notice->show(NoticeBar::Kind::hint, text,
                   goesOn ? QList{m_actions->goOn} : QList<QAction*>());
    m_log->add(train::LogEvent::Level::info, text);
}

void MainWindow::showRunError(const Error& error) {
    const QString text = errorText(error);
    showError(text);
    if (PlanView::tells(error)) {
        m_planView->setFailure(error);
        m_toldMemory = true;
        m_charts->showPage(m_planView);
        m_notice->show(NoticeBar::Kind::error, text, planOffers());
    }
    const QString layer = layerOf(error);
    if (!layer.isEmpty() && m_document->model().index_of(layer.toStdString()) >= 0) {
        m_side->setCurrentWidget(m_inspector);
        m_canvas->showRunError(layer, errorTextAtLayer(error));
    } else if (m_data->showError(error)) {
        showDataTab();
    } else if (m_training->showError(error)) {
        showTrainingTab();
    } else if (m_techniques->showError(error)) {
        showTechniquesTab();
    }
}

}  // namespace strata::ui
