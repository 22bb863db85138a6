// What the window does with the training doctor's findings: log, notice with a fix to click, page.
#include <QAction>

#include "ui/charts/charts.h"
#include "ui/techniques/doctor_view.h"
#include "ui/techniques/finding_text.h"
#include "ui/widgets/format.h"
#include "ui/window/log_view.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"

namespace strata::ui {

void MainWindow::connectDoctor() {
    connect(m_engine, &EngineThread::stateChanged, m_doctor, &DoctorView::setState);
    connect(m_engine, &EngineThread::stepsArrived, m_doctor, &DoctorView::addSteps);
    connect(m_engine, &EngineThread::found, this, &MainWindow::tellFinding);
    connect(m_doctor, &DoctorView::liveChosen, this, &MainWindow::changeRun);
    connect(m_doctor, &DoctorView::failed, this, &MainWindow::showError);
    connect(m_doctor, &DoctorView::layerChosen, this,
            [this](const QString& name) { m_document->select({name}); });
    connect(m_document, &Document::replaced, this, &MainWindow::tellFindings);
}

void MainWindow::tellFindings() {
    const int count = m_doctor->count();
    m_charts->setPageTitle(m_doctor,
                           count == 0 ? tr("Doctor") : tr("Doctor (%1)").arg(formatCount(count)));
}

void MainWindow::tellFinding(const train::FindingEvent& finding) {
    m_log->add(train::LogEvent::Level::warning, findingText(finding));
    if (!m_runIsDocuments) return;  // another project is open: its run knows nothing of this one
    m_doctor->add(finding);
    tellFindings();
    // An error, or a finding that can be mended, is not hidden by one that can only be read.
    const bool mended = m_notice->offers().size() > 1 && m_doctor->newestFixes().empty();
    if (m_notice->tellsError() || mended) return;
    QList<QAction*> offers;
    const auto offer = [&](const QString& text, const QString& tip, auto act) {
        auto* action = new QAction(text, m_notice);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, act);
        offers << action;
        return action;
    };
    if (const auto& fixes = m_doctor->newestFixes(); !fixes.empty()) {
        const FindingFix fix = fixes.front();
        if (fix.live && m_doctor->takesLive()) {
            const QString number = formatNumber(fix.live->value);
            QAction* live = offer(
                fix.live->setting == ControlDeck::weightDecay
                    ? tr("This run: weight decay %1").arg(number)
                : fix.live->setting == ControlDeck::clipLimit
                    ? tr("This run: clipping limit %1").arg(number)
                    : tr("This run: learning rate %1").arg(number),
                tr("From the next step on; a checkpoint is saved first, the curves get a mark"),
                [this, fix] { m_doctor->applyToRun(fix); });
            connect(live, &QAction::triggered, live, [live] { live->setEnabled(false); });
        }
        if (!isDone(fix, m_document->config()))
            offer(tr("Project: %1").arg(fix.text), tr("Change the project for the next run"),
                  [this, fix] { m_doctor->applyToProject(fix); });
    }
    offer(tr("All findings"), tr("Show what the training doctor found, and what can be done"),
          [this] { m_charts->showPage(m_doctor); });
    m_notice->show(NoticeBar::Kind::warning, findingText(finding), offers);
}

}  // namespace strata::ui
