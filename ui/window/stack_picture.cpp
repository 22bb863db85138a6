#include "ui/window/stack_picture.h"

#include <algorithm>
#include <cmath>

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double tallest = 20, gap = 4;

// The wider, the more values the layer passes on: a picture of how the model narrows.
double widthShare(const graph::LayerReport& layer, double most) {
    if (!layer.output || most <= 1.0) return 1.0;
    const double values = static_cast<double>(std::max<std::int64_t>(layer.output->elements(), 1));
    return 0.45 + 0.55 * std::log2(values + 1.0) / std::log2(most + 1.0);
}

}  // namespace

void paintStack(QPainter& painter, const QRectF& area, const graph::Model& model) {
    if (model.layers.empty()) return;
    const Colors& colors = Theme::instance().colors();
    const graph::ModelReport report = graph::analyze(model);
    double most = 1.0;
    for (const graph::LayerReport& layer : report.layers)
        if (layer.output) most = std::max(most, static_cast<double>(layer.output->elements()));
    const auto count = static_cast<double>(model.layers.size());
    const double height = std::min(tallest, (area.height() - gap * (count - 1)) / count);
    double y = area.center().y() - (count * height + (count - 1) * gap) / 2;
    for (std::size_t i = 0; i < model.layers.size(); ++i, y += height + gap) {
        const double width = area.width() * widthShare(report.layers[i], most);
        const QRectF bar(area.center().x() - width / 2, y, width, height);
        painter.setPen(QPen(colors.border, 1));
        painter.setBrush(colors.panel);
        painter.drawRoundedRect(bar, 4, 4);
        const auto& spec = model.layers[i].type->spec;
        const QColor color = Theme::layer(spec.category);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), 4, bar.height()), 2, 2);
        if (height < 14) continue;
        painter.drawPixmap(QPointF(bar.left() + 8, bar.center().y() - 6),
                           iconPixmap(QString::fromStdString(spec.icon), 12, Theme::onPanel(color),
                                      painter.device()->devicePixelRatioF()));
        const QFont font = Theme::unscaled(Theme::small());
        painter.setFont(font);
        painter.setPen(colors.secondary);
        painter.drawText(bar.adjusted(25, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         QFontMetricsF(font).elidedText(QString::fromStdString(spec.type),
                                                        Qt::ElideRight, bar.width() - 30));
    }
}

}  // namespace strata::ui
