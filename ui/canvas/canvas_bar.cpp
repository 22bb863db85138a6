#include "ui/canvas/canvas_bar.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int barHeight = 40;

QString percent(double share) {
    return formatCount(std::lround(100.0 * share));
}

bool onSeveral(const parallel::PlacementPlan& plan) {
    return plan.devices.size() > 1;
}

}  // namespace

CanvasBar::CanvasBar(QWidget* parent)
    : QFrame(parent),
      m_stack(new QToolButton),
      m_lanes(new QToolButton),
      m_summary(new QLabel),
      m_auto(new QPushButton) {
    setProperty("bar", true);
    setFixedHeight(Theme::px(barHeight));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 12, 4);
    row->setSpacing(4);
    auto* group = new QButtonGroup(this);
    for (QToolButton* button : {m_stack, m_lanes}) {
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setFocusPolicy(Qt::StrongFocus);
        group->addButton(button);
        row->addWidget(button);
    }
    m_stack->setChecked(true);
    row->addSpacing(8);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_summary, 1);
    row->addWidget(m_auto);
    connect(m_auto, &QPushButton::clicked, this, &CanvasBar::placementAsked);
    connect(m_lanes, &QToolButton::toggled, this, [this](bool on) {
        tell();
        Q_EMIT lanesChosen(on);
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        setFixedHeight(Theme::px(barHeight));
        tell();
    });
    retranslate();
}

void CanvasBar::setLanes(bool on) {
    (on ? m_lanes : m_stack)->setChecked(true);
}

void CanvasBar::setPlan(const std::optional<parallel::PlacementPlan>& plan) {
    m_plan = plan;
    tell();
}

void CanvasBar::setFault(const std::optional<Error>& fault) {
    m_fault = fault;
    tell();
}

void CanvasBar::setMeasuredIdle(std::optional<double> share) {
    if (share == m_measured) return;
    m_measured = share;
    tell();
}

void CanvasBar::setMeasuredStep(std::optional<double> seconds) {
    if (seconds == m_measuredStep) return;
    m_measuredStep = seconds;
    tell();
}

QString CanvasBar::summary() const {
    return m_summary->toolTip();
}

void CanvasBar::retranslate() {
    m_stack->setText(tr("Stack"));
    m_stack->setToolTip(tr("The model as one stack, from input to loss"));
    m_lanes->setText(tr("Lanes"));
    m_lanes->setToolTip(tr("A column for each device; drag a card to another to move it"));
    m_auto->setText(tr("Place automatically…"));
    m_auto->setToolTip(tr("Let the planner share the model over devices, and say why"));
    m_summary->setAccessibleName(tr("Devices at work"));
    tell();
}

// The whole, and then what says less where that does not fit.
QStringList CanvasBar::words() const {
    if (m_fault) return {errorText(*m_fault)};
    if (!m_plan) return {};
    if (!onSeveral(*m_plan)) {
        if (!m_lanes->isChecked()) return {};
        return {tr("All layers stand on %1. Drag cards to the next lane to share the work.")
                    .arg(QString::fromStdString(m_plan->devices.front().device)),
                tr("Drag cards to the next lane to share the work."),
                tr("Drag cards to the next lane.")};
    }
    QStringList parts;
    qsizetype placement = 0;  // of the parts, those that say how the devices work together
    const int devices = static_cast<int>(m_plan->devices.size()) / std::max(m_plan->replicas, 1);
    if (m_plan->replicas > 1) parts << tr("%1 copies").arg(formatCount(m_plan->replicas));
    if (devices > 1) {
        parts << scheduleText(m_plan->schedule)
              << (m_plan->micro_batches == 1
                      ? tr("1 micro-batch")
                      : tr("%1 micro-batches").arg(formatCount(m_plan->micro_batches)));
        placement = parts.size();
        if (m_plan->timed && m_measured)
            parts << tr("idle %1 % predicted, %2 % measured")
                         .arg(percent(m_plan->idle_share), percent(*m_measured));
        else if (m_plan->timed)
            parts << tr("idle %1 % predicted").arg(percent(m_plan->idle_share));
    }
    if (m_plan->timed && m_measuredStep)
        parts << tr("step %1 predicted, %2 measured")
                     .arg(formatSeconds(m_plan->step.total()), formatSeconds(*m_measuredStep));
    else if (m_plan->timed)
        parts << tr("step %1 predicted").arg(formatSeconds(m_plan->step.total()));
    const QString separator = QStringLiteral(" · ");
    QStringList ways{parts.join(separator)};
    if (placement > 0 && placement < parts.size()) ways << parts.mid(placement).join(separator);
    if (const QStringList only = measured(); !only.isEmpty()) ways << only.join(separator);
    return ways;
}

// What the run has shown, without what was predicted.
QStringList CanvasBar::measured() const {
    QStringList parts;
    if (!m_measuredStep) return parts;
    if (m_measured) parts << tr("idle %1 % measured").arg(percent(*m_measured));
    return parts << tr("step %1 measured").arg(formatSeconds(*m_measuredStep));
}

void CanvasBar::tell() {
    const QStringList ways = words();
    const QString text = ways.value(0);
    m_summary->setToolTip(text);
    m_summary->setAccessibleDescription(text);
    QFont font = Theme::secondary();
    m_summary->setFont(font);
    const QFontMetrics metrics(font);
    const int room = std::max(m_summary->width(), 1);
    const auto fits = std::find_if(ways.begin(), ways.end(), [&](const QString& way) {
        return metrics.horizontalAdvance(way) <= room;
    });
    m_summary->setText(fits != ways.end() ? *fits : metrics.elidedText(text, Qt::ElideRight, room));
    const bool bad = m_fault.has_value();
    if (m_summary->property("bad").toBool() == bad && m_summary->property("secondary").isValid())
        return;
    m_summary->setProperty("bad", bad);
    m_summary->setProperty("secondary", !bad);
    m_summary->style()->unpolish(m_summary);
    m_summary->style()->polish(m_summary);
}

void CanvasBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QFrame::changeEvent(event);
}

void CanvasBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    tell();
}

}  // namespace strata::ui
