// Shown charts with a made-up run, for their tests.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QEventLoop>
#include <QTimer>
#include <vector>

#include "tests/ui/charts/events.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/charts.h"
#include "ui/widgets/theme.h"

namespace strata::ui {

inline void wait(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

inline std::vector<train::StepEvent> steps(std::int64_t from, std::int64_t to) {
    std::vector<train::StepEvent> list;
    for (std::int64_t update = from; update <= to; ++update) list.push_back(makeStep(update));
    return list;
}

class ChartsTest : public testing::Test {
protected:
    ChartsTest() {
        Theme::instance().apply(*qApp, ThemeChoice::light);
        charts.resize(1280, 420);
        charts.show();
    }

    void run(std::int64_t updates) {
        charts.start(makePlan());
        charts.addSteps(steps(1, updates));
        for (std::int64_t epoch = 1; epoch * 100 <= updates; ++epoch)
            charts.addEpoch(makeEpoch(epoch, epoch * 100));
        wait(60);
    }

    ChartPanel* panel(Quantity quantity) const {
        for (ChartPanel* panel : charts.findChildren<ChartPanel*>())
            if (panel->quantity() == quantity) return panel;
        return nullptr;
    }

    Charts charts;
};

}  // namespace strata::ui
