// The charts as a person uses them: points, zoom, read-out, export, speed.
#include "ui/charts/charts.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QImage>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "tests/ui/charts/charts_fixture.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/stage_view.h"
#include "ui/charts/tab_fit.h"
#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

TEST_F(ChartsTest, EachLineHasAllPoints) {
    run(1000);
    ChartPanel* loss = panel(Quantity::loss);
    EXPECT_EQ(loss->line(0)->points(), 1000U);
    EXPECT_EQ(loss->line(0, true)->points(), 1000U);
    EXPECT_EQ(loss->line(1)->points(), 10U);
    EXPECT_EQ(panel(Quantity::metric)->line(1)->points(), 10U);
    EXPECT_EQ(panel(Quantity::throughput)->line(0)->points(), 1000U);
}

TEST_F(ChartsTest, ShowsTheWholeRunUntilZoomed) {
    run(1000);
    const ChartPanel* loss = panel(Quantity::loss);
    EXPECT_EQ(loss->xAxis->range().lower, 0.0);
    EXPECT_EQ(loss->xAxis->range().upper, 1000.0);
    charts.addSteps(steps(1001, 1200));
    wait(400);
    EXPECT_EQ(loss->xAxis->range().upper, 1200.0);
}

TEST_F(ChartsTest, ThereIsAPanelForEachMetric) {
    train::PlanEvent plan = makePlan();
    plan.metrics = {"accuracy", "binary_accuracy"};
    charts.start(plan);
    int metrics = 0;
    for (const ChartPanel* panel : charts.findChildren<ChartPanel*>())
        metrics += panel->quantity() == Quantity::metric ? 1 : 0;
    EXPECT_EQ(metrics, 2);
}

// Rows that do not fit are scrolled, not pressed flat.
TEST_F(ChartsTest, APanelKeepsTheHeightThatACurveNeeds) {
    train::PlanEvent plan = makePlan();
    plan.metrics = {"accuracy", "top_k", "precision", "recall"};
    charts.start(plan);
    for (const int height : {charts.minimumSizeHint().height(), 500}) {
        charts.resize(640, height);
        wait(20);
        int shown = 0;
        for (const ChartPanel* panel : charts.findChildren<ChartPanel*>()) {
            if (!panel->isVisible()) continue;
            ++shown;
            EXPECT_GE(panel->height(), ChartPanel::leastSize().height());
            EXPECT_GE(panel->axisRect()->height(), 60);
        }
        EXPECT_GE(shown, 5);
    }
    EXPECT_LT(charts.minimumSizeHint().height(), 260);
}

TEST_F(ChartsTest, OnlyShownPanelsPaint) {
    run(500);
    EXPECT_FALSE(panel(Quantity::loss)->isDirty());
    EXPECT_TRUE(panel(Quantity::throughput)->isDirty());
}

TEST_F(ChartsTest, ZoomStepsBackAndFits) {
    run(1000);
    ChartPanel* loss = panel(Quantity::loss);
    const QRect rect = loss->axisRect()->rect();
    const auto mouse = [&](QEvent::Type type, const QPoint& at, Qt::MouseButton button) {
        QMouseEvent event(type, at, loss->mapToGlobal(at), button, button, Qt::NoModifier);
        QApplication::sendEvent(loss, &event);
    };
    const QPoint from = rect.topLeft() + QPoint(rect.width() / 4, 10),
                 to = rect.bottomRight() - QPoint(rect.width() / 4, 10);
    mouse(QEvent::MouseButtonPress, from, Qt::LeftButton);
    mouse(QEvent::MouseMove, to, Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, to, Qt::LeftButton);
    ASSERT_TRUE(loss->isZoomed());
    EXPECT_NEAR(loss->xAxis->range().lower, 250.0, 10.0);
    EXPECT_NEAR(loss->xAxis->range().upper, 750.0, 10.0);
    EXPECT_TRUE(charts.findChild<QToolButton*>("back")->isEnabled());
    charts.findChild<QToolButton*>("back")->click();
    EXPECT_FALSE(loss->isZoomed());
    EXPECT_FALSE(charts.findChild<QToolButton*>("back")->isEnabled());

    QWheelEvent wheel(QPointF(rect.center()), QPointF(loss->mapToGlobal(rect.center())), {},
                      QPoint(0, 240), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(loss, &wheel);
    EXPECT_NEAR(loss->xAxis->range().size(), 1000.0 * 0.85 * 0.85, 1.0);
    mouse(QEvent::MouseButtonDblClick, rect.center(), Qt::LeftButton);
    EXPECT_EQ(loss->xAxis->range().size(), 1000.0);
}

TEST_F(ChartsTest, AZoomAtTheLiveEndFollowsIt) {
    run(1000);
    ChartPanel* loss = panel(Quantity::loss);
    const QRect rect = loss->axisRect()->rect();
    const QPointF right(rect.right(), rect.center().y());
    QWheelEvent wheel(right, loss->mapToGlobal(right), {}, QPoint(0, 600), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(loss, &wheel);
    const double span = loss->xAxis->range().size();
    charts.findChild<QToolButton*>("follow")->setChecked(false);
    charts.findChild<QToolButton*>("follow")->setChecked(true);
    charts.addSteps(steps(1001, 1100));
    loss->refresh();
    EXPECT_EQ(loss->xAxis->range().upper, 1100.0);
    EXPECT_NEAR(loss->xAxis->range().size(), span, 1e-6 * span);
}

TEST_F(ChartsTest, ReadoutGivesEveryLineInFullPrecision) {
    run(1000);
    const QString text = panel(Quantity::loss)->showReadout(500.2);
    EXPECT_TRUE(text.contains("update 500")) << text.toStdString();
    EXPECT_TRUE(text.contains(
        "train " + QLocale().toString(makeStep(500).loss, 'g', QLocale::FloatingPointShortest)))
        << text.toStdString();
    EXPECT_TRUE(text.contains("validation " + QLocale().toString(*makeEpoch(5, 500).val_loss, 'g',
                                                                 QLocale::FloatingPointShortest)))
        << text.toStdString();
    EXPECT_TRUE(text.contains("smoothed"));
}

TEST_F(ChartsTest, LogarithmicAxesShowPositiveRanges) {
    run(1000);
    ChartPanel* loss = panel(Quantity::loss);
    loss->setLogX(true);
    loss->setLogY(true);
    loss->refresh();
    EXPECT_EQ(loss->yAxis->scaleType(), QCPAxis::stLogarithmic);
    EXPECT_GT(loss->yAxis->range().lower, 0.0);
    EXPECT_EQ(loss->xAxis->range().lower, 1.0);
}

TEST_F(ChartsTest, XAxisCountsWhatIsChosen) {
    run(1000);
    ChartPanel* loss = panel(Quantity::loss);
    loss->setXAxis(XAxis::samples);
    EXPECT_EQ(loss->xAxis->range().upper, 64000.0);
    EXPECT_EQ(loss->xAxis->label(), "samples");
    loss->setXAxis(XAxis::epoch);
    EXPECT_DOUBLE_EQ(loss->xAxis->range().upper, 10.0);
}

TEST_F(ChartsTest, ClearInvitesAgain) {
    run(100);
    charts.clear();
    EXPECT_EQ(charts.store().steps().rows(), 0U);
    EXPECT_FALSE(panel(Quantity::loss)->xAxis->visible());
}

TEST_F(ChartsTest, ExportsPictures) {
    run(1000);
    const QTemporaryDir dir;
    charts.exportPicture(dir.filePath("a.png"));
    const QImage image(dir.filePath("a.png"));
    ASSERT_GE(image.width(), 2 * 1200);
    const QRgb blue = Theme::train().rgb();
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) found += image.pixel(x, y) == blue ? 1 : 0;
    EXPECT_GT(found, 500);
    charts.exportPicture(dir.filePath("a.svg"));
    charts.exportPicture(dir.filePath("a.pdf"));
    QFile svg(dir.filePath("a.svg")), pdf(dir.filePath("a.pdf"));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly) && pdf.open(QIODevice::ReadOnly));
    EXPECT_TRUE(svg.readAll().contains("polyline"));
    EXPECT_TRUE(pdf.readAll().startsWith("%PDF"));
    EXPECT_THROW(charts.exportPicture(dir.filePath("a.txt")), Error);
}

TEST_F(ChartsTest, TheNewestMarkAndDotAreSeenWhole) {
    run(1000);
    train::CheckpointEvent best;
    best.best = true;
    best.update = 1000;
    charts.addCheckpoint(best);
    wait(60);
    ChartPanel* loss = panel(Quantity::loss);
    const QImage image = loss->toPixmap().toImage();
    const QRect rect = loss->axisRect()->rect();
    int mark = 0, dot = 0;
    for (int y = rect.top(); y <= rect.bottom() + 2; ++y)
        for (int x = rect.right() - 1; x <= rect.right() + 5; ++x) {
            mark += image.pixel(x, y) == Theme::lightColors().good.rgb() ? 1 : 0;
            dot += x > rect.right() + 1 && image.pixel(x, y) == Theme::validation().rgb() ? 1 : 0;
        }
    EXPECT_GT(mark, 10);
    EXPECT_GT(dot, 5);
}

TEST_F(ChartsTest, MemoryNotesStandAboveTheValues) {
    for (const int height : {180, 420}) {
        charts.resize(1280, height);
        run(100);
        for (const Quantity quantity : {Quantity::memory, Quantity::process}) {
            ChartPanel* memory = panel(quantity);
            memory->refresh();
            const double top = quantity == Quantity::memory
                                   ? static_cast<double>(makePlan().memory.total())
                                   : static_cast<double>(makeStep(100).process_bytes);
            const int lines = quantity == Quantity::memory ? 2 : 1;
            EXPECT_GE(memory->yAxis->coordToPixel(top / (1 << 20)) - memory->axisRect()->top(),
                      lines * QFontMetrics(Theme::small()).height())
                << height;
        }
    }
}

TEST_F(ChartsTest, ExportsAllPointsFromAnotherThread) {
    run(3000);
    const QTemporaryDir dir;
    QString written;
    QObject::connect(&charts, &Charts::exported, [&](const QString& path) { written = path; });
    charts.exportTable(dir.filePath("a.csv"));
    for (int i = 0; i < 200 && written.isEmpty(); ++i) wait(10);
    ASSERT_EQ(written, dir.filePath("a.csv"));
    QFile file(written);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().count('\n'), 3001);
}

TEST_F(ChartsTest, AMillionPointsDrawWithinAFrame) {
    charts.start(makePlan());
    charts.addSteps(steps(1, 1000000));
    ChartPanel* loss = panel(Quantity::loss);
    loss->refresh();
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 10; ++i) loss->refresh();
    const double each = static_cast<double>(timer.nsecsElapsed()) * 1e-7;
    RecordProperty("milliseconds", std::to_string(each));
    EXPECT_LT(each, 60.0);  // about 5 on a quiet machine
    EXPECT_EQ(loss->line(0)->points(), 1000000U);
}

TEST_F(ChartsTest, TheLossScaleHasAPanelOnlyWhereThereIsOne) {
    run(100);
    EXPECT_EQ(panel(Quantity::lossScale), nullptr);
    std::vector<train::StepEvent> scaled = steps(101, 200);
    for (train::StepEvent& step : scaled) step.loss_scale = 1024.0;
    charts.addSteps(scaled);
    ASSERT_NE(panel(Quantity::lossScale), nullptr);
    EXPECT_EQ(panel(Quantity::lossScale)->line(0)->points(), 200U);
    charts.start(makePlan());
    EXPECT_EQ(panel(Quantity::lossScale), nullptr);
}

TEST_F(ChartsTest, TheClippingLimitIsALineBesideTheNorm) {
    run(100);
    EXPECT_EQ(panel(Quantity::gradientNorm)->line(1), nullptr);
    std::vector<train::StepEvent> clipped = steps(101, 200);
    for (train::StepEvent& step : clipped) step.clip_limit = 2.0;
    charts.addSteps(clipped);
    ASSERT_NE(panel(Quantity::gradientNorm)->line(1), nullptr);
    EXPECT_EQ(panel(Quantity::gradientNorm)->line(1)->value(150), 2.0);
    // A limit of each value is none of the norm.
    charts.setClipLine(false);
    charts.start(makePlan());
    charts.addSteps(clipped);
    EXPECT_EQ(panel(Quantity::gradientNorm)->line(1), nullptr);
}

TEST_F(ChartsTest, TheReadoutNamesTheMarks) {
    run(200);
    charts.addMark({train::MarkEvent::Kind::learning_rate, 150, 0.0005, "set"});
    wait(60);
    EXPECT_TRUE(panel(Quantity::loss)->showReadout(150).contains("learning rate 0.0005"));
    EXPECT_FALSE(panel(Quantity::loss)->showReadout(151).contains("learning rate"));
}

TEST(StageView, SaysWhatHoldsTheDeviceUp) {
    train::PipelineEvent event;
    event.stages = {{"source", 9000.0, 0.2, 0.0, 0, 1}, {"map", 3200.0, 0.98, 0.1, 16, 2}};
    event.wait_share = 0.37;
    StageView view;
    EXPECT_EQ(view.sentence(), "");
    view.setPipeline(event);
    EXPECT_EQ(view.sentence(),
              "The device waits for data 37 % of the time; the stage “map” is at its limit.");
    event.wait_share = 0.01;
    view.setPipeline(event);
    EXPECT_EQ(view.sentence(),
              "The device waits for data 1 % of the time; the device is at its limit.");
    event.wait_share = 0.03;
    event.stages[1].busy = 0.1;
    view.setPipeline(event);
    EXPECT_EQ(view.sentence(),
              "The device waits for data 3 % of the time; no stage is at its limit.");
    view.resize(900, 300);
    EXPECT_FALSE(view.grab().isNull());
    view.clear();
    EXPECT_EQ(view.sentence(), "");
}

TEST_F(ChartsTest, ControlsHaveNamesAndHelp) {
    for (const QToolButton* button : charts.findChildren<QToolButton*>()) {
        if (button->objectName().isEmpty() || button->parent()->inherits("QTabBar")) continue;
        EXPECT_FALSE(button->accessibleName().isEmpty()) << button->objectName().toStdString();
        EXPECT_FALSE(button->toolTip().isEmpty()) << button->objectName().toStdString();
    }
}

TEST_F(ChartsTest, SeveralDevicesHaveAMemoryPanelEach) {
    train::PlanEvent plan = makePlan();
    plan.device = "cpu:0, cpu:1";
    plan.devices = {{"cpu:0", plan.memory, 2U << 20}, {"cpu:1", {}, 0}};
    plan.devices[1].memory[device::Category::weights] = 512 << 10;
    const auto panels = [&] {
        int count = 0;
        for (const ChartPanel* each : charts.findChildren<ChartPanel*>())
            count += each->quantity() == Quantity::memory ? 1 : 0;
        return count;
    };
    EXPECT_EQ(panels(), 2);
    charts.start(plan);
    charts.addSteps(steps(1, 10));
    EXPECT_EQ(panels(), 3);
    std::vector<double> tops;
    for (ChartPanel* each : charts.findChildren<ChartPanel*>())
        if (each->quantity() == Quantity::memory) {
            each->refresh();
            tops.push_back(each->yAxis->range().upper);
        }
    EXPECT_NE(tops[1], tops[2]) << "each shows its own device";
    charts.start(makePlan());
    EXPECT_EQ(panels(), 2);
}

// A count behind a title must not hide the last ones.
TEST_F(ChartsTest, TitlesStandCloserWhereTheyWouldNotFit) {
    QTabBar tabs;
    for (const char* title : {"Loss and metrics", "Memory", "Devices", "Learning rate", "Plan"})
        tabs.addTab(title);
    fitTabs(tabs, 10000);
    const int usual = tabs.sizeHint().width();
    fitTabs(tabs, usual);
    EXPECT_EQ(tabs.sizeHint().width(), usual);
    tabs.setTabText(4, "Plan (1)");
    fitTabs(tabs, usual);
    EXPECT_LE(tabs.sizeHint().width(), usual);
    fitTabs(tabs, usual);
    EXPECT_LE(tabs.sizeHint().width(), usual) << "they stay so";
    tabs.setTabText(4, "Plan");
    fitTabs(tabs, usual);
    EXPECT_EQ(tabs.sizeHint().width(), usual);
}

}  // namespace
}  // namespace strata::ui
