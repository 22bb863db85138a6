#include "ui/bridge/plan_watch.h"

#include "ui/bridge/prediction_pool.h"

namespace strata::ui {
namespace {

constexpr int delayMs = 200;

}  // namespace

PlanWatch::PlanWatch(Document& document, QObject* parent) : QObject(parent), m_document(document) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &PlanWatch::ask);
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &PlanWatch::take);
    connect(&m_document, &Document::changed, this, [this] { m_delay.start(); });
}

PlanWatch::~PlanWatch() {
    m_watcher.waitForFinished();
}

void PlanWatch::freed() {
    if (m_besideTraining) m_delay.start();
}

void PlanWatch::ask() {
    m_again = m_watcher.isRunning();
    if (m_again) return;
    m_since = {};
    m_watcher.setFuture(PredictionPool::instance().run(
        [config = m_document.config()] { return predictPlacement(config); }));
}

void PlanWatch::take() {
    m_besideTraining = m_since.any();
    if (!graph::TrainingNow::any()) freed();  // it ended meanwhile
    try {
        m_prediction = m_watcher.result();
    } catch (const std::exception& error) {  // the task itself could not be run
        m_prediction = {{}, Error(ErrorCode::internal, error.what())};
    }
    Q_EMIT planned();
    if (m_again) ask();
}

}  // namespace strata::ui
