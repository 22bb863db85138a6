#include "ui/widgets/memory_bar.h"

#include <QPainter>
#include <QStringList>
#include <algorithm>

#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr double barHeight = 10, square = 8, gap = 14;
constexpr int lineHeight = 20, widest = 720;

std::vector<device::Category> largestFirst(const device::MemoryBudget& memory) {
    std::vector<device::Category> order;
    for (std::size_t i = 0; i < device::category_count; ++i)
        if (const auto category = static_cast<device::Category>(i); memory[category] > 0)
            order.push_back(category);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return memory[a] > memory[b]; });
    return order;
}

}  // namespace

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMaximumWidth(Theme::px(widest));
}

void MemoryBar::setMemory(const device::MemoryBudget& memory, std::size_t limit) {
    m_memory = memory;
    m_limit = limit;
    QStringList parts;
    for (const device::Category category : largestFirst(memory))
        parts << memoryText(category) + " " + formatBytes(memory[category]);
    setAccessibleName(amount());
    setAccessibleDescription(parts.join(", "));
    setToolTip(parts.join('\n'));
    updateGeometry();
    update();
}

QString MemoryBar::amount() const {
    const QString bytes = formatBytes(m_memory.total());
    return m_limit == 0 ? bytes : bytes + QStringLiteral(" / ") + formatBytes(m_limit);
}

QSize MemoryBar::sizeHint() const {
    return {Theme::px(320), Theme::px(2 * lineHeight)};
}

void MemoryBar::paintEvent(QPaintEvent*) {
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::secondary());
    const QFontMetricsF metrics(painter.font());
    const double line = Theme::px(lineHeight), end = width() - metrics.horizontalAdvance(amount());
    const bool over = m_limit > 0 && m_memory.total() > m_limit;
    painter.setPen(over ? colors.bad : colors.text);
    painter.drawText(QRectF(end, 0, width() - end, line), Qt::AlignVCenter, amount());
    const QRectF bar(0, (line - barHeight) / 2, std::max(end - 12, 8.0), barHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.border);
    painter.drawRoundedRect(bar, 2, 2);
    const auto scale = static_cast<double>(std::max({m_memory.total(), m_limit, std::size_t{1}}));
    double x = bar.left();
    for (std::size_t i = 0; i < device::category_count; ++i) {
        const auto category = static_cast<device::Category>(i);
        const double part = bar.width() * static_cast<double>(m_memory[category]) / scale;
        painter.fillRect(QRectF(x, bar.top(), part, barHeight), Theme::memory(category));
        x += part;
    }
    if (m_limit > 0) {
        const double at = bar.left() + bar.width() * static_cast<double>(m_limit) / scale;
        painter.setPen(QPen(colors.bad, 2));
        painter.drawLine(QPointF(at, bar.top() - 4), QPointF(at, bar.bottom() + 4));
    }
    x = 0;
    for (const device::Category category : largestFirst(m_memory)) {
        const QString text = memoryText(category) + " " + formatBytes(m_memory[category]);
        const double wide = metrics.horizontalAdvance(text);
        if (x + square + 4 + wide > width()) break;  // all of them stand in the tooltip
        painter.fillRect(QRectF(x, line + (line - square) / 2, square, square),
                         Theme::memory(category));
        painter.setPen(colors.secondary);
        painter.drawText(QRectF(x + square + 4, line, wide + 2, line), Qt::AlignVCenter, text);
        x += square + 4 + wide + gap;
    }
}

}  // namespace strata::ui
