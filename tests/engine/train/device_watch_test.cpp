// Readings beside a training: their order, what is kept, and what a run tells and logs of them.
#include "engine/train/device_watch.h"

#include <gtest/gtest.h>

#include "engine/interop/run_log_reader.h"
#include "tests/engine/train/small_run.h"

namespace strata::train {
namespace {

using namespace std::chrono_literals;

// Tells how often it was read.
class CountingMonitor final : public device::Monitor {
public:
    explicit CountingMonitor(std::atomic<int>& reads) : reads_(reads) {}
    device::Reading read() noexcept override {
        device::Reading reading;
        reading.temperature = ++reads_;
        reading.scope = device::LoadScope::device;
        return reading;
    }

private:
    std::atomic<int>& reads_;
};

DeviceWatch::Monitors counting(std::atomic<int>& reads) {
    DeviceWatch::Monitors monitors;
    monitors.emplace_back("cuda:0", std::make_unique<CountingMonitor>(reads));
    return monitors;
}

TEST(DeviceWatch, KeepsTheReadingsInOrderUntilTheyAreTaken) {
    std::atomic<int> reads = 0;
    DeviceWatch watch(counting(reads), 1ms);
    while (reads < 5) std::this_thread::sleep_for(1ms);
    EXPECT_TRUE(watch.has_news());
    const std::vector<MonitorEvent> first = watch.take();
    ASSERT_GE(first.size(), 4U);
    while (reads < 10) std::this_thread::sleep_for(1ms);
    const std::vector<MonitorEvent> second = watch.take();
    ASSERT_FALSE(second.empty());
    double expected = 1.0, time = 0.0;
    for (const auto* part : {&first, &second})
        for (const MonitorEvent& event : *part) {
            ASSERT_EQ(event.devices.size(), 1U);
            EXPECT_EQ(event.devices[0].name, "cuda:0");
            EXPECT_EQ(event.devices[0].reading.temperature, expected++);
            EXPECT_GE(event.wall_time, time);
            time = event.wall_time;
        }
}

TEST(DeviceWatch, IsReadAtOnceAndEndsWithoutWaitingForTheNextTime) {
    std::atomic<int> reads = 0;
    const auto begin = std::chrono::steady_clock::now();
    {
        const DeviceWatch watch(counting(reads), std::chrono::hours(1));
        while (reads == 0) std::this_thread::sleep_for(1ms);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(30));
    EXPECT_EQ(reads, 1);
}

TEST(DeviceWatch, NamesThatComeTwiceAreReadOnceAndUnknownOnesNot) {
    DeviceWatch watch({"cpu:0", "cpu:0", "tpu:0", "cpu:1"});
    while (!watch.has_news()) std::this_thread::sleep_for(1ms);
    const std::vector<MonitorEvent> told = watch.take();
    ASSERT_EQ(told.at(0).devices.size(), 2U);
    EXPECT_EQ(told[0].devices[0].name, "cpu:0");
    EXPECT_EQ(told[0].devices[1].name, "cpu:1");
    EXPECT_TRUE(told[0].devices[0].reading.used_bytes);
}

class DeviceWatchRun : public SmallRun {
protected:
    // Long enough for several readings.
    Json slow_project() const {
        Json json = project();
        json["training"]["epochs"] = 100000;
        return json;
    }
    std::vector<MonitorEvent> watched_run(const Json& json, std::size_t readings) {
        Recorder recorder;
        const auto control = std::make_shared<Control>();
        std::size_t told = 0;
        const EventSink sink = [&](const Event& event) {
            recorder.sink()(event);
            if (std::holds_alternative<MonitorEvent>(event) && ++told == readings) control->stop();
        };
        const EndEvent end = Trainer(config(json), {run_directory("run")}, sink, control).run();
        EXPECT_EQ(end.state, RunState::stopped);
        return recorder.all<MonitorEvent>();
    }
};

TEST_F(DeviceWatchRun, ARunTellsAndLogsWhatItsDeviceSays) {
    const std::vector<MonitorEvent> told = watched_run(slow_project(), 3);
    ASSERT_GE(told.size(), 3U);
    for (const MonitorEvent& event : told) {
        ASSERT_EQ(event.devices.size(), 1U);
        EXPECT_EQ(event.devices[0].name, "cpu:0");
        EXPECT_EQ(event.devices[0].reading.scope, device::LoadScope::process);
        EXPECT_TRUE(event.devices[0].reading.program_bytes);
    }
    EXPECT_GT(told[2].update, told[0].update);
    EXPECT_GE(told[2].devices[0].reading.utilisation.value_or(-1.0), 0.0);
    const interop::RunLog log = interop::read_run_log(run_directory("run"));
    const auto found = log.find("devices/cpu:0/utilisation");
    ASSERT_NE(found, log.end());
    EXPECT_EQ(found->second.steps.back(), told.back().update);
    EXPECT_EQ(log.at("devices/cpu:0/program_bytes").values.size(), told.size());
    EXPECT_EQ(log.count("devices/cpu:0/temperature"), 0U) << "it tells none";
}

TEST_F(DeviceWatchRun, EachOfSeveralDevicesIsItsThreads) {
    Json json = slow_project();
    json["placement"] = {{"threads", 1}, {"replicas", 2}};
    const std::vector<MonitorEvent> told = watched_run(json, 2);
    ASSERT_GE(told.size(), 2U);
    for (const MonitorEvent& event : told) {
        ASSERT_EQ(event.devices.size(), 2U);
        EXPECT_EQ(event.devices[1].name, "cpu:1");
        for (const MonitorEvent::Device& device : event.devices)
            EXPECT_EQ(device.reading.scope, device::LoadScope::threads) << device.name;
    }
    EXPECT_GE(told[1].devices[0].reading.utilisation.value_or(-1.0), 0.0);
    EXPECT_GE(told[1].devices[1].reading.utilisation.value_or(-1.0), 0.0);
}

}  // namespace
}  // namespace strata::train
