// The one place that holds the studio's colours, fonts and spacing. Everything that paints asks
// here.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>

#include "engine/device/arena.h"
#include "engine/layers/spec.h"

class QApplication;

namespace strata::ui {

enum class ThemeChoice { system, light, dark };

struct Colors {
    QColor window, panel, canvas, border, text, secondary, accent, good, warning, bad;
    QColor onAccent;  // text on the accent colour
    bool dark = false;
};

class Theme : public QObject {
    Q_OBJECT

public:
    static Theme& instance();

    // Sets palette and style sheet of the application. `system` follows the platform's palette.
    void apply(QApplication& app, ThemeChoice choice);
    ThemeChoice choice() const { return m_choice; }
    const Colors& colors() const { return m_colors; }

    static Colors lightColors();
    static Colors darkColors();
    static QColor device(int index);
    static QColor train();
    static QColor validation();
    static QColor memory(device::Category category);
    static QColor layer(layers::LayerCategory category);
    // A meaning's colour as a line or text on a panel: lighter in the dark theme, so that it is
    // seen.
    static QColor onPanel(const QColor& color);
    static QFont text();       // 13 px
    static QFont secondary();  // 12 px
    static QFont heading();    // 13 px semibold
    static QFont mono();       // 12 px, for shapes; digits of equal width

Q_SIGNALS:
    void changed();

private:
    Theme() = default;
    ThemeChoice m_choice = ThemeChoice::system;
    Colors m_colors = lightColors();
};

// Contrast of two colours, WCAG 2.1: 1 to 21.
double contrast(const QColor& a, const QColor& b);

}  // namespace strata::ui
