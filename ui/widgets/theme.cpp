#include "ui/widgets/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleFactory>
#include <algorithm>
#include <array>
#include <cmath>

namespace strata::ui {
namespace {

constexpr double designText = 13;  // pixels of the design's text

double systemScale() {
    const double pixels = QFontInfo(QApplication::font()).pixelSize();
    return std::clamp(pixels / designText, 1.0, 2.0);
}

// Text and the controls that hold it grow together.
QString scaled(const QString& sheet, double scale) {
    static const QRegularExpression length("(font-size|min-height|max-height): (\\d+)px");
    QString out;
    qsizetype done = 0;
    for (auto found = length.globalMatch(sheet); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        out += sheet.mid(done, match.capturedStart(2) - done);
        out += QString::number(std::lround(match.captured(2).toDouble() * scale));
        done = match.capturedEnd(2);
    }
    return out + sheet.mid(done);
}

QString styleSheet(const Colors& c) {
    const QString hover = c.dark ? "#262B34" : "#EEF2F8";
    return QStringLiteral(R"(
QWidget { font-size: 13px; }
QMainWindow, QDialog { background: %1; }
QToolTip { background: %2; color: %4; border: 1px solid %3; padding: 4px; }
QMenuBar { background: %2; border-bottom: 1px solid %3; padding: 2px 4px; }
QMenuBar::item { padding: 4px 10px; border-radius: 4px; }
QMenuBar::item:selected { background: %7; }
QMenu { background: %2; border: 1px solid %3; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: %7; color: %4; }
QMenu::item:disabled { color: %5; }
QMenu::separator { height: 1px; background: %3; margin: 4px 8px; }
QPushButton { background: %2; border: 1px solid %3; border-radius: 5px; padding: 0 14px; min-height: 28px; }
QPushButton:hover { background: %7; }
QPushButton:focus { border-color: %6; }
QPushButton:disabled { color: %5; }
QPushButton[primary="true"] { background: %6; color: %8; border-color: %6; font-weight: 600; }
QPushButton[primary="true"]:disabled { background: %3; color: %5; border-color: %3; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: %1; border: 1px solid %3; border-radius: 5px;
    min-height: 26px; padding: 0 8px; selection-background-color: %6; selection-color: %8; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QListView:focus, QTreeView:focus,
QPlainTextEdit:focus { border: 1px solid %6; }
QComboBox QAbstractItemView { background: %2; border: 1px solid %3; selection-background-color: %7;
    selection-color: %4; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url(:/icons/controls/down_@.svg); width: 10px; height: 10px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border; width: 22px; border: none;
    background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-arrow { image: url(:/icons/controls/up_@.svg); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/controls/down_@.svg); width: 9px; height: 9px; }
QCheckBox { min-height: 26px; spacing: 8px; }
QCheckBox::indicator { width: 34px; height: 20px; border: 1px solid transparent; border-radius: 11px; }
QCheckBox::indicator:focus { border-color: %6; }
QCheckBox::indicator:checked { image: url(:/icons/controls/switch_on_@.svg); }
QCheckBox::indicator:unchecked { image: url(:/icons/controls/switch_off_@.svg); }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: %5; padding: 7px 12px; border: none;
    border-bottom: 2px solid transparent; }
QTabBar[dense="true"]::tab { padding: 7px 6px; }
QTabBar[dense="tight"]::tab { padding: 7px 4px; }
QTabBar::scroller { width: 44px; }
QTabBar QToolButton { background: %2; border: 1px solid %3; border-radius: 4px; }
QTabBar QToolButton::left-arrow { image: url(:/icons/controls/left_@.svg); width: 10px; height: 10px; }
QTabBar QToolButton::right-arrow { image: url(:/icons/controls/right_@.svg); width: 10px; height: 10px; }
QTabBar::tab:selected { color: %4; border-bottom-color: %6; font-weight: 600; }
QTabBar::tab:hover { color: %4; }
QTabBar::tab:focus { color: %6; }
QTabWidget::pane { border: none; border-top: 1px solid %3; }
QScrollArea, QTabWidget > QWidget { background: %2; border: none; }
QPlainTextEdit, QTableView, QListView, QTreeView { background: %2; border: 1px solid %3; border-radius: 5px; }
QTableView::item { padding-left: 5px; padding-right: 5px; border: none; }
QAbstractScrollArea::corner { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: %3; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: %5; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QHeaderView::section { background: %1; color: %5; border: none; border-bottom: 1px solid %3; padding: 5px 8px; }
QSplitter::handle { background: %3; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QProgressBar { background: %3; border: none; border-radius: 4px; max-height: 8px; min-height: 8px; }
QProgressBar::chunk { background: %6; border-radius: 4px; }
QFrame[panel="true"] { background: %2; border: none; }
QFrame[block="true"] { background: %2; border: 1px solid %3; border-radius: 5px; }
QFrame[card="true"] { background: %2; border: 1px solid %3; border-radius: 7px; }
QLabel { background: transparent; }
QLabel[secondary="true"] { color: %5; font-size: 12px; }
QLabel[heading="true"] { font-weight: 600; }
QLabel[title="true"] { font-size: 24px; font-weight: 600; }
QPushButton[link="true"] { border: none; background: transparent; color: %6; padding: 0; min-height: 22px;
    text-align: left; font-weight: 600; }
QPushButton[link="true"]:hover, QPushButton[link="true"]:focus { text-decoration: underline; }
QFrame[bar="true"] { background: %2; border: none; border-bottom: 1px solid %3; }
QScrollArea[page="true"], QWidget[page="true"] { background: %1; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 2px 6px; }
QToolButton[segment="true"] { border-color: %3; border-radius: 5px; padding: 3px 12px; min-height: 20px; }
QToolButton[segment="true"]:checked { background: %7; border-color: %6; color: %6; font-weight: 600; }
QToolButton[offer="true"] { border-color: %6; color: %6; }
QToolButton:hover { background: %7; }
QToolButton:focus { border-color: %6; }
QLabel[bad="true"] { color: %9; font-size: 12px; }
QLabel[good="true"] { color: %10; font-size: 12px; font-weight: 600; }
QLabel[warning="true"] { color: %11; font-size: 12px; }
)")
        .arg(c.window.name(), c.panel.name(), c.border.name(), c.text.name(), c.secondary.name(),
             c.accent.name(), hover, c.onAccent.name(), c.bad.name())
        .arg(c.good.name(), c.warning.name())
        .replace('@', c.dark ? "dark" : "light");
}

QPalette paletteOf(const Colors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.panel);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.panel);
    p.setColor(QPalette::AlternateBase, c.window);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::Button, c.panel);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.onAccent);
    p.setColor(QPalette::ToolTipBase, c.panel);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::PlaceholderText, c.secondary);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::Mid, c.border);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.secondary);
    return p;
}

// The desktop's palette, as it is before the studio sets its own.
bool systemIsDark() {
    static const QPalette desktop = QGuiApplication::palette();
    return desktop.color(QPalette::Window).lightness() <
           desktop.color(QPalette::WindowText).lightness();
}

QFont sized(int pixels, QFont::Weight weight) {
    QFont font = QApplication::font();
    font.setPixelSize(Theme::px(pixels));
    font.setWeight(weight);
    return font;
}

double luminance(const QColor& color) {
    const auto linear = [](double v) {
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

}  // namespace

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

Colors Theme::lightColors() {
    return {"#F3F5F8", "#FFFFFF", "#EDF0F4", "#D7DCE4", "#1B2330", "#5A6577",
            "#1F62D6", "#177245", "#A65500", "#BE2B37", "#FFFFFF", false};
}

Colors Theme::darkColors() {
    return {"#14171C", "#1B1F26", "#171A20", "#303743", "#E8EBF1", "#A3ADBD",
            "#7AA7FF", "#5BC98C", "#F0A44B", "#FF7B83", "#14171C", true};
}

void Theme::apply(QApplication& app, ThemeChoice choice) {
    m_choice = choice;
    const bool dark =
        choice == ThemeChoice::dark || (choice == ThemeChoice::system && systemIsDark());
    m_colors = dark ? darkColors() : lightColors();
    app.setStyle(QStyleFactory::create("Fusion"));
    app.setPalette(paletteOf(m_colors));
    m_scale = systemScale();
    app.setStyleSheet(scaled(styleSheet(m_colors), m_scale));
    Q_EMIT changed();
}

QColor Theme::device(int index) {
    static const std::array<QColor, 6> colors{"#0072B2", "#D98200", "#009E73",
                                              "#B65A93", "#D55E00", "#56B4E9"};
    return colors[static_cast<std::size_t>(index) % colors.size()];
}

QColor Theme::train() {
    return "#0072B2";
}
QColor Theme::validation() {
    return "#D55E00";
}

QColor Theme::memory(device::Category category) {
    static const std::array<QColor, device::category_count> colors{"#4C78C8", "#7A6FBE", "#1B998B",
                                                                   "#D98200", "#B65A93", "#8A94A5"};
    return colors[static_cast<std::size_t>(category)];
}

QColor Theme::layer(layers::LayerCategory category) {
    using layers::LayerCategory;
    switch (category) {
        case LayerCategory::core:
            return "#4C78C8";
        case LayerCategory::convolution:
            return "#1B998B";
        case LayerCategory::pooling:
            return "#7A6FBE";
        case LayerCategory::normalization:
            return "#B7791F";
        case LayerCategory::regularization:
        case LayerCategory::preprocessing:
            return "#8A94A5";
        case LayerCategory::input:
        case LayerCategory::merging:
            break;
    }
    return "#5A6577";
}

QColor Theme::onPanel(const QColor& color) {
    const Colors& colors = instance().colors();
    QColor out = color;
    for (int i = 0; i < 8 && contrast(out, colors.panel) < 4.5; ++i)
        out = colors.dark ? out.lighter(112) : out.darker(112);
    return out;
}

QFont Theme::text() {
    return sized(13, QFont::Normal);
}
QFont Theme::secondary() {
    return sized(12, QFont::Normal);
}
QFont Theme::heading() {
    return sized(13, QFont::DemiBold);
}

QFont Theme::small() {
    return sized(11, QFont::Normal);
}

QFont Theme::mono() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(px(12));
    return font;
}

double Theme::scale() {
    return instance().m_scale;
}

int Theme::px(double length) {
    return static_cast<int>(std::lround(length * scale()));
}

QFont Theme::unscaled(QFont font) {
    font.setPixelSize(static_cast<int>(std::lround(font.pixelSize() / scale())));
    return font;
}

void Theme::followFont(QApplication& app) {
    if (systemScale() != m_scale) apply(app, m_choice);
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace strata::ui
