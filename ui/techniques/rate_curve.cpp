#include "ui/techniques/rate_curve.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace strata::ui {

RateCurve::RateCurve(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

QSize RateCurve::sizeHint() const {
    return {Theme::px(200), Theme::px(72)};
}

void RateCurve::setRates(const std::vector<double>& rates, std::int64_t epochs) {
    m_rates = rates;
    m_epochs = epochs;
    setVisible(!m_rates.empty());
    update();
}

void RateCurve::paintEvent(QPaintEvent*) {
    if (m_rates.empty()) return;
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::small());
    const int line = painter.fontMetrics().height();
    const QRectF plot = QRectF(rect()).adjusted(1, line + 2.0, -2, -line - 3.0);
    const double top = *std::max_element(m_rates.begin(), m_rates.end());
    painter.setPen(colors.secondary);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop, formatNumber(top, 3));
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignTop, formatNumber(m_rates.back(), 2));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignBottom, tr("epoch %1").arg(formatCount(0)));
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignBottom, formatCount(m_epochs));
    painter.setPen(QPen(colors.border, 1.0));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (top <= 0.0) return;
    QPolygonF curve;
    const double last = std::max(1.0, static_cast<double>(m_rates.size()) - 1.0);
    for (std::size_t i = 0; i < m_rates.size(); ++i)
        curve << QPointF(plot.left() + plot.width() * static_cast<double>(i) / last,
                         plot.bottom() - plot.height() * m_rates[i] / top);
    painter.setPen(QPen(Theme::onPanel(Theme::train()), 1.5));
    painter.drawPolyline(curve);
}

}  // namespace strata::ui
