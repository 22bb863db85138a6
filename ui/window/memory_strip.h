// Before Train: what the project will hold in its device's memory, as a stacked bar by category
// against the limit. The prediction is the planner's own and is made on another thread.
#pragma once

#include <QFutureWatcher>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "ui/bridge/prediction.h"
#include "ui/document/document.h"

namespace strata::ui {

class MemoryStrip : public QWidget {
    Q_OBJECT

public:
    explicit MemoryStrip(Document& document, QWidget* parent = nullptr);
    const std::optional<MemoryPrediction>& prediction() const { return m_prediction; }

Q_SIGNALS:
    void predicted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void ask();
    void take();
    void describe();
    void paintLegend(QPainter& painter, double left, double right) const;

    Document& m_document;
    QTimer m_delay;  // typing asks once
    QFutureWatcher<std::optional<MemoryPrediction>> m_watcher;
    std::optional<MemoryPrediction> m_prediction;
    bool m_again = false;
};

}  // namespace strata::ui
