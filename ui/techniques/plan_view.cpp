#include "ui/techniques/plan_view.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/bridge/prediction.h"
#include "ui/bridge/prediction_pool.h"
#include "ui/techniques/plan_fixes.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/text.h"

namespace strata::ui {
namespace {

QVBoxLayout* addCard(QVBoxLayout& column, const QString& title) {
    QVBoxLayout* box = makeCard(column);
    QLabel* head = makeLabel("heading");
    head->setText(title);
    box->addWidget(head);
    return box;
}

void addText(QVBoxLayout& box, const QString& text, const char* property = nullptr) {
    QLabel* label = property == nullptr ? new QLabel : makeLabel(property);
    label->setText(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    box.addWidget(label);
}

}  // namespace

PlanView::PlanView(Document& document, QWidget* parent) : CardColumn(parent), m_document(document) {
    connect(&m_document, &Document::changed, this, &PlanView::clearFailure);
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &PlanView::takeLess);
    rebuild();
}

bool PlanView::tells(const Error& error) {
    return error.code() == ErrorCode::out_of_memory && !error.where().starts_with("data.");
}

void PlanView::setPlan(const std::optional<parallel::PlacementPlan>& plan) {
    m_plan = plan;
    rebuild();
    Q_EMIT counted();
}

bool PlanView::misfits() const {
    return m_plan && std::any_of(m_plan->warnings.begin(), m_plan->warnings.end(), [](auto& each) {
               return each.too_much > 0 && !each.fixes.empty();
           });
}

void PlanView::setFailure(const Error& error) {
    m_failure = error;
    m_less.clear();
    if (!misfits())
        m_watcher.setFuture(PredictionPool::instance().run(
            [config = m_document.config()] { return predictLessMemory(config); }));
    rebuild();
    Q_EMIT counted();
}

void PlanView::clearFailure() {
    if (!m_failure) return;
    m_failure.reset();
    m_less.clear();
    rebuild();
    Q_EMIT counted();
    Q_EMIT failureCleared();
}

void PlanView::takeLess() {
    try {
        if (m_failure) m_less = m_watcher.result();
    } catch (const std::exception&) {  // the task itself could not be run
    }
    rebuild();
    Q_EMIT lessPlanned();
}

int PlanView::count() const {
    return (m_failure ? 1 : 0) + (m_plan ? static_cast<int>(m_plan->warnings.size()) : 0);
}

QString PlanView::text() const {
    QStringList lines;
    for (const QLabel* label : widget()->findChildren<QLabel*>()) lines << label->text();
    return lines.join('\n');
}

void PlanView::apply(const parallel::PlanChange& change) {
    try {
        m_document.edit(tr("Follow the plan: %1").arg(changeText(change)),
                        [&](train::RunConfig& config) { applyChange(config, change); });
    } catch (const Error& error) {
        Q_EMIT failed(errorText(error));
    }
}

void PlanView::fill(QVBoxLayout& column) {
    if (m_failure) addFailureCard(column);
    if (m_plan)
        for (const parallel::PlanWarning& warning : m_plan->warnings)
            addWarningCard(column, warning);
    if (count() > 0) return;
    QLabel* none = makeLabel("secondary");
    none->setText(m_plan ? tr("By the plan the project fits its devices, and nothing holds it up.")
                         : tr("There is no plan yet: it is made when the model is complete and its "
                              "devices are there."));
    column.addWidget(none);
}

void PlanView::addFailureCard(QVBoxLayout& column) {
    QVBoxLayout* box = addCard(column, tr("The run found too little memory"));
    addText(*box, errorText(*m_failure), "bad");
    if (misfits()) {
        addText(*box, tr("What mends it stands below."), "secondary");
        return;
    }
    if (m_watcher.isRunning()) {
        addText(*box, tr("Planning what needs less…"), "secondary");
        return;
    }
    if (m_less.empty()) {
        addText(*box,
                tr("No other setting on these devices needs less: use more devices or a smaller "
                   "model."),
                "secondary");
        return;
    }
    addText(*box, tr("These changes need less, each as it was planned:"), "secondary");
    for (const parallel::PlanWarning& warning : m_less) addFixes(*box, warning, false);
}

void PlanView::addWarningCard(QVBoxLayout& column, const parallel::PlanWarning& warning) {
    const QString device = QString::fromStdString(warning.device);
    QVBoxLayout* box =
        addCard(column, device.isEmpty()       ? tr("All devices")
                        : warning.too_much > 0 ? tr("%1 has too little memory").arg(device)
                                               : device);
    if (warning.too_much > 0)
        for (const parallel::DevicePlan& each : m_plan->devices)
            if (each.device == warning.device) {
                auto* bar = new MemoryBar;
                bar->setMemory(each.memory, each.memory_limit);
                box->addWidget(bar);
            }
    addText(*box, sentenceText(warning.text));
    if (warning.too_much > 0 && warning.fixes.empty())
        addText(*box,
                tr("No other setting on these devices needs less: use more devices or a smaller "
                   "model."),
                "secondary");
    addFixes(*box, warning, true);
}

void PlanView::addFixes(QVBoxLayout& box, const parallel::PlanWarning& warning, bool asked) {
    if (warning.fixes.empty()) return;
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    int row = 0;
    for (const parallel::PlanFix& fix : warning.fixes) {
        const QString text = changeText(fix.change);
        auto* button = new QPushButton(tr("Apply"));
        button->setAccessibleName(tr("Apply: %1").arg(text));
        button->setToolTip(tr("%1: for the next run; can be undone").arg(text));
        if (fix.fits && row == 0) button->setProperty("primary", true);
        connect(button, &QPushButton::clicked, this,
                [this, change = fix.change] { apply(change); });
        auto* what = new QLabel(text);
        what->setTextFormat(Qt::PlainText);
        what->setWordWrap(true);
        QLabel* effect = makeLabel("secondary");
        effect->setText(changeEffect(fix, warning, asked));
        grid->addWidget(button, row, 0);
        grid->addWidget(what, row, 1);
        grid->addWidget(effect, row++, 2);
    }
    box.addLayout(grid);
}

}  // namespace strata::ui
