#include "ui/charts/stage_view.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/data/stage_limit.h"
#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int rowHeight = 28, margin = 16;
// Left ends of the columns, in the design's pixels: name, rate, busy, queue, threads.
constexpr std::array<int, 5> columns{0, 150, 330, 520, 710};

QString percent(double share) {
    return formatCount(std::lround(100.0 * share)) + QStringLiteral(" %");
}

}  // namespace

QString stageText(const std::string& name) {
    if (name == "source") return StageView::tr("read");
    if (name == "cache") return StageView::tr("cache");
    if (name == "shuffle") return StageView::tr("shuffle");
    if (name == "map") return StageView::tr("map");
    if (name == "batch") return StageView::tr("batch");
    if (name == "prefetch") return StageView::tr("read ahead");
    return QString::fromStdString(name);
}

QString pipelineSentence(const train::PipelineEvent& pipeline) {
    const QString waits =
        StageView::tr("The device waits for data %1 of the time").arg(percent(pipeline.wait_share));
    const int limit = data::limiting_stage(pipeline.stages, pipeline.wait_share);
    if (limit == data::device_limits)
        return StageView::tr("%1; the device is at its limit.").arg(waits);
    if (limit == data::nothing_limits)
        return StageView::tr("%1; no stage is at its limit.").arg(waits);
    const auto& stage = pipeline.stages[static_cast<std::size_t>(limit)];
    return StageView::tr("%1; the stage “%2” is at its limit.").arg(waits, stageText(stage.name));
}

StageView::StageView(QWidget* parent) : QWidget(parent) {
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    describe();
}

void StageView::setPipeline(const train::PipelineEvent& pipeline) {
    m_pipeline = pipeline;
    m_measured = true;
    describe();
}

void StageView::clear() {
    m_measured = false;
    describe();
}

QString StageView::sentence() const {
    return m_measured ? pipelineSentence(m_pipeline) : QString();
}

void StageView::describe() {
    setAccessibleName(tr("Stages of the input pipeline"));
    setAccessibleDescription(sentence());
    setToolTip(tr("What each stage could do, how busy it is and how full the queue behind it"));
    update();
}

void StageView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) describe();
    QWidget::changeEvent(event);
}

void StageView::paintEvent(QPaintEvent*) {
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), colors.panel);
    painter.setFont(Theme::text());
    painter.setPen(colors.secondary);
    const QRectF area = QRectF(rect()).adjusted(margin, 8, -margin, -8);
    if (!m_measured) {
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Press Train to see how the data flow"));
        return;
    }
    const double height = Theme::px(rowHeight);
    painter.setFont(Theme::heading());
    const bool starved = data::limiting_stage(m_pipeline.stages, m_pipeline.wait_share) >= 0;
    painter.setPen(starved ? colors.warning : colors.text);
    painter.drawText(QRectF(area.left(), area.top(), area.width(), height),
                     Qt::AlignLeft | Qt::AlignVCenter, sentence());
    painter.setFont(Theme::secondary());
    painter.setPen(colors.secondary);
    const QStringList heads{tr("stage"), tr("could do"), tr("busy"), tr("queue behind it"),
                            tr("threads")};
    QRectF row(area.left(), area.top() + height, area.width(), height);
    for (int i = 0; i < heads.size(); ++i)
        painter.drawText(row.adjusted(Theme::px(columns[static_cast<std::size_t>(i)]), 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, heads[i]);
    for (const auto& stage : m_pipeline.stages) {
        row.translate(0, height);
        paintStage(painter, row, stage);
    }
}

void StageView::paintStage(QPainter& painter, const QRectF& row,
                           const train::PipelineEvent::Stage& stage) const {
    const Colors& colors = Theme::instance().colors();
    const auto cell = [&](std::size_t i) { return row.adjusted(Theme::px(columns[i]), 0, 0, 0); };
    const auto write = [&](std::size_t i, const QString& text) {
        painter.setPen(colors.text);
        painter.drawText(cell(i), Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    painter.setFont(Theme::text());
    write(0, stageText(stage.name));
    write(1, stage.samples_per_s > 0.0
                 ? tr("%1 samples/s").arg(formatCount(std::llround(stage.samples_per_s)))
                 : QStringLiteral("–"));
    paintShare(painter, cell(2), stage.busy, Theme::onPanel(Theme::device(1)));
    if (stage.queue > 0)
        paintShare(painter, cell(3), stage.fill, Theme::onPanel(Theme::device(0)));
    else
        write(3, QStringLiteral("–"));
    write(4, stage.threads > 0 ? formatCount(stage.threads) : QStringLiteral("–"));
}

void StageView::paintShare(QPainter& painter, const QRectF& place, double share,
                           const QColor& ink) const {
    const Colors& colors = Theme::instance().colors();
    const double width = Theme::px(90), tall = 8.0;
    const QRectF bar(place.left(), place.center().y() - tall / 2, width, tall);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.border);
    painter.drawRoundedRect(bar, 4, 4);
    painter.setBrush(ink);
    const double part = std::clamp(share, 0.0, 1.0) * width;
    if (part >= 1.0) painter.drawRoundedRect(QRectF(bar.left(), bar.top(), part, tall), 4, 4);
    painter.setPen(colors.text);
    painter.drawText(QRectF(bar.right() + 8, place.top(), Theme::px(60), place.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, percent(share));
}

}  // namespace strata::ui
