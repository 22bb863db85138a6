// The input pipeline while a run goes on: each stage with its rate, its busy share and the fill of
// the queue behind it, and the sentence that says what holds the device up. A page of the charts.
#pragma once

#include <QWidget>

#include "engine/train/events.h"

namespace strata::ui {

QString stageText(const std::string& name);
// "The device waits for data 3 % of the time; map is at its limit."
QString pipelineSentence(const train::PipelineEvent& pipeline);

class StageView : public QWidget {
    Q_OBJECT

public:
    explicit StageView(QWidget* parent = nullptr);
    void setPipeline(const train::PipelineEvent& pipeline);
    void clear();
    QString sentence() const;  // "" before the first measurement

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void describe();
    void paintStage(QPainter& painter, const QRectF& row,
                    const train::PipelineEvent::Stage& stage) const;
    void paintShare(QPainter& painter, const QRectF& place, double share, const QColor& ink) const;

    train::PipelineEvent m_pipeline;
    bool m_measured = false;
};

}  // namespace strata::ui
