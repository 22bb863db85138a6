// How the model is trained: optimizer, loss, metrics, epochs, batch, seed. Shows the document and
// changes it by named, undoable edits; used by the window as a tab beside the inspector.
#pragma once

#include <QScrollArea>

#include "ui/document/document.h"

namespace strata::ui {

class OptimizerForm;
class RunForm;

class TrainingPanel : public QScrollArea {
    Q_OBJECT

public:
    explicit TrainingPanel(Document& document, QWidget* parent = nullptr);

    // Shows an engine's error at the field that caused it ("training.epochs", "data.source"). False
    // where no field is meant.
    bool showError(const Error& error);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();

    Document& m_document;
    OptimizerForm* m_optimizer;
    RunForm* m_run;
};

}  // namespace strata::ui
