// Above the canvas: stack or lanes, and what the plan says of the pipeline. Shows what it is told;
// the window joins it with the canvas.
#pragma once

#include <QFrame>
#include <optional>

#include "engine/core/error.h"
#include "engine/parallel/planner.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace strata::ui {

class CanvasBar : public QFrame {
    Q_OBJECT

public:
    explicit CanvasBar(QWidget* parent = nullptr);

    void setLanes(bool on);
    void setPlan(const std::optional<parallel::PlacementPlan>& plan);
    void setFault(const std::optional<Error>& fault);  // why there is no plan, if it is to be told
    void setMeasuredIdle(std::optional<double> share);
    void setMeasuredStep(std::optional<double> seconds);
    QString summary() const;
    QToolButton* stackButton() const { return m_stack; }
    QToolButton* lanesButton() const { return m_lanes; }
    QPushButton* autoButton() const { return m_auto; }

Q_SIGNALS:
    void lanesChosen(bool on);
    void placementAsked();  // by the planner

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void retranslate();
    void tell();
    QStringList words() const;
    QStringList measured() const;

    QToolButton *m_stack, *m_lanes;
    QLabel* m_summary;
    QPushButton* m_auto;
    std::optional<parallel::PlacementPlan> m_plan;
    std::optional<Error> m_fault;
    std::optional<double> m_measured, m_measuredStep;
};

}  // namespace strata::ui
