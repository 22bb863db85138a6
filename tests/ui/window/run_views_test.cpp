// The bar that tells the state of a run, and the log: alone, without a window.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QScrollBar>
#include <QStackedWidget>

#include "tests/ui/support/ui_environment.h"
#include "ui/window/log_view.h"
#include "ui/window/run_bar.h"

namespace strata::ui {
namespace {

TEST(RunBarTest, ThereIsNoEpochWhileTheRunIsPrepared) {
    QAction train("Train"), step("Step"), stop("Stop"), save("Save");
    RunBar bar({&train, &step, &stop, &save});
    bar.resize(1280, 48);
    bar.show();
    const auto shown = [&] {
        QStringList texts;
        for (const QLabel* label : bar.findChildren<QLabel*>()) texts << label->text();
        return texts.join('|');
    };
    bar.setState(train::RunState::preparing);
    EXPECT_FALSE(shown().contains("epoch")) << qPrintable(shown());
    EXPECT_FALSE(shown().contains("update")) << qPrintable(shown());
    train::PlanEvent plan;
    plan.epochs = 3;
    plan.updates_per_epoch = 10;
    bar.setPlan(plan);
    train::StepEvent first;
    first.update = first.epoch = 1;
    bar.addSteps({first});
    bar.setState(train::RunState::running);
    EXPECT_TRUE(shown().contains("epoch 1 of 3")) << qPrintable(shown());
    EXPECT_TRUE(shown().contains("update 1")) << qPrintable(shown());
}

TEST(LogViewTest, OpensAtItsEnd) {
    QStackedWidget pages;
    auto* log = new LogView;
    pages.addWidget(new QWidget);
    pages.addWidget(log);
    pages.resize(300, 150);
    pages.show();
    QApplication::processEvents();
    for (int i = 0; i < 100; ++i)
        log->add(train::LogEvent::Level::info,
                 QString("line %1 of a log that is wider than the page it stands on").arg(i));
    pages.setCurrentWidget(log);
    QApplication::processEvents();
    const QScrollBar& bar = *log->verticalScrollBar();
    EXPECT_GT(bar.maximum(), 0);
    EXPECT_EQ(bar.value(), bar.maximum());
    pages.resize(200, 120);
    QApplication::processEvents();
    EXPECT_EQ(bar.value(), bar.maximum()) << "narrower lines take more rows";
    log->verticalScrollBar()->setValue(0);
    pages.resize(220, 120);
    QApplication::processEvents();
    EXPECT_EQ(bar.value(), 0) << "who reads old lines stays there";
}

}  // namespace
}  // namespace strata::ui
