// What the plan of the project finds wrong, and what would mend it: devices without enough memory
// or work, each with changes that were planned again. After a run that found no memory, what it
// needed. A page beside the charts.
#pragma once

#include <QFutureWatcher>
#include <optional>
#include <vector>

#include "engine/core/error.h"
#include "engine/parallel/planner.h"
#include "ui/document/document.h"
#include "ui/widgets/card_column.h"

class QVBoxLayout;

namespace strata::ui {

class PlanView : public CardColumn {
    Q_OBJECT

public:
    explicit PlanView(Document& document, QWidget* parent = nullptr);

    void setPlan(const std::optional<parallel::PlacementPlan>& plan);
    // Of a run that ended so; until the next edit or run. Where the plan itself finds nothing
    // wrong, what needs less is planned.
    void setFailure(const Error& error);
    void clearFailure();
    // Whether a run's error is one of a device's memory.
    static bool tells(const Error& error);
    int count() const;     // what is to be told
    QString text() const;  // all that it says
    // One undoable edit with the change's name.
    void apply(const parallel::PlanChange& change);

Q_SIGNALS:
    void counted();  // another count()
    void failureCleared();
    void failed(const QString& message);
    void lessPlanned();  // what needs less than the run that ended

protected:
    void fill(QVBoxLayout& column) override;

private:
    void takeLess();
    void addFailureCard(QVBoxLayout& column);
    void addWarningCard(QVBoxLayout& column, const parallel::PlanWarning& warning);
    void addFixes(QVBoxLayout& box, const parallel::PlanWarning& warning, bool asked);
    bool misfits() const;

    Document& m_document;
    std::optional<parallel::PlacementPlan> m_plan;
    std::optional<Error> m_failure;
    QFutureWatcher<std::vector<parallel::PlanWarning>> m_watcher;
    std::vector<parallel::PlanWarning> m_less;
};

}  // namespace strata::ui
