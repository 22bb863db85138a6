// A GPU's figures: what NVML tells, and what stays absent where it does not.
#include "engine/backends/cuda/nvml_monitor.h"

#include <cuda_emulator.h>
#include <gtest/gtest.h>
#include <nvml.h>

#include "engine/backends/cuda/backend.h"
#include "engine/ops/dispatch.h"

namespace strata::test {
namespace {

using cuda_emulator::Figures;

class NvmlTest : public ::testing::Test {
protected:
    void SetUp() override { reset(); }
    void TearDown() override { reset(); }
    static void reset() {
        cuda_emulator::set_machine({});
        cuda_emulator::set_figures({});
    }
    static device::Reading reading_of(const Figures& figures) {
        cuda_emulator::set_figures(figures);
        const auto monitor = cuda::cuda_backend().monitor(0);
        EXPECT_NE(monitor, nullptr);
        return monitor->read();
    }
};

TEST_F(NvmlTest, EachGpuTellsItsOwnFigures) {
    cuda_emulator::set_machine({.devices = 2, .memory = std::size_t{100} << 20});
    ops::Dispatch dispatch;
    dispatch.add({&cuda::cuda_backend(), [](ops::Backend*) {}});
    const auto second = dispatch.open("cuda:1", {});
    const std::size_t own =
        dispatch.monitor("cuda:1")->read().used_bytes.value();  // the device's own
    EXPECT_LT(own, 1024U);
    void* held = second->allocate(std::size_t{30} << 20);
    const device::Reading busy = dispatch.monitor("cuda:1")->read();
    EXPECT_EQ(busy.used_bytes, (std::size_t{30} << 20) + own);
    EXPECT_EQ(busy.free_bytes, (std::size_t{70} << 20) - own);
    EXPECT_EQ(busy.utilisation, 0.37);
    EXPECT_EQ(busy.scope, device::LoadScope::device);
    EXPECT_EQ(busy.temperature, 41.0);
    EXPECT_EQ(busy.power, 61.5);
    EXPECT_EQ(busy.power_limit, 300.0);
    EXPECT_FALSE(busy.program_bytes);
    EXPECT_EQ(dispatch.monitor("cuda:0")->read().used_bytes, 0U);
    second->release(held);
}

TEST_F(NvmlTest, WhatAGpuDoesNotSupportOrAllowIsAbsent) {
    const device::Reading none = reading_of({.memory_result = NVML_ERROR_NOT_SUPPORTED,
                                             .load_result = NVML_ERROR_NOT_SUPPORTED,
                                             .temperature_result = NVML_ERROR_NOT_SUPPORTED,
                                             .power_result = NVML_ERROR_NO_PERMISSION,
                                             .limit_result = NVML_ERROR_NOT_SUPPORTED});
    EXPECT_EQ(none, device::Reading());
    const device::Reading some = reading_of({.load_result = NVML_ERROR_NOT_SUPPORTED});
    EXPECT_FALSE(some.utilisation);
    EXPECT_EQ(some.temperature, 41.0);
}

TEST_F(NvmlTest, FiguresThatCannotBeAreAbsent) {
    const device::Reading reading =
        reading_of({.load = 4294967295U, .celsius = 4294967295U, .milliwatts = 0});
    EXPECT_FALSE(reading.utilisation);
    EXPECT_FALSE(reading.temperature);
    EXPECT_FALSE(reading.power);
    EXPECT_EQ(reading.power_limit, 300.0);
    const device::Reading idle = reading_of({.load = 0, .celsius = 0});
    EXPECT_EQ(idle.utilisation, 0.0) << "an idle GPU is no GPU without figures";
    EXPECT_EQ(idle.temperature, 0.0);
}

TEST_F(NvmlTest, AGpuThatIsLostWhileItIsReadHasNoFigures) {
    const auto monitor = cuda::cuda_backend().monitor(0);
    ASSERT_NE(monitor, nullptr);
    EXPECT_TRUE(monitor->read().temperature);
    cuda_emulator::set_figures({.lost = true});
    EXPECT_EQ(monitor->read(), device::Reading());
    cuda_emulator::set_figures({});
    EXPECT_TRUE(monitor->read().temperature) << "it is asked again";
}

TEST_F(NvmlTest, WithoutNvmlOrTheGpuThereIsNoMonitor) {
    EXPECT_EQ(cuda::nvml_monitor(nullptr, "0000:01:00.0"), nullptr);
    EXPECT_EQ(cuda::nvml_monitor(cuda::nvml_library(), "0000:7F:00.0"), nullptr);
    EXPECT_EQ(cuda::cuda_backend().monitor(1), nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "nothing is left behind";
    cuda_emulator::set_machine({.has_driver = false});
    EXPECT_EQ(cuda::cuda_backend().monitor(0), nullptr);
}

TEST_F(NvmlTest, AnOldLibraryTellsWhatItCan) {
    const cuda::NvmlLibrary& whole = *cuda::nvml_library();
    cuda::NvmlLibrary old;
    old.device_by_pci = whole.device_by_pci;
    old.temperature = whole.temperature;
    const device::Reading reading = cuda::nvml_monitor(&old, "0000:01:00.0")->read();
    EXPECT_EQ(reading.temperature, 41.0);
    EXPECT_FALSE(reading.used_bytes);
    EXPECT_FALSE(reading.utilisation);
    EXPECT_FALSE(reading.power);
    const cuda::NvmlLibrary empty = cuda::nvml_from([](const char*) -> void* { return nullptr; });
    EXPECT_EQ(cuda::nvml_monitor(&empty, "0000:01:00.0"), nullptr);
}

}  // namespace
}  // namespace strata::test
