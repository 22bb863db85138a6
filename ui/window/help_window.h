// Help on a layer from its description in the catalogue: what F1 shows on the selection.
#pragma once

#include <QDialog>

#include "engine/layers/layer.h"

class QTextBrowser;

namespace strata::ui {

class HelpWindow : public QDialog {
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent = nullptr);
    void showLayer(const layers::LayerDescription& layer);
    void showGeneral();  // shortcuts and the first steps
    QString text() const;

private:
    QTextBrowser* m_browser;
};

}  // namespace strata::ui
