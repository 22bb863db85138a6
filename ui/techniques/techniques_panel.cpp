#include "ui/techniques/techniques_panel.h"

#include <QEvent>
#include <QFrame>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/bridge/prediction_pool.h"
#include "ui/techniques/control_deck.h"
#include "ui/techniques/distributed_card.h"
#include "ui/techniques/parallel_cards.h"
#include "ui/techniques/pipeline_card.h"
#include "ui/techniques/run_cards.h"
#include "ui/techniques/schedule_card.h"
#include "ui/techniques/step_cards.h"

namespace strata::ui {
namespace {

constexpr int delayMs = 300;

}  // namespace

TechniquesPanel::TechniquesPanel(Document& document, QWidget* parent)
    : QScrollArea(parent), m_document(document), m_deck(new ControlDeck) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    QWidget* deck = framed(m_deck);
    deck->hide();
    connect(m_deck, &ControlDeck::visibilityChanged, deck, &QWidget::setVisible);
    column->addWidget(deck);
    m_cards = {new PrecisionCard(document),      new Tf32Card(document),
               new AccumulationCard(document),   new ClippingCard(document),
               new ScheduleCard(document),       new EmaCard(document),
               new EarlyStoppingCard(document),  new CheckpointCard(document),
               new RecomputationCard(document),  new DataParallelCard(document),
               new DevicePipelineCard(document), new DistributedCard(document),
               new PipelineCard(document)};
    for (TechniqueCard* card : m_cards) column->addWidget(framed(card));
    column->addStretch(1);
    setWidget(content);
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &TechniquesPanel::ask);
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &TechniquesPanel::take);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this,
            &TechniquesPanel::scrollToRevealed);
    connect(&m_document, &Document::changed, this, [this] {
        m_refused.reset();
        m_misplaced.reset();
        refresh();
    });
    retranslate();
}

TechniquesPanel::~TechniquesPanel() {
    m_watcher.waitForFinished();
}

QWidget* TechniquesPanel::framed(QWidget* content) {
    auto* frame = new QFrame;
    frame->setProperty("card", true);
    auto* box = new QVBoxLayout(frame);
    box->setContentsMargins(12, 8, 12, 8);
    box->addWidget(content);
    return frame;
}

void TechniquesPanel::retranslate() {
    setAccessibleName(tr("Techniques"));
    for (TechniqueCard* card : m_cards) card->retranslate();
    refresh();
}

void TechniquesPanel::refresh() {
    for (TechniqueCard* card : m_cards) card->refresh();
    tellFaults();
    m_due = true;
    if (isVisible()) m_delay.start();
}

void TechniquesPanel::tellFaults() {
    std::vector<Error> faults = techniqueFaults(m_document.config());
    if (m_refused) faults.push_back(*m_refused);
    if (m_misplaced) faults.push_back(*m_misplaced);
    for (const Error& fault : faults)
        for (TechniqueCard* card : m_cards)
            if (card->showFault(fault)) break;
}

void TechniquesPanel::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    if (m_due) m_delay.start();
    if (m_toFocus) QTimer::singleShot(0, this, &TechniquesPanel::reveal);
}

void TechniquesPanel::freed() {
    if (!m_besideTraining) return;
    m_due = true;
    if (isVisible()) m_delay.start();
}

void TechniquesPanel::ask() {
    m_again = m_watcher.isRunning();
    if (m_again) return;
    m_due = false;
    m_since = {};
    m_watcher.setFuture(PredictionPool::instance().run(
        [config = m_document.config()] { return predictTechniques(config); }));
}

void TechniquesPanel::take() {
    m_besideTraining = m_since.any();
    if (!graph::TrainingNow::any()) freed();  // it ended meanwhile
    TechniquePrediction prediction;
    try {
        prediction = m_watcher.result();
    } catch (const std::exception&) {  // the task itself could not be run
    }
    m_misplaced = prediction.placementFault;
    for (TechniqueCard* card : m_cards) card->setPrediction(prediction);
    tellFaults();
    Q_EMIT predicted();
    if (m_again) ask();
}

bool TechniquesPanel::showError(const Error& error) {
    for (TechniqueCard* card : m_cards) {
        if (!card->showFault(error)) continue;
        m_refused = error;
        m_revealed = card->faultEditor(error);
        m_toFocus = true;
        if (isVisible()) QTimer::singleShot(0, this, &TechniquesPanel::reveal);
        return true;
    }
    return false;
}

// Once the panel is laid out; what is laid out later moves the field's place.
void TechniquesPanel::reveal() {
    if (!m_toFocus || m_revealed == nullptr || !isVisible()) return;
    m_toFocus = false;
    m_revealed->setFocus(Qt::OtherFocusReason);
    scrollToRevealed();
}

void TechniquesPanel::scrollToRevealed() {
    if (m_revealed == nullptr || window()->focusWidget() != m_revealed) return;
    ensureWidgetVisible(m_revealed->parentWidget());  // its error stands below it
    ensureWidgetVisible(m_revealed);
}

void TechniquesPanel::addSteps(const QVector<train::StepEvent>& steps) {
    m_deck->addSteps(steps);
    for (TechniqueCard* card : m_cards) card->addSteps(steps);
}

void TechniquesPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

}  // namespace strata::ui
