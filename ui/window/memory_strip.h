// Before Train: what the project will hold in its device's memory, as a stacked bar by category
// against the limit. The prediction is the planner's own and is made on another thread.
#pragma once

#include <QFutureWatcher>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "engine/device/arena.h"
#include "ui/document/document.h"

namespace strata::ui {

struct MemoryPrediction {
    device::MemoryBudget budget;
    std::size_t limit = 0;  // of the device; 0 = unknown
    std::string device;
};

// Slow (plans the model): not for the window's thread. Empty while the project cannot be planned.
std::optional<MemoryPrediction> predictMemory(const train::RunConfig& config);

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
