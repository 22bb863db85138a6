// The plan of the open project's placement, made anew after each change on another thread. Used by
// all that shows devices: lanes, budget bars, techniques and the pipeline's chart.
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>

#include "engine/graph/training_now.h"
#include "ui/bridge/prediction.h"
#include "ui/document/document.h"

namespace strata::ui {

class PlanWatch : public QObject {
    Q_OBJECT

public:
    explicit PlanWatch(Document& document, QObject* parent = nullptr);
    ~PlanWatch() override;

    // Of the project as it was when it was last planned.
    const std::optional<parallel::PlacementPlan>& plan() const { return m_prediction.plan; }
    const std::optional<Error>& fault() const { return m_prediction.fault; }
    // Where the last plan's times were measured beside a training: plans again, without one.
    void freed();

Q_SIGNALS:
    void planned();

private:
    void ask();
    void take();

    Document& m_document;
    QTimer m_delay;  // typing asks once
    QFutureWatcher<PlacementPrediction> m_watcher;
    PlacementPrediction m_prediction;
    bool m_again = false;
    graph::TrainingSince m_since;   // the last plan was asked for
    bool m_besideTraining = false;  // it was made
};

}  // namespace strata::ui
