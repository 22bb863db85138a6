// The live charts below the canvas: pages of panels behind tabs, their controls, and the run's
// values behind them. The window connects EngineThread's signals to the slots; nothing here knows
// the trainer.
#pragma once

#include <QVector>
#include <QWidget>
#include <memory>
#include <vector>

#include "engine/train/events.h"

namespace strata::ui {

class RunStore;

class Charts : public QWidget {
    Q_OBJECT

public:
    explicit Charts(QWidget* parent = nullptr);
    ~Charts() override;

    // A page of the window's own behind a further tab: the log. Takes ownership.
    void addPage(QWidget* page, const QString& title);
    void setPageTitle(QWidget* page, const QString& title);
    void showPage(QWidget* page);

    const RunStore& store() const;  // every value of the run
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    // The shown page as picture; the ending chooses: .png, .svg or .pdf. Throws strata::Error.
    void exportPicture(const QString& path);
    // All points as a table, written by another thread; exported() or exportFailed() tells the end.
    void exportTable(const QString& path);

public Q_SLOTS:
    // A run was planned. One that goes on where the shown values end (resume) keeps them.
    void start(const strata::train::PlanEvent& plan);
    void addSteps(const std::vector<strata::train::StepEvent>& steps);
    void addSteps(const QVector<strata::train::StepEvent>& steps);
    void addEpoch(const strata::train::EpochEvent& epoch);
    void addCheckpoint(const strata::train::CheckpointEvent& checkpoint);
    void addMark(const strata::train::MarkEvent& mark);
    void addMeasurement(const strata::train::MonitorEvent& monitor);
    // Whether the clipping limit is one of the whole gradient's norm, and so a line beside it.
    void setClipLine(bool on);
    void finish(const strata::train::EndEvent& end);
    void clear();

Q_SIGNALS:
    void exported(const QString& path);
    void exportFailed(const QString& message);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> m_all;
};

}  // namespace strata::ui
