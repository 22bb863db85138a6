#include "ui/techniques/doctor_view.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/techniques/finding_text.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

constexpr std::size_t mostEntries = 100;

}  // namespace

DoctorView::DoctorView(Document& document, QWidget* parent)
    : CardColumn(parent), m_document(document) {
    connect(&m_document, &Document::changed, this, &DoctorView::rebuild);
    connect(&m_document, &Document::replaced, this, &DoctorView::clear);
    rebuild();
}

void DoctorView::clear() {
    m_entries.clear();
    m_rate = 0.0;
    rebuild();
}

void DoctorView::add(const train::FindingEvent& finding) {
    m_entries.push_front({finding, m_rate, fixesOf(finding, m_document.config(), m_rate)});
    if (m_entries.size() > mostEntries) m_entries.pop_back();
    rebuild();
}

void DoctorView::setState(train::RunState state) {
    using train::RunState;
    const bool live =
        state == RunState::running || state == RunState::paused || state == RunState::pausing;
    if (live == m_live) return;
    m_live = live;
    rebuild();
}

void DoctorView::addSteps(const QVector<train::StepEvent>& steps) {
    if (!steps.isEmpty()) m_rate = steps.last().learning_rate;
}

const std::vector<FindingFix>& DoctorView::newestFixes() const {
    static const std::vector<FindingFix> none;
    return m_entries.empty() ? none : m_entries.front().fixes;
}

void DoctorView::applyToProject(const FindingFix& fix) {
    try {
        m_document.edit(tr("Follow the doctor: %1").arg(fix.text), fix.change);
    } catch (const Error& error) {
        Q_EMIT failed(errorText(error));
    }
}

void DoctorView::applyToRun(const FindingFix& fix) {
    if (m_live && fix.live) Q_EMIT liveChosen(fix.live->setting, fix.live->value);
}

void DoctorView::fill(QVBoxLayout& column) {
    if (m_entries.empty()) {
        QLabel* none = makeLabel("secondary");
        none->setText(
            tr("Nothing found. While a run goes on, the training doctor watches loss, "
               "gradients, layers and data."));
        column.addWidget(none);
    }
    for (const Entry& entry : m_entries) addCard(column, entry);
}

void DoctorView::addCard(QVBoxLayout& column, const Entry& entry) {
    const train::FindingEvent& finding = entry.finding;
    QVBoxLayout* box = makeCard(column);
    auto* head = new QHBoxLayout;
    QLabel* title = makeLabel("heading");
    title->setText(findingTitle(finding));
    QLabel* when = makeLabel("secondary");
    when->setWordWrap(false);
    when->setText(
        tr("epoch %1 · update %2").arg(formatCount(finding.epoch), formatCount(finding.update)));
    title->setWordWrap(false);
    head->addWidget(title);
    const QString layer = QString::fromStdString(finding.layer);
    if (m_document.model().index_of(finding.layer) >= 0) {
        auto* show = new QPushButton(tr("Show the layer"));
        show->setProperty("link", true);
        show->setToolTip(tr("Select %1 on the canvas").arg(layer));
        connect(show, &QPushButton::clicked, this, [this, layer] { Q_EMIT layerChosen(layer); });
        head->addSpacing(8);
        head->addWidget(show);
    }
    head->addStretch(1);
    head->addWidget(when);
    box->addLayout(head);
    auto* reason = new QLabel(findingReason(finding));
    reason->setWordWrap(true);
    reason->setTextFormat(Qt::PlainText);
    reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    box->addWidget(reason);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(3, 1);
    int row = 0;
    for (const FindingFix& fix : entry.fixes) addFix(*grid, row++, fix);
    box->addLayout(grid);
}

void DoctorView::addFix(QGridLayout& grid, int row, const FindingFix& fix) {
    auto* text = new QLabel(fix.text);
    grid.addWidget(text, row, 0);
    const bool done = isDone(fix, m_document.config());
    auto* project = new QPushButton(done ? tr("✓ In the project") : tr("Change the project"));
    project->setEnabled(!done);
    project->setToolTip(tr("%1: for the next run; can be undone").arg(fix.text));
    connect(project, &QPushButton::clicked, this, [this, fix] { applyToProject(fix); });
    grid.addWidget(project, row, 1);
    if (!fix.live || !m_live) return;
    auto* live = new QPushButton(tr("This run: %1").arg(formatNumber(fix.live->value)));
    live->setToolTip(
        tr("From the next step on; a checkpoint is saved first, the curves get a mark"));
    connect(live, &QPushButton::clicked, this, [this, fix] { applyToRun(fix); });
    grid.addWidget(live, row, 2);
}

void DoctorView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        for (Entry& entry : m_entries)
            entry.fixes = fixesOf(entry.finding, m_document.config(), entry.rate);
    CardColumn::changeEvent(event);
}

}  // namespace strata::ui
