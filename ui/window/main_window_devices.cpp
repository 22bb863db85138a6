// What the window does with devices: lanes, placing layers, and the plan that tells of them.
#include <QAction>
#include <optional>
#include <utility>

#include "ui/bridge/plan_watch.h"
#include "ui/bridge/prediction_pool.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/canvas_bar.h"
#include "ui/charts/charts.h"
#include "ui/charts/timeline_view.h"
#include "ui/techniques/plan_fixes.h"
#include "ui/techniques/plan_view.h"
#include "ui/techniques/techniques_panel.h"
#include "ui/widgets/format.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/memory_strip.h"
#include "ui/window/notice_bar.h"
#include "ui/window/placement_dialog.h"

namespace strata::ui {
namespace {

constexpr int longestRestMs = 15000;  // of predictions, while a run reads its data
constexpr std::size_t mostOffers = 2;

// Of the mean update, at the run's rate; nothing before there is one.
std::optional<double> secondsOfStep(const train::StepEvent& last) {
    if (last.update < 1 || !(last.samples_per_s > 0.0)) return {};
    return static_cast<double>(last.samples) / static_cast<double>(last.update) /
           last.samples_per_s;
}

// What of a project decides how long a step takes.
Json workOf(const train::RunConfig& config) {
    Json work = train::project_to_json(config);
    Json& training = work["training"];
    for (const char* key : {"epochs", "seed", "learning_rate_schedule", "early_stopping",
                            "checkpoint", "scale_lr", "warmup_epochs"})
        training.erase(key);
    if (training.contains("optimizer")) training["optimizer"].erase("config");
    work.erase("name");
    return work;
}

}  // namespace

void MainWindow::connectDevices() {
    connect(m_plans, &PlanWatch::planned, this, &MainWindow::tellPlan);
    connect(m_planView, &PlanView::counted, this, &MainWindow::tellPlanWarnings);
    connect(m_planView, &PlanView::failed, this, &MainWindow::showError);
    connect(m_planView, &PlanView::failureCleared, this, [this] {
        if (std::exchange(m_toldMemory, false) && m_notice->tellsError()) m_notice->hide();
    });
    connect(m_engine, &EngineThread::stateChanged, this, &MainWindow::restPredictions);
    m_predictionRest.setSingleShot(true);
    m_predictionRest.setInterval(longestRestMs);
    connect(&m_predictionRest, &QTimer::timeout, this,
            [] { PredictionPool::instance().release(); });
    connect(m_canvasBar, &CanvasBar::lanesChosen, m_canvas, &Canvas::setLanes);
    connect(m_actions->lanes, &QAction::toggled, m_canvas, &Canvas::setLanes);
    connect(m_canvas, &Canvas::lanesChanged, this, [this](bool on) {
        m_canvasBar->setLanes(on);
        m_actions->lanes->setChecked(on);
    });
    connect(m_actions->placeMenu, &QMenu::aboutToShow, this,
            [this] { m_canvas->fillPlaceMenu(*m_actions->placeMenu); });
    connect(m_engine, &EngineThread::planned, this, [this](const train::PlanEvent& plan) {
        m_timeline->start(plan);
        m_measuredStep.reset();
        m_measuredIdle.reset();
        tellMeasured();
    });
    connect(m_engine, &EngineThread::stepsArrived, this,
            [this](const QVector<train::StepEvent>& steps) {
                if (!steps.isEmpty()) m_measuredStep = secondsOfStep(steps.last());
                tellMeasured();
            });
    connect(m_engine, &EngineThread::timelineMeasured, this,
            [this](const train::TimelineEvent& timeline) {
                m_timeline->setTimeline(timeline);
                if (timeline.devices > 1) m_measuredIdle = timeline.idle_share;
                tellMeasured();
            });
    connect(m_document, &Document::changed, this, &MainWindow::compareWork);
    connect(m_document, &Document::replaced, this, [this] {
        m_measuredStep.reset();
        m_measuredIdle.reset();
        tellMeasured();
    });
    connect(m_actions->placeAuto, &QAction::triggered, this, &MainWindow::placeAutomatically);
    connect(m_canvasBar, &CanvasBar::placementAsked, this, &MainWindow::placeAutomatically);
    connect(m_actions->placeOn, &QAction::triggered, m_canvas, &Canvas::showPlaceMenu);
}

void MainWindow::placeAutomatically() {
    if (const auto error = m_document->fault()) {
        showRunError(*error);
        return;
    }
    auto* dialog = new PlacementDialog(*m_document, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::beginMeasuring() {
    m_runWork = workOf(m_document->config());
    m_measuredStep.reset();
    m_measuredIdle.reset();
    m_timeline->start({});
    compareWork();
}

void MainWindow::compareWork() {
    m_timeline->setOutdated(!m_runWork.is_null() && workOf(m_document->config()) != m_runWork);
    tellMeasured();
}

// Beside a prediction stands only what is of the same work.
void MainWindow::tellMeasured() {
    const bool same = !m_timeline->isOutdated();
    m_canvasBar->setMeasuredStep(same ? m_measuredStep : std::nullopt);
    m_canvasBar->setMeasuredIdle(same ? m_measuredIdle : std::nullopt);
}

// A fault of the model stands at its layer already.
void MainWindow::tellPlan() {
    const bool told = m_document->fault().has_value();
    m_canvas->setPlan(m_plans->plan());
    m_planView->setPlan(m_plans->plan());
    m_memory->setPlan(m_plans->plan());
    m_timeline->setPlan(m_plans->plan());
    m_canvasBar->setPlan(m_plans->plan());
    m_canvasBar->setFault(told ? std::nullopt : m_plans->fault());
}

void MainWindow::tellPlanWarnings() {
    const int count = m_planView->count();
    m_charts->setPageTitle(m_planView,
                           count == 0 ? tr("Plan") : tr("Plan (%1)").arg(formatCount(count)));
}

// A run that is prepared has the machine to itself, as far as the studio goes. What was measured
// while one trained is measured anew when it is over.
void MainWindow::restPredictions(train::RunState state) {
    if (state == train::RunState::preparing) {
        PredictionPool::instance().hold();
        m_predictionRest.start();
    } else {
        m_predictionRest.stop();
        PredictionPool::instance().release();
    }
    if (!m_engine->isActive()) {
        m_plans->freed();
        m_techniques->freed();
    }
}

// What mends a lack of memory, where the plan knows it already.
QList<QAction*> MainWindow::planOffers() {
    QList<QAction*> offers;
    if (const auto& plan = m_plans->plan())
        for (const parallel::PlanWarning& warning : plan->warnings)
            for (const parallel::PlanFix& fix : warning.fixes) {
                if (warning.too_much == 0 || !fix.fits) continue;
                if (offers.size() == static_cast<qsizetype>(mostOffers)) break;
                auto* action = new QAction(tr("Project: %1").arg(changeText(fix.change)), m_notice);
                action->setToolTip(changeEffect(fix, warning));
                connect(action, &QAction::triggered, this,
                        [this, change = fix.change] { m_planView->apply(change); });
                offers << action;
            }
    auto* all = new QAction(tr("What needs less"), m_notice);
    all->setToolTip(tr("Show what the planner proposes against the lack of memory"));
    connect(all, &QAction::triggered, this, [this] { m_charts->showPage(m_planView); });
    return offers << all;
}

}  // namespace strata::ui
