#include "ui/charts/panel_page.h"

#include <QGridLayout>
#include <algorithm>

#include "ui/charts/chart_panel.h"

namespace strata::ui {
namespace {

constexpr int narrowest = 280;  // of a panel
constexpr int margin = 4;

}  // namespace

PanelPage::PanelPage(QWidget* parent)
    : QScrollArea(parent), m_sheet(new QWidget), m_grid(new QGridLayout(m_sheet)) {
    setWidgetResizable(true);
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidget(m_sheet);
    m_grid->setContentsMargins(margin, margin, margin, margin);
    m_grid->setSpacing(margin);
}

void PanelPage::setPanels(const std::vector<ChartPanel*>& panels, ChartPanel* extra) {
    for (ChartPanel* panel : m_panels)
        if (std::find(panels.begin(), panels.end(), panel) == panels.end()) delete panel;
    m_panels = panels;
    m_extra = extra;
    for (ChartPanel* panel : m_panels) panel->setParent(m_sheet);
    arrange();
}

void PanelPage::setEmpty(bool empty) {
    if (empty == m_empty) return;
    m_empty = empty;
    arrange();
}

void PanelPage::arrange() {
    while (QLayoutItem* item = m_grid->takeAt(0)) delete item;
    std::vector<ChartPanel*> shown;
    const auto room = static_cast<std::size_t>(std::max(width() / narrowest, 1));
    for (ChartPanel* panel : m_panels) {
        const bool leftOut =
            (m_empty && panel != m_panels.front()) || (panel == m_extra && m_panels.size() > room);
        if (!leftOut) shown.push_back(panel);
        panel->setVisible(!leftOut);
    }
    const std::size_t rows = (shown.size() + room - 1) / room;
    const std::size_t columns = rows == 0 ? 1 : (shown.size() + rows - 1) / rows;
    for (std::size_t i = 0; i < shown.size(); ++i)
        m_grid->addWidget(shown[i], static_cast<int>(i / columns), static_cast<int>(i % columns));
    for (int column = 0; column < m_grid->columnCount(); ++column)
        m_grid->setColumnStretch(column, column < static_cast<int>(columns) ? 1 : 0);
}

std::vector<ChartPanel*> PanelPage::shownPanels() const {
    std::vector<ChartPanel*> shown;
    for (ChartPanel* panel : m_panels)
        if (!panel->isHidden()) shown.push_back(panel);
    return shown;
}

QSize PanelPage::minimumSizeHint() const {
    return {ChartPanel::leastSize().width(), ChartPanel::leastSize().height() + 2 * margin};
}

void PanelPage::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (event->size().width() / narrowest != event->oldSize().width() / narrowest) arrange();
}

}  // namespace strata::ui
