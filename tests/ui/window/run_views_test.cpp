// The bar that tells the state of a run, and the log: alone, without a window.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QProgressBar>
#include <QScrollBar>
#include <QStackedWidget>

#include "tests/ui/support/ui_environment.h"
#include "ui/widgets/theme.h"
#include "ui/window/log_view.h"
#include "ui/window/run_bar.h"
#include "ui/window/run_clock.h"

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

TEST(RunBarTest, WhatHasBegunIsSeenHoweverNarrowTheBar) {
    Theme::instance().apply(*static_cast<QApplication*>(QApplication::instance()),
                            ThemeChoice::dark);
    QAction train, step, stop, save;
    RunBar bar({&train, &step, &stop, &save});
    bar.setState(train::RunState::preparing);
    train::PlanEvent plan;
    plan.epochs = 3;
    plan.train_samples = 1000;
    train::StepEvent first;
    first.update = first.epoch = 1;
    first.samples = 1;
    auto* progress = bar.findChild<QProgressBar*>();
    for (int width = 900; width < 1400; width += 7) {
        bar.resize(width, 48);
        bar.show();
        QApplication::processEvents();
        bar.setPlan(plan);
        bar.addSteps({first});
        bar.setState(train::RunState::running);
        const QImage image = progress->grab().toImage();
        const int middle = image.height() / 2;
        EXPECT_EQ(image.pixelColor(3, middle), Theme::instance().colors().accent)
            << progress->width();
        EXPECT_NE(image.pixelColor(image.width() - 4, middle), Theme::instance().colors().accent);
    }
    Theme::instance().apply(*static_cast<QApplication*>(QApplication::instance()),
                            ThemeChoice::system);
}

// 500 updates of 10 samples were half of it; now an epoch has 25 of 40.
TEST(RunClockTest, ARunThatGoesOnWithOtherReplicasStandsWhereItStood) {
    RunClock clock;
    clock.begin();
    EXPECT_EQ(clock.progress(), 0.0);
    train::PlanEvent plan;
    plan.epochs = 10;
    plan.train_samples = 1000;
    plan.updates_per_epoch = 25;
    plan.first_update = 500;
    plan.first_sample = 5000;
    clock.plan(plan);
    EXPECT_DOUBLE_EQ(clock.progress(), 0.5);
    EXPECT_FALSE(clock.left()) << "nothing is done yet";
    const double before = clock.elapsed();
    while (clock.elapsed() < before + 0.02) {
    }
    clock.setSamples(7500);
    EXPECT_DOUBLE_EQ(clock.progress(), 0.75);
    const double done = clock.elapsed();
    const auto left = clock.left();
    ASSERT_TRUE(left);
    EXPECT_GE(*left, 0.02) << "as long as what was done: half of the rest";
    EXPECT_LE(*left, clock.elapsed());
    EXPECT_GE(*left, done - before - 0.001);
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
