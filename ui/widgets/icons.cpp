#include "ui/widgets/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <cmath>

namespace strata::ui {
namespace {

constexpr int iconSize = 16;

QPixmap render(const QString& name, int size, const QColor& color, double ratio) {
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
    const int pixels = static_cast<int>(std::ceil(size * ratio));
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

}  // namespace

QPixmap iconPixmap(const QString& name, int size, const QColor& color, double ratio) {
    const QString key =
        QStringLiteral("strata/%1/%2/%3/%4").arg(name).arg(size).arg(color.name()).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    pixmap = render(name, size, color, ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon themedIcon(const QString& name, const QColor& color, const QColor& disabled) {
    QIcon icon;
    for (const double ratio : {1.0, 2.0}) {
        icon.addPixmap(iconPixmap(name, iconSize, color, ratio), QIcon::Normal);
        icon.addPixmap(iconPixmap(name, iconSize, disabled, ratio), QIcon::Disabled);
    }
    return icon;
}

}  // namespace strata::ui
