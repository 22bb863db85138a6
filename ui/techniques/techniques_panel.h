// The training techniques as cards, each a switch with its few options and its predicted effect;
// above them, while a run goes on, what may be changed in it. Used by the window as a tab.
#pragma once

#include <QFutureWatcher>
#include <QPointer>
#include <QScrollArea>
#include <QTimer>
#include <vector>

#include "engine/graph/training_now.h"
#include "engine/train/events.h"
#include "ui/document/document.h"
#include "ui/techniques/technique_prediction.h"

namespace strata::ui {

class ControlDeck;
class TechniqueCard;

class TechniquesPanel : public QScrollArea {
    Q_OBJECT

public:
    explicit TechniquesPanel(Document& document, QWidget* parent = nullptr);
    ~TechniquesPanel() override;

    // Shows an engine's error at the option that caused it, which gets the focus, now or when the
    // panel is shown. False where none is meant.
    bool showError(const Error& error);
    ControlDeck* deck() const { return m_deck; }
    const std::vector<TechniqueCard*>& cards() const { return m_cards; }
    void addSteps(const QVector<train::StepEvent>& steps);
    // Where the last prediction was measured beside a training: predicts again, without one.
    void freed();

Q_SIGNALS:
    void predicted();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* framed(QWidget* content);
    void retranslate();
    void refresh();
    void tellFaults();
    void reveal();
    void scrollToRevealed();
    void ask();
    void take();

    Document& m_document;
    ControlDeck* m_deck;
    std::vector<TechniqueCard*> m_cards;
    std::optional<Error> m_refused;    // by Train, until the project changes
    std::optional<Error> m_misplaced;  // by the planner, likewise
    QPointer<QWidget> m_revealed;      // its field
    bool m_toFocus = false;
    QTimer m_delay;  // typing asks once
    QFutureWatcher<TechniquePrediction> m_watcher;
    bool m_again = false, m_due = true;  // m_due: the project changed while the panel was hidden
    graph::TrainingSince m_since;        // the last prediction was asked for
    bool m_besideTraining = false;       // it was made
};

}  // namespace strata::ui
