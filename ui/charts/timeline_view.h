// The pipeline over devices: when each device works on which micro-batch in a batch, as measured
// and as the planner predicts it, with the share of the time that devices wait. Shows what it is
// told.
#pragma once

#include <QStringList>
#include <QWidget>
#include <optional>

#include "engine/parallel/planner.h"
#include "engine/train/events.h"

namespace strata::ui {

class TimelineView : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(QWidget* parent = nullptr);

    void setPlan(const std::optional<parallel::PlacementPlan>& plan);
    // A run begins or ends to be shown: its devices, in the order of TimelineEvent::Block::device.
    void start(const train::PlanEvent& plan);
    void setTimeline(const train::TimelineEvent& timeline);
    // What was measured is not of the project as it is now: it is not set beside the prediction.
    void setOutdated(bool outdated);
    bool isOutdated() const { return m_outdated; }
    QString sentence() const;    // the idle shares in words; "" where there is no pipeline
    QString readout() const;     // of the block that is pointed at
    int blocks() const;          // that are shown
    QStringList titles() const;  // of the parts

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Block {
        int stage = 0, microBatch = 0;
        bool backward = false;
        double begin = 0.0, end = 0.0;
    };
    struct Row {
        QString device;
        std::vector<Block> blocks;
    };
    struct Part {
        QString title;
        std::vector<Row> rows;
        double seconds = 0.0;
        bool measured = false;
    };
    struct Place {
        std::size_t part = 0, row = 0, block = 0;
        bool operator==(const Place&) const = default;
    };
    struct Shown {
        QRectF rect;
        Place place;
    };

    std::vector<Part> parts() const;
    void rebuild();
    void lay();  // where the blocks stand
    double rowHeight() const;
    double labelWidth() const;
    QRectF plotArea() const;
    void moveBy(int blocks);
    void paintEmpty(QPainter& painter) const;
    void paintHead(QPainter& painter) const;
    void paintBlock(QPainter& painter, const Shown& shown) const;
    void paintAxis(QPainter& painter) const;

    std::optional<parallel::PlacementPlan> m_plan;
    QStringList m_devices;
    std::optional<train::TimelineEvent> m_timeline;
    bool m_outdated = false;
    std::vector<Part> m_parts;
    std::vector<Shown> m_shown;
    std::vector<double> m_titleTops, m_rowTops;  // of each part; of each row, part by part
    double m_seconds = 0.0;                      // of the axis
    std::optional<Place> m_current;
};

}  // namespace strata::ui
