// How the pipeline's chart is painted, and its words.
#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/charts/timeline_text.h"
#include "ui/charts/timeline_view.h"
#include "ui/widgets/device_mark.h"
#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double margin = 16, headHeight = 30, titleHeight = 22, axisHeight = 40, rowGap = 4,
                 tallest = 34, lowest = 8, leastText = 14;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(strata::ui::TimelineView)
};

QString percent(double share) {
    return formatCount(std::lround(100.0 * share));
}

// 1, 2 or 5 times a power of ten: about eight of them fill the length.
double tickStep(double length) {
    const double rough = length / 8.0, power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= rough) return step * power;
    return 10.0 * power;
}

}  // namespace

QString idleSentence(const std::optional<parallel::PlacementPlan>& plan,
                     const std::optional<train::TimelineEvent>& measured) {
    QStringList parts;
    if (measured && measured->devices > 1)
        parts << Words::tr("%1 % measured").arg(percent(measured->idle_share));
    if (plan && plan->timed && plan->devices.size() > 1)
        parts << Words::tr("%1 % predicted").arg(percent(plan->idle_share))
              << Words::tr("%1 % by the formula").arg(percent(plan->idle_share_formula));
    if (parts.isEmpty()) return {};
    return Words::tr("Devices idle: %1").arg(parts.join(QStringLiteral(" · ")));
}

QString timelineHint() {
    return Words::tr("Place layers on two devices to see the pipeline.") + QChar('\n') +
           Words::tr("Select cards, then Edit, Place on; or drag them to another lane.");
}

double TimelineView::labelWidth() const {
    double widest = 0;
    const QFontMetricsF metrics(Theme::secondary());
    for (const Part& part : m_parts)
        for (const Row& row : part.rows)
            widest = std::max(widest, metrics.horizontalAdvance(row.device));
    return widest + 26;
}

double TimelineView::rowHeight() const {
    std::size_t rows = 0;
    for (const Part& part : m_parts) rows += part.rows.size();
    const double room = height() - Theme::px(headHeight) - Theme::px(axisHeight) - 12 -
                        static_cast<double>(m_parts.size()) * Theme::px(titleHeight);
    return std::clamp(room / static_cast<double>(std::max<std::size_t>(rows, 1)) - rowGap,
                      Theme::px(lowest) * 1.0, Theme::px(tallest) * 1.0);
}

QRectF TimelineView::plotArea() const {
    const double left = margin + labelWidth();
    return QRectF(left, Theme::px(headHeight), std::max(width() - left - margin, 40.0),
                  height() - Theme::px(headHeight) - Theme::px(axisHeight));
}

void TimelineView::lay() {
    m_shown.clear();
    m_titleTops.clear();
    m_rowTops.clear();
    const QRectF plot = plotArea();
    const double tall = rowHeight();
    double y = plot.top() + 4;
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        m_titleTops.push_back(y);
        y += Theme::px(titleHeight);
        for (std::size_t r = 0; r < m_parts[p].rows.size(); ++r) {
            m_rowTops.push_back(y);
            const std::vector<Block>& blocks = m_parts[p].rows[r].blocks;
            for (std::size_t b = 0; b < blocks.size(); ++b) {
                const double x0 = plot.left() + plot.width() * blocks[b].begin / m_seconds;
                const double x1 = plot.left() + plot.width() * blocks[b].end / m_seconds;
                m_shown.push_back({QRectF(x0, y, std::max(x1 - x0, 1.0), tall), {p, r, b}});
            }
            y += tall + rowGap;
        }
    }
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), Theme::instance().colors().panel);
    if (m_parts.empty() || !(m_seconds > 0.0)) {
        m_shown.clear();
        paintEmpty(painter);
        return;
    }
    lay();
    paintHead(painter);
    paintAxis(painter);
    const Colors& colors = Theme::instance().colors();
    const QRectF plot = plotArea();
    std::size_t row = 0;
    for (std::size_t p = 0; p < m_parts.size(); ++p) {
        painter.setFont(Theme::secondary());
        painter.setPen(colors.secondary);
        painter.drawText(
            QRectF(margin, m_titleTops[p], width() - 2 * margin, Theme::px(titleHeight)),
            Qt::AlignLeft | Qt::AlignVCenter, m_parts[p].title);
        for (const Row& each : m_parts[p].rows) {
            const QRectF line(margin, m_rowTops[row++], width() - 2 * margin, rowHeight());
            QColor ground = colors.border;
            ground.setAlpha(colors.dark ? 90 : 80);
            painter.fillRect(QRectF(plot.left(), line.top(), plot.width(), line.height()), ground);
            paintDeviceDot(painter, {line.left() + 5, line.center().y()}, 4, each.device);
            painter.setFont(Theme::secondary());
            painter.setPen(colors.text);
            painter.drawText(line.adjusted(16, -4, 0, 4), Qt::AlignLeft | Qt::AlignVCenter,
                             each.device);
        }
    }
    for (const Shown& shown : m_shown) paintBlock(painter, shown);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -2.5, -2.5), 5, 5);
    }
}

void TimelineView::paintEmpty(QPainter& painter) const {
    painter.setFont(Theme::text());
    painter.setPen(Theme::instance().colors().secondary);
    painter.drawText(QRectF(rect()).adjusted(margin, 8, -margin, -8),
                     Qt::AlignCenter | Qt::TextWordWrap, timelineHint());
}

// The idle shares, and what the blocks mean.
void TimelineView::paintHead(QPainter& painter) const {
    const Colors& colors = Theme::instance().colors();
    const QRectF line(margin, 0, width() - 2 * margin, Theme::px(headHeight));
    painter.setFont(Theme::secondary());
    const QFontMetricsF metrics(Theme::secondary());
    double right = line.right();
    for (const bool backward : {true, false}) {
        const QString text = backward ? tr("backward") : tr("forward");
        right -= metrics.horizontalAdvance(text);
        painter.setPen(colors.secondary);
        painter.drawText(QRectF(right, line.top(), line.right() - right, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        const QRectF swatch(right - 22, line.center().y() - 6, 16, 12);
        QColor ink = colors.secondary;
        painter.setPen(QPen(ink, 1));
        painter.setBrush(backward ? QBrush(ink, Qt::BDiagPattern) : QBrush(ink));
        painter.drawRect(swatch);
        right -= 22 + 14;
    }
    painter.setFont(Theme::heading());
    painter.setPen(colors.text);
    const QRectF place(line.left(), line.top(), right - line.left(), line.height());
    painter.drawText(
        place, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(Theme::heading()).elidedText(sentence(), Qt::ElideRight, place.width()));
}

void TimelineView::paintBlock(QPainter& painter, const Shown& shown) const {
    const Colors& colors = Theme::instance().colors();
    const Row& row = m_parts[shown.place.part].rows[shown.place.row];
    const Block& block = row.blocks[shown.place.block];
    const QColor device = Theme::device(deviceIndex(row.device));
    const QRectF box = shown.rect.adjusted(0.5, 0.5, shown.rect.width() > 4 ? -0.5 : 0, -0.5);
    QColor ground = device;
    if (block.backward) {  // lighter, and striped
        ground.setAlpha(colors.dark ? 90 : 60);
        painter.fillRect(box, colors.panel);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRect(box);
    if (block.backward) {
        QColor stripes = device;
        stripes.setAlpha(110);
        painter.setBrush(QBrush(stripes, Qt::BDiagPattern));
        painter.setPen(QPen(device, 1));
        painter.drawRect(box);
    }
    if (m_current == shown.place) {
        painter.setPen(QPen(colors.text, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
    }
    const QString number = formatCount(block.microBatch + 1);
    painter.setFont(Theme::small());
    const double wide = QFontMetricsF(Theme::small()).horizontalAdvance(number) + 4;
    if (box.width() < wide || box.height() < Theme::px(leastText)) return;
    if (block.backward) {
        const QRectF plate(box.center().x() - wide / 2, box.center().y() - Theme::px(7), wide,
                           Theme::px(14));
        painter.fillRect(plate, colors.panel);
        painter.setPen(colors.text);
    } else {
        painter.setPen(contrast(Qt::white, device) > contrast(Qt::black, device) ? Qt::white
                                                                                 : Qt::black);
    }
    painter.drawText(box, Qt::AlignCenter, number);
}

void TimelineView::paintAxis(QPainter& painter) const {
    const Colors& colors = Theme::instance().colors();
    const QRectF plot = plotArea();
    const double bottom = m_rowTops.back() + rowHeight() + 4;
    const double step = tickStep(m_seconds * 1e3);
    painter.setFont(Theme::small());
    for (double tick = 0.0; tick <= m_seconds * 1e3 * 1.0001; tick += step) {
        const double x = plot.left() + plot.width() * tick / (m_seconds * 1e3);
        painter.setPen(QPen(colors.border, 1));
        for (const double top : m_rowTops)
            painter.drawLine(QLineF(x, top - rowGap / 2, x, top + rowHeight() + rowGap / 2));
        painter.setPen(colors.secondary);
        painter.drawText(QRectF(x - 40, bottom + 3, 80, Theme::px(15)),
                         Qt::AlignHCenter | Qt::AlignTop, formatNumber(tick, 4));
    }
    const QRectF line(margin, bottom + Theme::px(17), plot.right() - margin, Theme::px(18));
    painter.drawText(line, Qt::AlignRight | Qt::AlignTop, tr("time in the batch, ms"));
    painter.setPen(colors.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignTop, readout());
}

}  // namespace strata::ui
