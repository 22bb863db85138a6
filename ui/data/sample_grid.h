// Samples that are images, side by side in a few rows, each with its label below. Used by the data
// preview.
#pragma once

#include <QImage>
#include <QWidget>
#include <vector>

#include "ui/bridge/data_preview.h"

namespace strata::ui {

QImage imageOf(const Picture& picture);

class SampleGrid : public QWidget {
    Q_OBJECT

public:
    struct Cell {
        QImage image;
        QString label;  // "" for none
    };

    explicit SampleGrid(QWidget* parent = nullptr);
    void setCells(std::vector<Cell> cells);
    void setRows(int most) { m_rows = most; }  // more of them are not shown
    const std::vector<Cell>& cells() const { return m_cells; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int columns(int width) const;
    QRect place(int index) const;  // of a picture
    int side(int width) const;     // of a picture
    int shown(int width) const;    // cells
    int labelHeight() const;

    std::vector<Cell> m_cells;
    int m_rows = 3;
};

}  // namespace strata::ui
