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
    // The design's sizes, larger where the system's font is.
    static QFont text();       // 13 px
    static QFont secondary();  // 12 px
    static QFont heading();    // 13 px semibold
    static QFont small();      // 11 px, in charts
    static QFont mono();       // 12 px, for shapes; digits of equal width
    // Of the system's text to the design's, 1 to 2.
    static double scale();
    // A length that must hold text: that of the design, scaled as the text is.
    static int px(double length);
    // The font for what is drawn at the design's size and scaled as a whole, such as the canvas.
    static QFont unscaled(QFont font);
    // Takes a system font that was changed while the studio runs.
    void followFont(QApplication& app);

Q_SIGNALS:
    void changed();

private:
    Theme() = default;
    ThemeChoice m_choice = ThemeChoice::system;
    Colors m_colors = lightColors();
    double m_scale = 1.0;
};

// Contrast of two colours, WCAG 2.1: 1 to 21.
double contrast(const QColor& a, const QColor& b);

}  // namespace strata::ui
