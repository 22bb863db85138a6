#include "ui/charts/timeline_view.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "ui/charts/timeline_text.h"
#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr std::size_t mostRows = 16;  // of a part

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, &TimelineView::rebuild);
    rebuild();
}

void TimelineView::setPlan(const std::optional<parallel::PlacementPlan>& plan) {
    m_plan = plan;
    rebuild();
}

void TimelineView::start(const train::PlanEvent& plan) {
    m_devices.clear();
    for (const train::PlanEvent::Device& device : plan.devices)
        m_devices << QString::fromStdString(device.name);
    m_timeline.reset();
    rebuild();
}

void TimelineView::setTimeline(const train::TimelineEvent& timeline) {
    m_timeline = timeline;
    rebuild();
}

void TimelineView::setOutdated(bool outdated) {
    if (outdated == m_outdated) return;
    m_outdated = outdated;
    rebuild();
}

std::vector<TimelineView::Part> TimelineView::parts() const {
    std::vector<Part> out;
    if (m_timeline && m_timeline->devices > 1) {
        Part part{tr("Measured at update %1: a batch in %2")
                      .arg(formatCount(m_timeline->update), formatSeconds(m_timeline->seconds)),
                  {},
                  m_timeline->seconds,
                  true};
        if (m_outdated) part.title += QStringLiteral(" · ") + tr("the project has changed since");
        for (int i = 0; i < m_timeline->devices; ++i) part.rows.push_back({m_devices.value(i), {}});
        for (const train::TimelineEvent::Block& block : m_timeline->blocks)
            if (block.device >= 0 && block.device < m_timeline->devices)
                part.rows[static_cast<std::size_t>(block.device)].blocks.push_back(
                    {block.stage, block.micro_batch, block.backward, block.begin, block.end});
        out.push_back(std::move(part));
    }
    if (m_plan && m_plan->timed && m_plan->devices.size() > 1) {
        Part part{tr("Predicted by the planner: a batch in %1")
                      .arg(formatSeconds(m_plan->timeline.length)),
                  {},
                  m_plan->timeline.length,
                  false};
        if (m_plan->replicas > 1)
            part.title += QStringLiteral(" · ") +
                          tr("one copy of %1, all are alike").arg(formatCount(m_plan->replicas));
        for (const parallel::DevicePlan& device : m_plan->devices)
            if (device.replica == 0)
                part.rows.push_back({QString::fromStdString(device.device), {}});
        for (std::size_t i = 0; i < std::min(part.rows.size(), m_plan->timeline.devices.size());
             ++i)
            for (const parallel::TimelineBlock& block : m_plan->timeline.devices[i])
                part.rows[i].blocks.push_back({block.task.stage, block.task.micro_batch,
                                               block.task.backward, block.begin, block.end});
        out.push_back(std::move(part));
    }
    for (Part& part : out)
        if (part.rows.size() > mostRows) {
            part.title += QStringLiteral(" · ") +
                          tr("the first %1 of %2 devices")
                              .arg(formatCount(static_cast<std::int64_t>(mostRows)),
                                   formatCount(static_cast<std::int64_t>(part.rows.size())));
            part.rows.resize(mostRows);
        }
    return out;
}

void TimelineView::rebuild() {
    m_parts = parts();
    m_seconds = 0.0;
    for (const Part& part : m_parts) m_seconds = std::max(m_seconds, part.seconds);
    if (m_current &&
        (m_current->part >= m_parts.size() ||
         m_current->row >= m_parts[m_current->part].rows.size() ||
         m_current->block >= m_parts[m_current->part].rows[m_current->row].blocks.size()))
        m_current.reset();
    setAccessibleName(tr("Pipeline over devices"));
    setAccessibleDescription(m_parts.empty() ? timelineHint()
                                             : sentence() + QStringLiteral(". ") +
                                                   titles().join(QStringLiteral(". ")));
    setToolTip(m_parts.empty() ? QString()
                               : tr("When each device works on which micro-batch; left and right "
                                    "go through the blocks. The formula is of stages that take "
                                    "equally long"));
    update();
}

QString TimelineView::sentence() const {
    return idleSentence(m_plan, m_outdated ? std::nullopt : m_timeline);
}

int TimelineView::blocks() const {
    std::size_t count = 0;
    for (const Part& part : m_parts)
        for (const Row& row : part.rows) count += row.blocks.size();
    return static_cast<int>(count);
}

QStringList TimelineView::titles() const {
    QStringList all;
    for (const Part& part : m_parts) all << part.title;
    return all;
}

QString TimelineView::readout() const {
    if (!m_current) return {};
    const Row& row = m_parts[m_current->part].rows[m_current->row];
    const Block& block = row.blocks[m_current->block];
    return tr("%1, stage %2, micro-batch %3, %4: %5 to %6 ms")
        .arg(row.device, formatCount(block.stage + 1), formatCount(block.microBatch + 1),
             block.backward ? tr("backward") : tr("forward"), formatNumber(1e3 * block.begin, 4),
             formatNumber(1e3 * block.end, 4));
}

void TimelineView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) rebuild();
    QWidget::changeEvent(event);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    std::optional<Place> found;
    for (const Shown& shown : m_shown)
        if (shown.rect.contains(event->position())) found = shown.place;
    if (found == m_current) return;
    m_current = found;
    update();
}

void TimelineView::leaveEvent(QEvent*) {
    if (hasFocus()) return;
    m_current.reset();
    update();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left)
        moveBy(-1);
    else if (event->key() == Qt::Key_Right)
        moveBy(1);
    else
        QWidget::keyPressEvent(event);
}

// Through the blocks as they stand: row by row.
void TimelineView::moveBy(int blocks) {
    std::vector<Place> places;
    for (std::size_t p = 0; p < m_parts.size(); ++p)
        for (std::size_t r = 0; r < m_parts[p].rows.size(); ++r)
            for (std::size_t b = 0; b < m_parts[p].rows[r].blocks.size(); ++b)
                places.push_back({p, r, b});
    if (places.empty()) return;
    std::ptrdiff_t at = blocks > 0 ? -1 : std::ssize(places);
    if (m_current) at = std::find(places.begin(), places.end(), *m_current) - places.begin();
    at = std::clamp<std::ptrdiff_t>(at + blocks, 0, std::ssize(places) - 1);
    m_current = places[static_cast<std::size_t>(at)];
    setAccessibleDescription(readout());
    update();
}

void TimelineView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace strata::ui
