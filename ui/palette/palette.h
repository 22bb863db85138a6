// The layers by category with search; drag one to the canvas, or double-click to insert it after
// the selection.
#pragma once

#include <QWidget>

class QLineEdit;
class QListWidget;

namespace strata::ui {

// Mime type of a dragged layer type; the data is its permanent id in UTF-8.
inline constexpr const char* layerMimeType = "application/x-strata-layer";

class Palette : public QWidget {
    Q_OBJECT

public:
    explicit Palette(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    void focusSearch();

Q_SIGNALS:
    void chosen(const QString& type);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();

    QLineEdit* m_search;
    QListWidget* m_list;
};

}  // namespace strata::ui
