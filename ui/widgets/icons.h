// Icons of the program, drawn in a colour of the theme. The drawings (resources/icons) use
// currentColor.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace strata::ui {

// Of ":/icons/<name>.svg", size in logical pixels, sharp at the screen's ratio. Kept: asking again
// costs nothing. A name without a drawing gives an empty pixmap.
QPixmap iconPixmap(const QString& name, int size, const QColor& color, double ratio = 1.0);

// The same as an icon: `color` where enabled, `disabled` where not.
QIcon themedIcon(const QString& name, const QColor& color, const QColor& disabled);

}  // namespace strata::ui
