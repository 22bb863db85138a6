// Asks the planner for a placement on so many devices, shows its reasons and applies it as one
// undoable change. Made by the window.
#pragma once

#include <QDialog>
#include <QFutureWatcher>
#include <QTimer>

#include "ui/bridge/prediction.h"
#include "ui/document/document.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace strata::ui {

class PlacementDialog : public QDialog {
    Q_OBJECT

public:
    explicit PlacementDialog(Document& document, QWidget* parent = nullptr);

    enum class Way { any, pipeline, copies };
    void setDevices(int count);
    void setWay(Way way);
    const AutoPrediction& prediction() const { return m_prediction; }
    QString text() const;  // all that it tells
    QPushButton* applyButton() const { return m_apply; }
    void apply();

Q_SIGNALS:
    void predicted();

private:
    void ask();
    void take();
    void tell();
    QString headline() const;
    QString reasons() const;
    QString others() const;

    Document& m_document;
    QSpinBox* m_devices;
    QComboBox* m_way;
    QLabel *m_head, *m_reasons, *m_others;
    QPushButton* m_apply;
    QTimer m_delay;  // typing asks once
    QFutureWatcher<AutoPrediction> m_watcher;
    AutoPrediction m_prediction;
    bool m_again = false;
};

}  // namespace strata::ui
