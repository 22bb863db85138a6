// The marks on a panel's curves: lines with words for what happened, triangles for checkpoints,
// crosses for skipped steps.
#include <algorithm>

#include "ui/charts/chart_panel.h"
#include "ui/charts/mark_layout.h"
#include "ui/charts/mark_text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double nearest = 3.0;  // pixels from one mark to the next of its kind
constexpr int crossStrip = 12;   // pixels above the words, where there are crosses
constexpr int mostRows = 4;

const Colors& colors() {
    return Theme::instance().colors();
}

QColor lineColor(Mark::Kind kind) {
    return kind == Mark::Kind::best        ? colors().good
           : kind == Mark::Kind::earlyStop ? colors().warning
                                           : colors().secondary;
}

void paintCross(QCPPainter& painter, double x, int top) {
    painter.setPen(QPen(colors().warning, 1.5));
    painter.drawLine(QLineF(x - 3, top + 2, x + 3, top + 8));
    painter.drawLine(QLineF(x - 3, top + 8, x + 3, top + 2));
}

void paintTriangle(QCPPainter& painter, double x, int bottom, Mark::Kind kind) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(kind == Mark::Kind::failed ? colors().bad
                     : kind == Mark::Kind::best ? colors().good
                                                : colors().secondary);
    painter.drawPolygon(
        QPolygonF({{x - 4, bottom + 1.0}, {x + 4, bottom + 1.0}, {x, bottom - 6.0}}));
}

}  // namespace

void ChartPanel::paintMarks(QCPPainter& painter) const {
    if (m_spec.bytes || m_store.steps().rows() == 0) return;
    const QRect rect = axisRect()->rect();
    // A mark at the newest update stands a pixel beyond the rectangle's last one.
    const auto onAxis = [&](double x) { return x >= rect.left() && x <= rect.right() + 1.5; };
    const Mark* best = nullptr;
    double lastTriangle = -10.0, lastCross = -10.0;
    std::vector<const Mark*> told;
    painter.setAntialiasing(true);
    for (const Mark& mark : m_store.marks()) {
        const double x = markPixel(mark);
        if (mark.kind == Mark::Kind::best) best = &mark;
        if (!onAxis(x)) continue;
        if (mark.kind == Mark::Kind::skipped) {
            if (x - lastCross < nearest) continue;
            lastCross = x;
            paintCross(painter, x, rect.top());
        } else if (mark.kind >= Mark::Kind::resumed) {
            told.push_back(&mark);
        } else if (x - lastTriangle >= nearest || mark.kind == Mark::Kind::failed) {
            lastTriangle = x;
            paintTriangle(painter, x, rect.bottom(), mark.kind);
        }
    }
    if (best != nullptr && onAxis(markPixel(*best))) told.push_back(best);
    paintTold(painter, told, rect.top() + (lastCross >= 0.0 ? crossStrip : 0));
}

double ChartPanel::markPixel(const Mark& mark) const {
    return xAxis->coordToPixel(m_store.position(mark.update, m_axis));
}

// Lines through the plot, then the words of those that have room for them, from `top` down.
void ChartPanel::paintTold(QCPPainter& painter, const std::vector<const Mark*>& marks,
                           int top) const {
    const QRect rect = axisRect()->rect();
    painter.setFont(Theme::small());
    std::vector<MarkLabel> labels;
    for (const Mark* mark : marks) {
        const double x = markPixel(*mark);
        const bool best = mark->kind == Mark::Kind::best;
        painter.setPen(
            QPen(lineColor(mark->kind), best ? 1.5 : 1.0, best ? Qt::DotLine : Qt::DashLine));
        painter.drawLine(QLineF(x, rect.top(), x, rect.bottom()));
        labels.push_back({x, painter.fontMetrics().horizontalAdvance(markText(*mark)) + 1.0,
                          markPriority(mark->kind)});
    }
    const int rows = std::clamp((rect.bottom() - top) / (2 * labelHeight()), 1, mostRows);
    placeLabels(labels, rect.left(), rect.right(), rows, 5.0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const MarkLabel& label = labels[i];
        if (label.row < 0) continue;
        const QRectF place(label.left, top + 1 + label.row * labelHeight(), label.width,
                           labelHeight());
        paintNote(painter, place, Qt::AlignLeft | Qt::AlignVCenter, markText(*marks[i]),
                  readable(lineColor(marks[i]->kind), colors().panel));
    }
}

}  // namespace strata::ui
