// What the training doctor found in this run, newest first, each with what can be done about it: a
// change of the project, or of the run that goes on. A page beside the charts.
#pragma once

#include <deque>

#include "ui/document/document.h"
#include "ui/techniques/finding_fixes.h"
#include "ui/widgets/card_column.h"

class QGridLayout;
class QVBoxLayout;

namespace strata::ui {

class DoctorView : public CardColumn {
    Q_OBJECT

public:
    explicit DoctorView(Document& document, QWidget* parent = nullptr);

    void clear();  // another run or project
    void add(const train::FindingEvent& finding);
    void setState(train::RunState state);
    void addSteps(const QVector<train::StepEvent>& steps);
    int count() const { return static_cast<int>(m_entries.size()); }
    // Of the newest finding.
    const std::vector<FindingFix>& newestFixes() const;
    bool takesLive() const { return m_live; }
    // One undoable edit with the fix's name; an Error of the engine's is told by failed().
    void applyToProject(const FindingFix& fix);
    void applyToRun(const FindingFix& fix);

Q_SIGNALS:
    void liveChosen(strata::ui::ControlDeck::Setting setting, double value);
    void layerChosen(const QString& name);
    void failed(const QString& message);

protected:
    void fill(QVBoxLayout& column) override;
    void changeEvent(QEvent* event) override;

private:
    struct Entry {
        train::FindingEvent finding;
        double rate;  // of the run, when it was found
        std::vector<FindingFix> fixes;
    };

    void addCard(QVBoxLayout& column, const Entry& entry);
    void addFix(QGridLayout& grid, int row, const FindingFix& fix);

    Document& m_document;
    std::deque<Entry> m_entries;  // newest first
    double m_rate = 0.0;          // of the newest step
    bool m_live = false;
};

}  // namespace strata::ui
