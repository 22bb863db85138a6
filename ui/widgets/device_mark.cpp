#include "ui/widgets/device_mark.h"

#include <QPainterPath>

#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int otherKinds = 3, coloursInARow = 6;

}  // namespace

int deviceIndex(const QString& device) {
    const int number = device.section(':', 1).toInt();
    const QString own = device.section('/', -1);  // of "rank1/cpu:0", a device of one process
    return own.startsWith("cpu") ? number : number + otherKinds;
}

void paintDeviceDot(QPainter& painter, QPointF centre, double radius, const QString& device) {
    const int index = deviceIndex(device), round = index / coloursInARow;
    const QColor color = Theme::device(index);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (round == 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(centre, radius, radius);
    } else {
        const double width = radius * 0.5;
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(centre, radius - width / 2, radius - width / 2);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        if (round > 1) painter.drawEllipse(centre, radius * 0.3, radius * 0.3);
    }
    painter.restore();
}

QIcon deviceIcon(const QString& device) {
    constexpr int size = 16, oversampling = 2;
    QPixmap pixmap(size * oversampling, size * oversampling);
    pixmap.setDevicePixelRatio(oversampling);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintDeviceDot(painter, {size / 2.0, size / 2.0}, 4.5, device);
    return {pixmap};
}

void paintDeviceWash(QPainter& painter, const QPainterPath& area, const QString& device,
                     int alpha) {
    QColor wash = Theme::device(deviceIndex(device));
    wash.setAlpha(alpha);
    painter.fillPath(area, wash);
    if (deviceIndex(device) < coloursInARow) return;
    painter.save();
    painter.setClipPath(area, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(wash, 3));
    constexpr double pitch = 12;
    const QRectF box = area.boundingRect();
    for (double x = box.left() - box.height(); x < box.right(); x += pitch)
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
    painter.restore();
}

}  // namespace strata::ui
