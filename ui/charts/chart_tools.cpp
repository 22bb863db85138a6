#include "ui/charts/chart_tools.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

#include "ui/charts/panel_spec.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int smoothGap = 8;                                   // after the slider
constexpr int initialSmoothing = 90, strongestSmoothing = 99;  // per cent

}  // namespace

ChartTools::ChartTools(QWidget* parent)
    : QWidget(parent),
      m_smoothLabel(new QLabel),
      m_smoothValue(new QLabel),
      m_smooth(new QSlider(Qt::Horizontal)),
      m_axis(makeButton("axis", false)),
      m_logY(makeButton("logY", true)),
      m_follow(makeButton("follow", true)),
      m_back(makeButton("back", false)),
      m_fit(makeButton("fit", false)),
      m_export(makeButton("export", false)),
      m_axisMenu(new QMenu(this)),
      m_exportMenu(new QMenu(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 12, 0);
    row->setSpacing(4);
    m_smoothLabel->setProperty("secondary", true);
    m_smoothLabel->setBuddy(m_smooth);
    m_smoothValue->setProperty("secondary", true);
    m_smooth->setObjectName("smoothing");
    m_smooth->setRange(0, strongestSmoothing);
    m_smooth->setFixedWidth(88);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_smoothLabel, m_smooth, m_smoothValue})
        row->addWidget(widget);
    row->addSpacing(smoothGap);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{m_axis, m_logY, m_follow, m_back, m_fit, m_export})
        row->addWidget(widget);
    makeMenus();
    m_follow->setChecked(true);
    m_back->setEnabled(false);
    connect(m_smooth, &QSlider::valueChanged, this, &ChartTools::showSmoothing);
    connect(m_logY, &QToolButton::toggled, this, &ChartTools::logYToggled);
    connect(m_follow, &QToolButton::toggled, this, &ChartTools::followToggled);
    connect(m_back, &QToolButton::clicked, this, &ChartTools::backClicked);
    connect(m_fit, &QToolButton::clicked, this, &ChartTools::fitClicked);
    m_smooth->setValue(initialSmoothing);
    retranslate();
}

QToolButton* ChartTools::makeButton(const char* name, bool checkable) {
    auto* button = new QToolButton;
    button->setObjectName(QString::fromLatin1(name));
    button->setAutoRaise(true);
    button->setCheckable(checkable);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void ChartTools::makeMenus() {
    auto* group = new QActionGroup(this);
    for (const XAxis axis : {XAxis::update, XAxis::epoch, XAxis::samples, XAxis::time}) {
        QAction* action = m_axisMenu->addAction(QString());
        action->setCheckable(true);
        action->setChecked(axis == m_chosen);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, axis] {
            showAxis(axis);
            Q_EMIT xAxisChosen(axis);
        });
        m_axes.push_back(action);
    }
    m_axisMenu->addSeparator();
    m_logX = m_axisMenu->addAction(QString());
    m_logX->setCheckable(true);
    connect(m_logX, &QAction::toggled, this, &ChartTools::logXToggled);
    for (const char* ending : {"png", "svg", "pdf", "csv"}) {
        QAction* action = m_exportMenu->addAction(QString());
        connect(action, &QAction::triggered, this,
                [this, ending] { Q_EMIT exportClicked(QString::fromLatin1(ending)); });
        m_exports.push_back(action);
    }
    for (QToolButton* button : {m_axis, m_export}) button->setPopupMode(QToolButton::InstantPopup);
    m_axis->setMenu(m_axisMenu);
    m_export->setMenu(m_exportMenu);
}

void ChartTools::setCanStepBack(bool can) {
    m_back->setEnabled(can);
}

double ChartTools::smoothing() const {
    return m_smooth->value() / 100.0;
}

void ChartTools::showAxis(XAxis axis) {
    m_chosen = axis;
    m_axis->setText(tr("x: %1").arg(axisText(axis).section(',', 0, 0)));
}

void ChartTools::showSmoothing(int percent) {
    m_smoothValue->setText(QLocale().toString(percent / 100.0, 'f', 2));
    Q_EMIT smoothingChanged(percent / 100.0);
}

int ChartTools::fitInto(int width) {
    const std::initializer_list<QWidget*> parts{
        m_smoothLabel, m_smooth, m_smoothValue, m_axis, m_logY, m_follow, m_back, m_fit, m_export};
    const QMargins margins = layout()->contentsMargins();
    int needed = margins.left() + margins.right() + smoothGap;
    const auto widthOf = [this](const QWidget* part) {
        const int hint = std::max(part->sizeHint().width(), part->minimumWidth());
        return std::min(hint, part->maximumWidth()) + layout()->spacing();
    };
    for (const QWidget* part : parts) needed += widthOf(part);
    QList<QWidget*> hidden;
    for (QWidget* part : {static_cast<QWidget*>(m_smoothLabel), static_cast<QWidget*>(m_back),
                          static_cast<QWidget*>(m_fit), static_cast<QWidget*>(m_smoothValue),
                          static_cast<QWidget*>(m_smooth)}) {
        if (needed <= width) break;
        needed -= widthOf(part);
        hidden << part;
    }
    for (QWidget* part : parts) part->setVisible(!hidden.contains(part));
    return needed;
}

void ChartTools::retranslate() {
    const auto name = [](QToolButton* button, const QString& text, const QString& help) {
        button->setText(text);
        button->setAccessibleName(help);
        button->setToolTip(help);
    };
    m_smoothLabel->setText(tr("Smooth"));
    m_smooth->setAccessibleName(tr("Smoothing"));
    m_smooth->setToolTip(
        tr("How much of the running mean stays at each value; the raw line stays visible behind "
           "it. 0 switches it off."));
    m_smoothValue->setFixedWidth(
        m_smoothValue->fontMetrics().horizontalAdvance(QLocale().toString(0.88, 'f', 2)) + 6);
    m_smoothValue->setText(QLocale().toString(m_smooth->value() / 100.0, 'f', 2));
    name(m_axis, {}, tr("What the horizontal axis counts"));
    showAxis(m_chosen);
    name(m_logY, tr("Log y"), tr("Logarithmic vertical axis"));
    name(m_follow, tr("Follow"),
         tr("A zoomed chart that shows the newest values moves along with them"));
    name(m_back, tr("Back"), tr("Step back to the view before the last zoom (Backspace)"));
    name(m_fit, tr("Fit"), tr("Show all values (double-click or Home)"));
    name(m_export, tr("Export"), tr("Save the charts as a picture or the values as a table"));
    for (std::size_t i = 0; i < m_axes.size(); ++i)
        m_axes[i]->setText(axisText(static_cast<XAxis>(i)).section(',', 0, 0));
    m_logX->setText(tr("Logarithmic"));
    const QStringList texts{tr("Picture (PNG)…"), tr("Picture, sharp at any size (SVG)…"),
                            tr("Document (PDF)…"), tr("Table of all values (CSV)…")};
    for (std::size_t i = 0; i < m_exports.size(); ++i)
        m_exports[i]->setText(texts[static_cast<qsizetype>(i)]);
    const Colors& c = Theme::instance().colors();
    setStyleSheet(
        QStringLiteral(
            "QToolButton { color: %1; border: 1px solid transparent; border-radius: 5px; padding: "
            "0 8px; min-height: 26px; }"
            "QToolButton:hover { background: %2; color: %3; } QToolButton:focus { border-color: "
            "%4; }"
            "QToolButton:checked { color: %4; background: %2; } QToolButton:disabled { color: %5; }"
            "QToolButton::menu-indicator { subcontrol-position: right center; width: 9px; right: "
            "2px; }"
            "QToolButton#axis, QToolButton#export { padding-right: 14px; }")
            .arg(c.secondary.name(), c.window.name(), c.text.name(), c.accent.name(),
                 mixed(c.secondary, c.panel, 0.5).name()));
}

}  // namespace strata::ui
