// The data of the project: where they come from, how they are split, and a look at them. Used by
// the window as a tab beside the inspector.
#pragma once

#include <QScrollArea>

#include "ui/document/document.h"

namespace strata::ui {

class DataForm;
class PreviewView;

class DataPanel : public QScrollArea {
    Q_OBJECT

public:
    explicit DataPanel(Document& document, QWidget* parent = nullptr);

    // Shows an engine's error at the field that caused it. False where no field is meant.
    bool showError(const Error& error);
    PreviewView& preview() { return *m_preview; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    DataForm* m_form;
    PreviewView* m_preview;
};

}  // namespace strata::ui
