// What the window does with devices: lanes, placing layers, and the plan that tells of them.
#include <QSettings>

#include "ui/bridge/plan_watch.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/canvas_bar.h"
#include "ui/charts/timeline_view.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/memory_strip.h"
#include "ui/window/placement_dialog.h"

namespace strata::ui {

void MainWindow::connectDevices() {
    connect(m_plans, &PlanWatch::planned, this, &MainWindow::tellPlan);
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
        m_canvasBar->setMeasuredIdle({});
    });
    connect(m_engine, &EngineThread::timelineMeasured, this,
            [this](const train::TimelineEvent& timeline) {
                m_timeline->setTimeline(timeline);
                if (timeline.devices > 1) m_canvasBar->setMeasuredIdle(timeline.idle_share);
            });
    connect(m_document, &Document::replaced, this, [this] { m_canvasBar->setMeasuredIdle({}); });
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

// A fault of the model stands at its layer already.
void MainWindow::tellPlan() {
    const bool told = m_document->fault().has_value();
    m_canvas->setPlan(m_plans->plan());
    m_memory->setPlan(m_plans->plan());
    m_timeline->setPlan(m_plans->plan());
    m_canvasBar->setPlan(m_plans->plan());
    m_canvasBar->setFault(told ? std::nullopt : m_plans->fault());
}

}  // namespace strata::ui
