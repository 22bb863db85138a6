#include "ui/window/memory_strip.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <vector>

#include "ui/bridge/prediction_pool.h"
#include "ui/widgets/format.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int delayMs = 250;
constexpr double barWidth = 120, barHeight = 8, margin = 16;

}  // namespace

MemoryStrip::MemoryStrip(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document) {
    fitHeight();
    m_delay.setSingleShot(true);
    m_delay.setInterval(delayMs);
    connect(&m_delay, &QTimer::timeout, this, &MemoryStrip::ask);
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &MemoryStrip::take);
    connect(&m_document, &Document::changed, this, [this] { m_delay.start(); });
    connect(&m_document, &Document::replaced, this, [this] { m_delay.start(); });
    connect(&Theme::instance(), &Theme::changed, this, &MemoryStrip::fitHeight);
    describe();
}

void MemoryStrip::ask() {
    m_again = m_watcher.isRunning();
    if (!m_again)
        m_watcher.setFuture(PredictionPool::instance().run(
            [config = m_document.config()] { return predictMemory(config); }));
}

void MemoryStrip::take() {
    try {
        m_prediction = m_watcher.result();
    } catch (const std::exception&) {  // the task itself could not be run
        m_prediction.reset();
    }
    describe();
    update();
    Q_EMIT predicted();
    if (m_again) ask();
}

void MemoryStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) describe();
    QWidget::changeEvent(event);
}

void MemoryStrip::describe() {
    QStringList lines{tr("Memory that training will hold, predicted by the planner")};
    if (several())
        lines += deviceLines();
    else if (m_prediction)
        for (std::size_t i = 0; i < device::category_count; ++i) {
            const auto category = static_cast<device::Category>(i);
            lines << tr("%1: %2").arg(memoryText(category),
                                      formatBytes(m_prediction->budget[category]));
        }
    if (const auto fault = m_document.fault(); fault && !m_prediction) lines << errorText(*fault);
    setToolTip(lines.join('\n'));
    setAccessibleName(tr("Predicted memory"));
    setAccessibleDescription(lines.mid(1).join(", "));
    update();
}

void MemoryStrip::paintEvent(QPaintEvent*) {
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), colors.panel);
    painter.fillRect(QRect(0, 0, width(), 1), colors.border);
    painter.setFont(Theme::secondary());
    painter.setPen(colors.secondary);
    if (several()) {
        paintDevices(painter);
        return;
    }
    const QRectF row = QRectF(rect()).adjusted(margin, 0, -margin, 0);
    if (!m_prediction) {
        const auto fault = m_document.fault();
        const QString text = (fault ? errorText(*fault) + " " : QString()) +
                             tr("Predicted memory appears when the model is complete and its "
                                "devices are there.");
        if (fault) painter.setPen(colors.bad);
        painter.drawText(
            row, Qt::AlignVCenter,
            painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(row.width())));
        return;
    }
    const auto total = static_cast<double>(m_prediction->budget.total());
    const bool over = m_prediction->limit > 0 && total > static_cast<double>(m_prediction->limit);
    const QString amount =
        m_prediction->limit > 0
            ? tr("%1 of %2")
                  .arg(formatBytes(m_prediction->budget.total()), formatBytes(m_prediction->limit))
            : formatBytes(m_prediction->budget.total());
    const QString title =
        tr("Predicted memory on %1:").arg(QString::fromStdString(m_prediction->device));
    const QFontMetricsF metrics(Theme::secondary());
    double x = row.left();
    painter.drawText(row, Qt::AlignVCenter, title);
    x += metrics.horizontalAdvance(title) + 8;
    painter.setPen(over ? colors.bad : colors.text);
    painter.drawText(QRectF(x, 0, row.right() - x, height()), Qt::AlignVCenter, amount);
    x += metrics.horizontalAdvance(amount) + 12;
    QRectF part(x, (height() - barHeight) / 2.0, 0, barHeight);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < device::category_count && total > 0; ++i) {
        const auto category = static_cast<device::Category>(i);
        part.setWidth(barWidth * static_cast<double>(m_prediction->budget[category]) / total);
        painter.fillRect(part, Theme::memory(category));
        part.moveLeft(part.right());
    }
    paintLegend(painter, x + barWidth + 16, row.right());
}

// In two lines where one does not hold it; what fits in neither is counted, and in the tooltip.
void MemoryStrip::paintLegend(QPainter& painter, double left, double right) const {
    const Colors& colors = Theme::instance().colors();
    const QFontMetricsF metrics(Theme::secondary());
    const device::MemoryBudget& budget = m_prediction->budget;
    std::vector<device::Category> order;
    for (std::size_t i = 0; i < device::category_count; ++i)
        if (const auto category = static_cast<device::Category>(i); budget[category] > 0)
            order.push_back(category);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return budget[a] > budget[b]; });
    struct Entry {
        QString text;
        double x, width;
        int line;
    };
    std::vector<Entry> entries;
    double x = left;
    int line = 0;
    const double more = metrics.horizontalAdvance(tr("+%1").arg(order.size()));
    for (const device::Category category : order) {
        const QString text = memoryText(category) + " " + formatBytes(budget[category]);
        const double width = 12 + metrics.horizontalAdvance(text);
        if (line == 0 && x + width > right) {
            line = 1;
            x = left;
        }
        const bool last = entries.size() + 1 == order.size();
        if (x + width > right - (line == 1 && !last ? more + 4 : 0)) break;
        entries.push_back({text, x, width, line});
        x += width + 14;
    }
    const double rowHeight = line == 0 ? height() : height() / 2.0 - 1;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        const double top = 1 + entry.line * rowHeight;
        painter.setPen(Qt::NoPen);
        painter.setBrush(Theme::memory(order[i]));
        painter.drawRect(QRectF(entry.x, top + rowHeight / 2 - 4, 8, 8));
        painter.setPen(colors.secondary);
        painter.drawText(QRectF(entry.x + 12, top, entry.width, rowHeight), Qt::AlignVCenter,
                         entry.text);
    }
    if (entries.size() < order.size())
        painter.drawText(QRectF(x - 8, 1 + line * rowHeight, right - x + 8, rowHeight),
                         Qt::AlignVCenter, tr("+%1").arg(order.size() - entries.size()));
}

}  // namespace strata::ui
