#include "ui/window/state_shape.h"

#include <QPainter>

#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int side = 16;

void bars(QPainter& painter) {
    painter.drawRoundedRect(QRectF(4, 3, 3, 10), 1, 1);
    painter.drawRoundedRect(QRectF(9, 3, 3, 10), 1, 1);
}

void lines(QPainter& painter, const QColor& color, const QPolygonF& points) {
    painter.setPen(QPen(color, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(points);
}

}  // namespace

StateShape::StateShape(QWidget* parent) : QWidget(parent) {
    setFixedSize(side, side);
}

void StateShape::setState(train::RunState state) {
    m_state = state;
    update();
}

QColor StateShape::color(train::RunState state) {
    using train::RunState;
    const Colors& colors = Theme::instance().colors();
    switch (state) {
        case RunState::running:
        case RunState::finished:
            return colors.good;
        case RunState::pausing:
        case RunState::paused:
        case RunState::stopping:
            return colors.warning;
        case RunState::failed:
            return colors.bad;
        case RunState::preparing:
            return colors.accent;
        case RunState::ready:
        case RunState::stopped:
            break;
    }
    return colors.secondary;
}

void StateShape::paintEvent(QPaintEvent*) {
    using train::RunState;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ink = color(m_state);
    const QRectF circle(3, 3, 10, 10);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    switch (m_state) {
        case RunState::running:
            painter.drawEllipse(circle);
            return;
        case RunState::pausing:
        case RunState::paused:
            bars(painter);
            return;
        case RunState::stopped:
            painter.drawRoundedRect(circle, 1, 1);
            return;
        case RunState::finished:
            lines(painter, ink, {{3, 8.5}, {6.5, 12}, {13, 4}});
            return;
        case RunState::failed:
            lines(painter, ink, {{4, 4}, {12, 12}});
            lines(painter, ink, {{12, 4}, {4, 12}});
            return;
        default:
            break;
    }
    painter.setBrush(Qt::NoBrush);
    const bool open = m_state == RunState::preparing;
    painter.setPen(QPen(ink, 2, open ? Qt::DotLine : Qt::SolidLine, Qt::RoundCap));
    if (m_state == RunState::stopping) {
        painter.drawRoundedRect(circle, 1, 1);
    } else {
        painter.drawEllipse(circle);
    }
}

}  // namespace strata::ui
