// The figures of CPU devices, from a /proc of the test's own and from the machine's.
#include "engine/backends/cpu/monitor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "engine/backends/cpu/backend.h"

namespace strata::cpu {
namespace {

namespace fs = std::filesystem;

class CpuMonitorTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "strata_proc_XXXXXX").string();
        proc_ = mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(proc_); }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((fs::path(proc_) / name).parent_path());
        std::ofstream(fs::path(proc_) / name) << text;
    }
    // seconds: of work, in the program and in the kernel together.
    static std::string stat_line(const std::string& name, double seconds) {
        const auto ticks =
            static_cast<long>(seconds * static_cast<double>(sysconf(_SC_CLK_TCK)) + 0.5);
        return "7 (" + name + ") R 1 7 7 0 -1 4194304 90 0 0 0 " + std::to_string(ticks / 2) + " " +
               std::to_string(ticks - ticks / 2) + " 0 0 20 0 3 0 1000 9000000 500\n";
    }
    void process(double seconds) const { write("self/stat", stat_line("strata", seconds)); }
    void thread(int id, const std::string& name, double seconds) const {
        write("self/task/" + std::to_string(id) + "/stat", stat_line(name, seconds));
    }

    std::string proc_;
};

TEST_F(CpuMonitorTest, ReadsTimesOfNamesWithBracketsAndBlanks) {
    const auto time = cpu_time_of("12 (a) b (c)) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20");
    ASSERT_TRUE(time);
    EXPECT_EQ(time->name, "a) b (c)");
    EXPECT_EQ(time->ticks, 42U);
    EXPECT_FALSE(cpu_time_of(""));
    EXPECT_FALSE(cpu_time_of("12 (a S 1 2 3"));
    EXPECT_FALSE(cpu_time_of("12 (a) S 1 2 3"));
}

TEST_F(CpuMonitorTest, MemoryOfTheMachineAndOfTheProgram) {
    write("meminfo", "MemTotal:       1000 kB\nMemFree:        100 kB\nMemAvailable:    300 kB\n");
    write("self/statm", "500 7 3 1 0 90 0\n");
    const device::Reading reading = CpuMonitor("cpu:0", 4, proc_).read_at(1.0);
    EXPECT_EQ(reading.used_bytes, 700U * 1024);
    EXPECT_EQ(reading.free_bytes, 300U * 1024);
    EXPECT_EQ(reading.program_bytes, 7U * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    EXPECT_FALSE(reading.temperature);
    EXPECT_FALSE(reading.power);
}

TEST_F(CpuMonitorTest, WhatTheSystemDoesNotTellIsAbsent) {
    device::Reading nothing;
    nothing.scope = device::LoadScope::process;
    EXPECT_EQ(CpuMonitor("cpu:0", 4, proc_).read_at(1.0), nothing);
    write("meminfo", "MemTotal: some kB\nMemAvailable: 300 kB\n");
    write("self/stat", "broken");
    CpuMonitor monitor("cpu:0", 4, proc_);
    monitor.read_at(1.0);
    const device::Reading reading = monitor.read_at(2.0);
    EXPECT_FALSE(reading.used_bytes);
    EXPECT_FALSE(reading.utilisation);
}

TEST_F(CpuMonitorTest, OneDeviceIsTheWholeProgramOnAllCores) {
    CpuMonitor monitor("cpu:0", 4, proc_);
    process(10.0);
    thread(8, "strata", 9.0);
    const device::Reading first = monitor.read_at(100.0);
    EXPECT_FALSE(first.utilisation) << "there is no time before";
    EXPECT_EQ(first.scope, device::LoadScope::process);
    process(14.0);
    EXPECT_DOUBLE_EQ(*monitor.read_at(102.0).utilisation, 0.5);  // 4 of 2 x 4 core seconds
    EXPECT_DOUBLE_EQ(*monitor.read_at(103.0).utilisation, 0.0);
    EXPECT_FALSE(monitor.read_at(103.0).utilisation) << "no time went by";
    process(50.0);
    EXPECT_DOUBLE_EQ(*monitor.read_at(104.0).utilisation, 1.0) << "never above";
}

TEST_F(CpuMonitorTest, ThreadsOfItsNameStandForOneOfSeveralDevices) {
    CpuMonitor monitor("cpu:1", 4, proc_);
    process(100.0);
    thread(8, "cpu:0", 50.0);
    thread(9, "cpu:1", 20.0);
    thread(10, "cpu:1", 10.0);
    thread(11, "cpu:11", 10.0);
    EXPECT_EQ(monitor.read_at(0.0).scope, device::LoadScope::threads);
    process(107.0);
    thread(8, "cpu:0", 52.0);
    thread(9, "cpu:1", 21.0);
    thread(10, "cpu:1", 10.0);
    thread(11, "cpu:11", 12.0);
    EXPECT_DOUBLE_EQ(*monitor.read_at(2.0).utilisation, 0.25);  // 1 of 2 threads x 2 seconds
    fs::remove_all(fs::path(proc_) / "self/task/10");
    thread(12, "cpu:1", 1.0);  // new: its second was worked since
    EXPECT_DOUBLE_EQ(*monitor.read_at(3.0).utilisation, 0.5);
}

TEST_F(CpuMonitorTest, ThisMachineTellsItsMemoryAndThisProgramsWork) {
    const auto monitor = make_cpu_backend()->monitor(0);
    ASSERT_NE(monitor, nullptr);
    const device::Reading first = monitor->read();
    ASSERT_TRUE(first.used_bytes && first.free_bytes && first.program_bytes);
    EXPECT_GT(*first.program_bytes, std::size_t{1} << 20);
    EXPECT_LT(*first.program_bytes, *first.used_bytes + *first.free_bytes);
    volatile double sum = 0.0;
    device::Reading busy;
    for (int tries = 0; tries < 200 && busy.utilisation.value_or(0.0) == 0.0; ++tries) {
        for (int i = 0; i < 5'000'000; ++i) sum = sum + 1.0;
        busy = monitor->read();
    }
    ASSERT_TRUE(busy.utilisation);
    EXPECT_GT(*busy.utilisation, 0.0);
    EXPECT_LE(*busy.utilisation, 1.0);
}

}  // namespace
}  // namespace strata::cpu
