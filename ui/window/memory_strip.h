// Before Train: what the project will hold in its devices' memory, a stacked bar by category for
// each against its limit. The prediction is the planner's own and is made on another thread.
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
    // Of a placement on several devices: then there is a bar for each of them.
    void setPlan(const std::optional<parallel::PlacementPlan>& plan);

Q_SIGNALS:
    void predicted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void ask();
    void take();
    void describe();
    void paintLegend(QPainter& painter, double left, double right) const;
    // memory_strip_devices.cpp
    bool several() const { return m_devices.size() > 1; }
    int columns() const;
    void fitHeight();
    QStringList deviceLines() const;
    void paintDevices(QPainter& painter) const;
    void paintDevice(QPainter& painter, const QRectF& cell, const parallel::DevicePlan& device,
                     double scale) const;
    void paintKey(QPainter& painter, const QRectF& line) const;

    Document& m_document;
    QTimer m_delay;  // typing asks once
    QFutureWatcher<std::optional<MemoryPrediction>> m_watcher;
    std::optional<MemoryPrediction> m_prediction;
    std::vector<parallel::DevicePlan> m_devices;
    bool m_again = false;
};

}  // namespace strata::ui
