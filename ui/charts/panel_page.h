// One page of the charts: panels side by side, as many in a row as have room, and scrolled where
// the rows do not fit; nothing but an invitation while there is no run.
#pragma once

#include <QScrollArea>
#include <vector>

class QGridLayout;

namespace strata::ui {

class ChartPanel;

class PanelPage : public QScrollArea {
    Q_OBJECT

public:
    explicit PanelPage(QWidget* parent = nullptr);

    // Owns them. An extra one is left out where it would need a row of its own.
    void setPanels(const std::vector<ChartPanel*>& panels, ChartPanel* extra = nullptr);
    const std::vector<ChartPanel*>& panels() const { return m_panels; }
    std::vector<ChartPanel*> shownPanels() const;
    void setEmpty(bool empty);  // only the first one shows, with its invitation
    const QWidget& sheet() const { return *m_sheet; }  // all panels, those out of sight too
    QSize minimumSizeHint() const override;            // one row of panels that can be read

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    std::vector<ChartPanel*> m_panels;
    ChartPanel* m_extra = nullptr;
    QWidget* m_sheet;
    QGridLayout* m_grid;
    bool m_empty = true;
};

// The panels as they stand on the page. The path's ending chooses: .png (twice the screen's
// resolution), .svg or .pdf. Throws strata::Error.
void exportPanels(const PanelPage& page, const QString& path, const QString& title);

}  // namespace strata::ui
