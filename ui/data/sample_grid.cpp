#include "ui/data/sample_grid.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cstring>

#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

constexpr int gap = 6, leastSide = 50;
constexpr int coarse = 64;  // pixels: a smaller picture keeps its squares

}  // namespace

QImage imageOf(const Picture& picture) {
    const bool grey = picture.channels == 1;
    QImage image(picture.width, picture.height,
                 grey ? QImage::Format_Grayscale8 : QImage::Format_RGB888);
    const auto row = static_cast<std::size_t>(picture.width) * (grey ? 1 : 3);
    for (int y = 0; y < picture.height; ++y)
        std::memcpy(image.scanLine(y), picture.pixels.data() + static_cast<std::size_t>(y) * row,
                    row);
    return image;
}

SampleGrid::SampleGrid(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void SampleGrid::setCells(std::vector<Cell> cells) {
    m_cells = std::move(cells);
    QStringList labels;
    for (const Cell& cell : m_cells) labels << cell.label;
    setAccessibleDescription(labels.join(", "));
    setVisible(!m_cells.empty());
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
    update();
}

// The columns fill the width.
int SampleGrid::side(int width) const {
    const int across = columns(width);
    return std::min((width + gap) / across - gap, 2 * Theme::px(leastSide));
}

int SampleGrid::shown(int width) const {
    return std::min(static_cast<int>(m_cells.size()), m_rows * columns(width));
}

int SampleGrid::labelHeight() const {
    const bool labelled = std::any_of(m_cells.begin(), m_cells.end(),
                                      [](const Cell& cell) { return !cell.label.isEmpty(); });
    return labelled ? QFontMetrics(Theme::small()).height() + 1 : 0;
}

int SampleGrid::columns(int width) const {
    return std::max(1, (width + gap) / (Theme::px(leastSide) + gap));
}

int SampleGrid::heightForWidth(int width) const {
    const int row = side(width) + labelHeight() + gap;
    const int rows = (shown(width) + columns(width) - 1) / columns(width);
    return std::max(0, rows * row - gap);
}

QSize SampleGrid::sizeHint() const {
    const int width = 5 * (Theme::px(leastSide) + gap) - gap;
    return {width, heightForWidth(width)};
}

QRect SampleGrid::place(int index) const {
    const int across = columns(width()), tall = side(width());
    return {index % across * (tall + gap), index / across * (tall + labelHeight() + gap), tall,
            tall};
}

void SampleGrid::paintEvent(QPaintEvent*) {
    const Colors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setFont(Theme::small());
    for (int i = 0; i < shown(width()); ++i) {
        const Cell& cell = m_cells[static_cast<std::size_t>(i)];
        const QRect frame = place(i);
        painter.fillRect(frame, colors.canvas);
        QSize size = cell.image.size().scaled(frame.size(), Qt::KeepAspectRatio);
        QRect target(QPoint(), size);
        target.moveCenter(frame.center());
        const bool squares = std::max(cell.image.width(), cell.image.height()) <= coarse;
        painter.setRenderHint(QPainter::SmoothPixmapTransform, !squares);
        painter.drawImage(target, cell.image);
        painter.setPen(colors.border);
        painter.drawRect(frame.adjusted(0, 0, -1, -1));
        if (cell.label.isEmpty()) continue;
        painter.setPen(colors.secondary);
        const QRect words(frame.left(), frame.bottom() + 1, frame.width(), labelHeight());
        painter.drawText(
            words, Qt::AlignHCenter | Qt::AlignTop,
            painter.fontMetrics().elidedText(cell.label, Qt::ElideRight, words.width()));
    }
}

bool SampleGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int i = 0; i < shown(width()); ++i)
        if (place(i).adjusted(0, 0, 0, labelHeight()).contains(help->pos())) {
            QToolTip::showText(help->globalPos(), m_cells[static_cast<std::size_t>(i)].label, this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

void SampleGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setMinimumHeight(heightForWidth(width()));
}

}  // namespace strata::ui
