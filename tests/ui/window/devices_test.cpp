// A model on two devices in the window: placing, lanes, budget bars, the measured pipeline.
#include "tests/ui/window/window_fixture.h"

#include <QScreen>
#include <QScrollBar>

#include "ui/bridge/plan_watch.h"
#include "ui/bridge/prediction_pool.h"
#include "ui/canvas/canvas_bar.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/timeline_view.h"
#include "ui/document/placement_edits.h"
#include "ui/techniques/plan_view.h"
#include "ui/window/placement_dialog.h"

namespace strata::ui {
namespace {

class DevicesTest : public MainWindowTest {
protected:
    // The next plan that is made after `change`.
    bool planAfter(const std::function<void()>& change) {
        int planned = 0;
        const auto watch =
            QObject::connect(&m_window->plans(), &PlanWatch::planned, [&] { ++planned; });
        change();
        const bool came = waitFor([&] { return planned > 0; });
        QObject::disconnect(watch);
        return came;
    }
    bool placeOnTwoOf(const QString& project) {
        return m_window->openProject(project) && placeOnTwo();
    }
    bool placeOnTwo() {
        return planAfter([&] {
            m_window->document().select({"hidden", "classes"});
            QMenu* menu = m_window->actions().placeMenu;
            Q_EMIT menu->aboutToShow();
            menu->actions().last()->trigger();
        });
    }
};

TEST_F(DevicesTest, TheMenuPlacesTheSelectionAndTheBarsFollow) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    EXPECT_FALSE(m_window->actions().placeMenu->isEnabled()) << "nothing is selected";
    auto* strip = m_window->findChild<MemoryStrip*>();
    const int low = strip->height();
    ASSERT_TRUE(placeOnTwo());
    ASSERT_TRUE(m_window->plans().plan()) << m_window->plans().fault()->what();
    ASSERT_EQ(m_window->plans().plan()->devices.size(), 2U);
    EXPECT_GT(strip->height(), low);
    for (const parallel::DevicePlan& device : m_window->plans().plan()->devices) {
        EXPECT_GT(device.memory.total(), 0U);
        EXPECT_TRUE(strip->toolTip().contains(QString::fromStdString(device.device) + ": "));
    }
    EXPECT_TRUE(m_window->canvasBar().summary().contains("predicted"));
    EXPECT_GT(m_window->timeline().blocks(), 0);
    ASSERT_TRUE(planAfter([&] { m_window->document().undoStack().undo(); }));
    EXPECT_EQ(m_window->plans().plan()->devices.size(), 1U);
    EXPECT_EQ(strip->height(), low);
    EXPECT_EQ(m_window->timeline().blocks(), 0);
}

TEST_F(DevicesTest, LanesAreChosenByMenuAndByTheBarAlike) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    m_window->actions().lanes->trigger();
    EXPECT_TRUE(m_window->canvas().showsLanes());
    EXPECT_TRUE(m_window->canvasBar().lanesButton()->isChecked());
    EXPECT_EQ(m_window->canvas().laneHeaders().size(), 2U);
    m_window->canvasBar().stackButton()->click();
    EXPECT_FALSE(m_window->canvas().showsLanes());
    EXPECT_FALSE(m_window->actions().lanes->isChecked());
}

TEST_F(DevicesTest, APlacementThatCannotBeIsTold) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    ASSERT_TRUE(placeOnTwo());
    ASSERT_TRUE(planAfter([&] {
        m_window->document().edit("Schedule", [](train::RunConfig& c) {
            c.placement.schedule = parallel::ScheduleKind::interleaved;
            c.placement.micro_batches = 3;
        });
    }));
    EXPECT_FALSE(m_window->plans().plan());
    EXPECT_FALSE(m_window->canvasBar().summary().isEmpty());
    m_window->showTechniquesTab();
    int predicted = 0;
    QObject::connect(&m_window->techniques(), &TechniquesPanel::predicted, [&] { ++predicted; });
    ASSERT_TRUE(waitFor([&] { return predicted > 0; }));
}

TEST_F(DevicesTest, ARunShowsEachDevicesMemoryAndTheMeasuredPipeline) {
    ASSERT_TRUE(m_window->openProject(saveProject(2)));
    ASSERT_TRUE(placeOnTwo());
    m_window->document().edit("Cut", [](train::RunConfig& c) { c.placement.micro_batches = 2; });
    int measured = 0;
    QObject::connect(&m_window->engine(), &EngineThread::timelineMeasured, [&] { ++measured; });
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return measured > 0; }));
    ASSERT_TRUE(waitFor([&] { return !m_window->engine().isActive(); }));
    EXPECT_TRUE(m_window->timeline().sentence().contains("measured"));
    const auto& plan = m_window->charts().store().plan();
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->devices.size(), 2U);
    int panels = 0;
    for (const ChartPanel* panel : m_window->charts().findChildren<ChartPanel*>())
        if (panel->quantity() == Quantity::memory) ++panels;
    EXPECT_EQ(panels, 3) << "all together beside the loss, and one a device";
    EXPECT_TRUE(m_window->canvasBar().summary().contains("measured"));
}

TEST_F(DevicesTest, ARunThatFindsNoMemoryOffersThePlannersChanges) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    Document& document = m_window->document();
    ASSERT_TRUE(planAfter([&] {
        document.edit("Batch", [](train::RunConfig& c) { c.data.pipeline.batch_size = 32; });
    }));
    const std::size_t needed = m_window->plans().plan()->devices.front().memory.total();
    ASSERT_TRUE(planAfter([&] {
        document.edit("Limit", [needed](train::RunConfig& c) {
            c.placement.memory_limits[""] = needed - needed / 8;
        });
    }));
    EXPECT_EQ(m_window->planView().count(), 1);
    bool ended = false;
    QObject::connect(m_window.get(), &MainWindow::runEnded, [&] { ended = true; });
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return ended; }));
    EXPECT_TRUE(m_window->notice().contains("wanted")) << qPrintable(m_window->notice());
    EXPECT_EQ(m_window->planView().count(), 2) << "the run's end, and what the plan warned of";
    EXPECT_TRUE(m_window->planView().isVisible());
    EXPECT_FALSE(m_window->planView().buttons().isEmpty());
    const QList<QAction*> offers = m_window->noticeOffers();
    ASSERT_GE(offers.size(), 2);
    const int before = document.undoStack().count();
    ASSERT_TRUE(planAfter([&] { offers.first()->trigger(); }));
    EXPECT_EQ(document.undoStack().count(), before + 1);
    EXPECT_TRUE(m_window->notice().isEmpty()) << "it was of the project before";
    EXPECT_EQ(m_window->planView().count(), 0) << qPrintable(m_window->planView().text());
    ended = false;
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return ended; }));
    EXPECT_EQ(m_window->engine().state(), RunState::finished);
}

TEST_F(DevicesTest, PredictionsRestWhileARunIsPrepared) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    std::vector<std::pair<RunState, bool>> held;
    QObject::connect(&m_window->engine(), &EngineThread::stateChanged, [&](RunState state) {
        held.emplace_back(state, PredictionPool::instance().isHeld());
    });
    m_window->train();
    // A busy disk holds up the end, which writes a checkpoint.
    ASSERT_TRUE(waitFor([&] { return !m_window->engine().isActive(); }, 60000));
    ASSERT_GE(held.size(), 3U);
    for (const auto& [state, rests] : held) EXPECT_EQ(rests, state == RunState::preparing);
    EXPECT_EQ(held.front().first, RunState::preparing);
    ASSERT_TRUE(waitFor([&] { return m_window->plans().plan().has_value(); })) << "made afterwards";
}

// The first lane as the screen has it, and as it would be if all were painted now.
TEST_F(DevicesTest, NoHeaderStaysPaintedWhereItHasGone) {
    m_window->resize(1280, 800);
    Document& document = m_window->document();
    const auto place = [&](const std::vector<std::string>& devices, int replicas) {
        return planAfter([&] {
            document.edit("Place", [&](train::RunConfig& config) {
                for (std::size_t i = 0; i < config.model.layers.size(); ++i)
                    config.model.layers[i].device = devices[std::min(i / 2, devices.size() - 1)];
                config.placement.replicas = replicas;
            });
        });
    };
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    ASSERT_TRUE(place({"cpu:0", "cpu:1", "cpu:2"}, 1));
    m_window->actions().lanes->setChecked(true);
    Canvas& canvas = m_window->canvas();
    const auto differentPixels = [&] {
        waitFor([] { return false; }, 300);
        QWidget& view = *canvas.viewport();
        const QPoint corner = view.mapTo(m_window.get(), QPoint());
        const QSize size(240, 140);  // without the dashes of the next lane
        const QImage seen =
            m_window->screen()
                ->grabWindow(m_window->winId(), corner.x(), corner.y(), size.width(), size.height())
                .toImage()
                .convertToFormat(QImage::Format_RGB32);
        const QImage fresh =
            view.grab(QRect(QPoint(), size)).toImage().convertToFormat(QImage::Format_RGB32);
        int different = 0;
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x)
                different += seen.pixel(x, y) != fresh.pixel(x, y) ? 1 : 0;
        return different;
    };
    constexpr int few = 100;  // parts round otherwise than the whole
    EXPECT_LT(differentPixels(), few);
    ASSERT_TRUE(place({"cpu:0"}, 3));
    EXPECT_LT(differentPixels(), few);
    ASSERT_TRUE(planAfter([&] { document.undoStack().undo(); }));
    EXPECT_LT(differentPixels(), few);
    EXPECT_EQ(canvas.horizontalScrollBar()->value(), canvas.horizontalScrollBar()->minimum());
    EXPECT_EQ(canvas.verticalScrollBar()->value(), canvas.verticalScrollBar()->minimum());
}

TEST_F(DevicesTest, WhatWasMeasuredStandsBesideThePredictionOfTheSameWorkOnly) {
    ASSERT_TRUE(placeOnTwoOf(saveProject(1)));
    bool ended = false;
    QObject::connect(m_window.get(), &MainWindow::runEnded, [&] { ended = true; });
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return ended; }));
    const auto measured = [&] {
        return std::pair(m_window->canvasBar().summary().contains("measured"),
                         m_window->timeline().sentence().contains("measured"));
    };
    EXPECT_EQ(measured(), std::pair(true, true)) << qPrintable(m_window->canvasBar().summary());
    Document& document = m_window->document();
    ASSERT_TRUE(planAfter([&] {
        document.edit("Epochs", [](train::RunConfig& config) { config.training.epochs = 9; });
    }));
    EXPECT_EQ(measured(), std::pair(true, true)) << "a step is as long";
    ASSERT_TRUE(planAfter([&] {
        document.edit("Cut", [](train::RunConfig& config) { config.placement.micro_batches = 2; });
    }));
    EXPECT_EQ(measured(), std::pair(false, false)) << qPrintable(m_window->canvasBar().summary());
    EXPECT_TRUE(m_window->timeline().titles().value(0).contains("changed since"));
    ASSERT_TRUE(planAfter([&] { document.undoStack().undo(); }));
    EXPECT_EQ(measured(), std::pair(true, true)) << "as it was";
    // Of a run that does not begin nothing is measured, and what the last one was is not its.
    document.edit("Cut", [](train::RunConfig& config) {
        config.placement.micro_batches = 2;
        config.data.source["images"] = "missing";
    });
    ended = false;
    m_window->train();
    ASSERT_TRUE(waitFor([&] { return ended; }));
    EXPECT_EQ(measured(), std::pair(false, false)) << qPrintable(m_window->canvasBar().summary());
}

// As where a run is started with the program.
TEST_F(DevicesTest, WhatWasPredictedBesideARunIsPredictedAnewWhenItIsOver) {
    std::optional<graph::TrainingNow> training(std::in_place);
    ASSERT_TRUE(planAfter([&] { m_window->openProject(saveProject(1)); }));
    bool techniques = false;
    QObject::connect(&m_window->techniques(), &TechniquesPanel::predicted,
                     [&] { techniques = true; });
    m_window->showTechniquesTab();
    ASSERT_TRUE(waitFor([&] { return techniques; }));
    training.reset();
    techniques = false;
    bool ended = false;
    QObject::connect(m_window.get(), &MainWindow::runEnded, [&] { ended = true; });
    ASSERT_TRUE(planAfter([&] { m_window->train(); })) << "without a change";
    ASSERT_TRUE(waitFor([&] { return techniques && ended; }));
    // What is known by now counts: it is asked for once.
    bool again = false;
    QObject::connect(&m_window->plans(), &PlanWatch::planned, [&] { again = true; });
    m_window->plans().freed();
    m_window->techniques().freed();
    waitFor([&] { return again; }, 600);
    EXPECT_FALSE(again);
}

TEST_F(DevicesTest, AnAutomaticPlacementSaysWhyAndIsOneUndoableStep) {
    ASSERT_TRUE(m_window->openProject(saveProject(1)));
    Document& document = m_window->document();
    const Json before = train::project_to_json(document.config());
    m_window->canvasBar().autoButton()->click();
    auto* dialog = m_window->findChild<PlacementDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_FALSE(dialog->applyButton()->isEnabled()) << "nothing is known yet";
    dialog->setWay(PlacementDialog::Way::pipeline);
    ASSERT_TRUE(waitFor([&] { return dialog->prediction().placement.has_value(); }))
        << dialog->text().toStdString();
    EXPECT_TRUE(dialog->text().contains("of the work")) << dialog->text().toStdString();
    EXPECT_EQ(train::project_to_json(document.config()), before);
    dialog->applyButton()->click();
    EXPECT_EQ(devicesOf(document.model()), (std::vector<std::string>{"cpu:0", "cpu:1"}));
    EXPECT_EQ(document.undoStack().undoText(), "Place automatically on 2 devices");
    document.undoStack().undo();
    EXPECT_EQ(train::project_to_json(document.config()), before);
}

}  // namespace
}  // namespace strata::ui
