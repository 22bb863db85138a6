#include "ui/data/class_bars.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr std::size_t mostBars = 20;
constexpr int columnsHeight = 72, nameGap = 8;
constexpr double barShare = 0.46;  // of a row's height

double share(std::int64_t count, std::int64_t largest) {
    return largest == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(largest);
}

}  // namespace

ClassBars::ClassBars(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void ClassBars::setCounts(const QStringList& names, const std::vector<std::int64_t>& counts) {
    m_names = names;
    m_counts = counts;
    QStringList texts;
    for (std::size_t i = 0; i < m_counts.size() && !isLong(); ++i) texts << textOf(i);
    setAccessibleDescription(texts.join(", "));
    setVisible(!m_counts.empty());
    updateGeometry();
    update();
}

bool ClassBars::isLong() const {
    return m_counts.size() > mostBars;
}

int ClassBars::rowHeight() const {
    return QFontMetrics(Theme::secondary()).height() + 3;
}

QString ClassBars::textOf(std::size_t index) const {
    return tr("%1: %2", "class: samples")
        .arg(m_names.value(static_cast<qsizetype>(index)), formatCount(m_counts[index]));
}

QSize ClassBars::sizeHint() const {
    return {Theme::px(240),
            isLong() ? Theme::px(columnsHeight) : rowHeight() * static_cast<int>(m_counts.size())};
}

void ClassBars::paintEvent(QPaintEvent*) {
    if (m_counts.empty()) return;
    QPainter painter(this);
    painter.setFont(Theme::secondary());
    if (isLong())
        paintColumns(painter);
    else
        paintBars(painter);
}

void ClassBars::paintBars(QPainter& painter) const {
    const Colors& colors = Theme::instance().colors();
    const QFontMetrics metrics = painter.fontMetrics();
    const std::int64_t largest = *std::max_element(m_counts.begin(), m_counts.end());
    int nameWidth = 0, countWidth = 0;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        const QString name = m_names.value(static_cast<qsizetype>(i));
        nameWidth = std::max(nameWidth, metrics.horizontalAdvance(name));
        countWidth = std::max(countWidth, metrics.horizontalAdvance(formatCount(m_counts[i])));
    }
    nameWidth = std::min(nameWidth + 2, width() * 2 / 5);
    const int left = nameWidth + nameGap, room = width() - left - countWidth - nameGap;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        const QRect row(0, static_cast<int>(i) * rowHeight(), width(), rowHeight());
        const QString name = m_names.value(static_cast<qsizetype>(i));
        painter.setPen(colors.text);
        painter.drawText(QRect(0, row.top(), nameWidth, row.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideRight, nameWidth));
        const double height = barShare * row.height(),
                     top = row.top() + (row.height() - height) / 2;
        painter.fillRect(QRectF(left, top, room, height), colors.canvas);
        painter.fillRect(QRectF(left, top, room * share(m_counts[i], largest), height),
                         Theme::onPanel(Theme::train()));
        painter.setPen(colors.secondary);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, formatCount(m_counts[i]));
    }
}

void ClassBars::paintColumns(QPainter& painter) const {
    const Colors& colors = Theme::instance().colors();
    const std::int64_t largest = *std::max_element(m_counts.begin(), m_counts.end());
    const double step = static_cast<double>(width()) / static_cast<double>(m_counts.size());
    painter.fillRect(rect(), colors.canvas);
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        const double tall = height() * share(m_counts[i], largest);
        painter.fillRect(QRectF(static_cast<double>(i) * step, height() - tall,
                                std::max(1.0, step - (step > 3.0 ? 1.0 : 0.0)), tall),
                         Theme::onPanel(Theme::train()));
    }
}

bool ClassBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_counts.empty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double at = isLong() ? static_cast<double>(help->pos().x()) *
                                     static_cast<double>(m_counts.size()) / std::max(width(), 1)
                               : static_cast<double>(help->pos().y()) / rowHeight();
    const auto index = static_cast<std::size_t>(std::max(at, 0.0));
    if (index < m_counts.size()) QToolTip::showText(help->globalPos(), textOf(index), this);
    return true;
}

}  // namespace strata::ui
