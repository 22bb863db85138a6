// The page of what the devices tell: its panels, lines and axes.
#include "tests/ui/charts/charts_fixture.h"

namespace strata::ui {
namespace {

TEST_F(ChartsTest, DevicesShowMemoryLoadTemperatureAndPower) {
    charts.start(makePlanWithGpu());
    charts.addSteps(steps(1, 100));
    for (const std::int64_t update : {20, 60, 100}) charts.addMeasurement(makeMonitor(update));
    std::vector<ChartPanel*> memory;
    for (ChartPanel* each : charts.findChildren<ChartPanel*>())
        if (each->quantity() == Quantity::deviceMemory) memory.push_back(each);
    ASSERT_EQ(memory.size(), 2U);
    EXPECT_NE(memory[0]->line(1), nullptr) << "in use and free";
    EXPECT_EQ(memory[0]->line(2), nullptr);
    EXPECT_NE(memory[1]->line(2), nullptr) << "this program, all programs, free";
    memory[0]->refresh();
    EXPECT_GT(memory[0]->yAxis->range().upper, 74.0) << "GiB";
    EXPECT_TRUE(memory[0]->showReadout(60.0).contains("in use 6.00"))
        << memory[0]->showReadout(60.0).toStdString();
    ChartPanel* load = panel(Quantity::utilisation);
    ASSERT_NE(load, nullptr);
    load->refresh();
    EXPECT_EQ(load->line(0)->points(), 3U);
    EXPECT_EQ(load->line(1)->points(), 3U);
    EXPECT_EQ(load->yAxis->range().lower, 0.0);
    EXPECT_EQ(load->yAxis->range().upper, 100.0);
    EXPECT_TRUE(load->showReadout(100.0).contains("cpu:0 25"));
    for (const Quantity quantity : {Quantity::temperature, Quantity::power}) {
        ASSERT_NE(panel(quantity), nullptr);
        EXPECT_NE(panel(quantity)->line(0), nullptr);
        EXPECT_EQ(panel(quantity)->line(1), nullptr) << "the CPU tells none";
    }
}

TEST_F(ChartsTest, ACpuHasNoPanelsForWhatItDoesNotTell) {
    train::PlanEvent plan = makePlan();
    plan.devices = {{"cpu:0", plan.memory, 0}};
    charts.start(plan);
    train::MonitorEvent monitor = makeMonitor(1);
    monitor.devices.erase(monitor.devices.begin());
    charts.addMeasurement(monitor);
    EXPECT_EQ(panel(Quantity::temperature), nullptr);
    EXPECT_EQ(panel(Quantity::power), nullptr);
    ASSERT_NE(panel(Quantity::utilisation), nullptr);
    EXPECT_TRUE(panel(Quantity::utilisation)->accessibleName().contains("by this program"));
}

TEST_F(ChartsTest, CpusOfSeveralProcessesAreCpus) {
    train::PlanEvent plan = makePlan();
    plan.devices = {{"rank0/cpu:0", plan.memory, 0}, {"rank1/cpu:0", plan.memory, 0}};
    charts.start(plan);
    EXPECT_EQ(panel(Quantity::temperature), nullptr);
    EXPECT_EQ(panel(Quantity::power), nullptr);
    ASSERT_NE(panel(Quantity::utilisation), nullptr);
    EXPECT_TRUE(panel(Quantity::utilisation)->accessibleName().contains("by this program"));
}

// Their readings are one and the same: the machine's and the program's.
TEST_F(ChartsTest, CpusOfAProcessHaveOneMemory) {
    train::PlanEvent plan = makePlan();
    plan.devices.clear();
    for (const char* name : {"cpu:0", "cpu:1", "cpu:2", "cuda:0"})
        plan.devices.push_back({name, plan.memory, 0});
    charts.start(plan);
    const auto titles = [&] {
        QStringList all;
        for (ChartPanel* each : charts.findChildren<ChartPanel*>())
            if (each->quantity() == Quantity::deviceMemory) all << each->fullTitle();
        return all.join('|');
    };
    charts.addSteps(steps(1, 10));
    train::MonitorEvent monitor = makeMonitor(5);
    for (const char* name : {"cpu:1", "cpu:2"})
        monitor.devices.push_back({name, monitor.devices[1].reading});
    charts.addMeasurement(monitor);
    for (ChartPanel* each : charts.findChildren<ChartPanel*>())
        if (each->quantity() == Quantity::deviceMemory) each->refresh();
    EXPECT_EQ(titles(),
              "Memory in use and free, GiB: cpu:0 to cpu:2|"
              "Memory in use and free, GiB: cuda:0");
    plan.devices = {{"rank0/cpu:0", plan.memory, 0},
                    {"rank0/cpu:1", plan.memory, 0},
                    {"rank1/cpu:0", plan.memory, 0}};
    charts.start(plan);
    EXPECT_EQ(titles().count('|'), 1) << "two programs: " << qPrintable(titles());
    EXPECT_TRUE(titles().contains("rank0/cpu:0 to cpu:1|")) << qPrintable(titles());
}

TEST_F(ChartsTest, AMeasurementThatCameLateGetsItsLine) {
    charts.start(makePlanWithGpu());
    charts.addSteps(steps(1, 10));
    train::MonitorEvent monitor = makeMonitor(5);
    monitor.devices[0].reading.temperature.reset();
    charts.addMeasurement(monitor);
    EXPECT_EQ(panel(Quantity::temperature)->line(0), nullptr);
    charts.addMeasurement(makeMonitor(10));
    ASSERT_NE(panel(Quantity::temperature)->line(0), nullptr);
    charts.clear();
    EXPECT_EQ(panel(Quantity::temperature), nullptr);
}

}  // namespace
}  // namespace strata::ui
