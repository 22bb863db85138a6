// Discovery in words, memory, copies and faults of the CUDA backend on the emulated machine.
#include "engine/backends/cuda/device.h"

#include <cuda_emulator.h>
#include <cuda_emulator_counts.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

#include "engine/backends/cpu/backend.h"
#include "engine/backends/cuda/backend.h"
#include "engine/core/error.h"
#include "engine/device/arena.h"
#include "engine/ops/dispatch.h"
#include "tests/engine/backends/cuda/both.h"
#include "tests/engine/core/error_of.h"

extern "C" strata::ops::Backend* strata_backend();

namespace strata::test {
namespace {

using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::Not;

class CudaDeviceTest : public ::testing::Test {
protected:
    void SetUp() override { cuda_emulator::set_machine({}); }
    void TearDown() override {
        cuda_emulator::set_machine({});
        EXPECT_EQ(cuda_emulator::live_allocations(), 0U);
    }
    static std::string reason_on(const cuda_emulator::Machine& machine) {
        cuda_emulator::set_machine(machine);
        const auto devices = cuda::cuda_backend().discover();
        EXPECT_EQ(devices.size(), 1U);
        EXPECT_FALSE(devices[0].available);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "nothing is left behind";
        return devices[0].reason;
    }
};

TEST_F(CudaDeviceTest, TheEntryOfThePluginIsTheBackend) {
    EXPECT_EQ(strata_backend(), &cuda::cuda_backend());
    EXPECT_EQ(strata_backend()->kind(), "cuda");
}

TEST_F(CudaDeviceTest, SaysWhyThereIsNone) {
    EXPECT_EQ(reason_on({.has_driver = false}), "no NVIDIA driver");
    EXPECT_EQ(reason_on({.driver_version = 12040}),
              "the NVIDIA driver is too old: it serves CUDA 12.4, this build needs 13.0");
    EXPECT_EQ(reason_on({.devices = 0}), "no NVIDIA GPU");
    EXPECT_EQ(reason_on({.capability = 61}),
              "a GPU of compute capability 6.1; this build serves 7.5 and newer");
}

TEST_F(CudaDeviceTest, DescribesEachGpu) {
    cuda_emulator::set_machine({.devices = 3, .memory = std::size_t{8} << 30});
    const auto devices = cuda::cuda_backend().discover();
    ASSERT_EQ(devices.size(), 3U);
    EXPECT_EQ(devices[2].id, "cuda:2");
    EXPECT_TRUE(devices[2].available);
    EXPECT_EQ(devices[2].memory, std::size_t{8} << 30);
    EXPECT_THAT(devices[2].description,
                AllOf(HasSubstr("CUDA emulator"), HasSubstr("compute capability 8.0"),
                      HasSubstr("convolutions by own kernels")));
}

TEST_F(CudaDeviceTest, OpeningWhatIsNotThereSaysWhatIs) {
    EXPECT_THAT(error_of([] { cuda::cuda_backend().open(1, {}); }).what(),
                AllOf(HasSubstr("cuda:1"), HasSubstr("cuda:0")));
    cuda_emulator::set_machine({.has_driver = false});
    const Error error = error_of([] { cuda::cuda_backend().open(0, {}); });
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_THAT(error.message(), HasSubstr("no NVIDIA driver"));
    ops::Dispatch dispatch;
    dispatch.add({&cuda::cuda_backend(), [](ops::Backend*) {}});
    EXPECT_THAT(error_of([&] { dispatch.open("cuda:0", {}); }).message(),
                HasSubstr("no NVIDIA driver"));
}

TEST_F(CudaDeviceTest, CopiesOfEverySize) {
    const auto device = cuda::cuda_backend().open(0, {});
    for (std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000},
                              (std::size_t{4} << 20) + 1, (std::size_t{13} << 20) + 7}) {
        std::vector<unsigned char> source(bytes), result(bytes);
        for (std::size_t i = 0; i < bytes; ++i) source[i] = static_cast<unsigned char>(i * 31 / 7);
        const std::vector<unsigned char> kept = source;
        void* memory = device->allocate(bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % device::alignment, 0U);
        device->copy_in(memory, source.data(), bytes);
        std::fill(source.begin(), source.end(), 0);  // copied already
        device->copy_out(result.data(), memory, bytes);
        EXPECT_TRUE(result == kept) << bytes << " bytes";
        device->fill_zero(memory, bytes);
        device->copy_out(result.data(), memory, bytes);
        EXPECT_TRUE(result == std::vector<unsigned char>(bytes, 0));
        device->release(memory);
    }
}

TEST_F(CudaDeviceTest, OutOfMemorySaysHowMuchWasWantedAndIsThere) {
    cuda_emulator::set_machine({.memory = std::size_t{100} << 20});
    const auto device = cuda::cuda_backend().open(0, {});
    void* held = device->allocate(std::size_t{60} << 20);
    const Error error = error_of([&] { device->allocate(std::size_t{50} << 20); });
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_THAT(error.message(), HasSubstr("50 MiB wanted, 40 MiB of 100 MiB are free"));
    EXPECT_EQ(error.where(), "cuda:0");
    EXPECT_NE(error.hint(), "");
    device->release(held);
    device->release(device->allocate(std::size_t{90} << 20));
}

TEST_F(CudaDeviceTest, AMemoryLimitOfItsOwn) {
    device::DeviceOptions options;
    options.memory_limit = std::size_t{10} << 20;
    const auto device = cuda::cuda_backend().open(0, options);
    device->allocate(std::size_t{6} << 20);
    EXPECT_THAT(error_of([&] { device->allocate(std::size_t{5} << 20); }).message(),
                HasSubstr("5 MiB wanted, 4 MiB of 10 MiB are free"));
    const Error byte = error_of([&] { device->allocate((std::size_t{4} << 20) + 1); });
    EXPECT_THAT(byte.message(), HasSubstr("4194305 bytes wanted, 4 MiB of 10 MiB are free"));
    EXPECT_THAT(byte.hint(), HasSubstr("placement.memory_limit"));
    const Error error = error_of([&] {
        device::MemoryBudget budget;
        budget[device::Category::weights] = std::size_t{9} << 20;
        const device::Arena arena(*device, budget);
    });
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
}

// 1 + 2^-12 is no number of TF32's: two products of it are 2 there, and more in float32.
TEST_F(CudaDeviceTest, ProductsAreFloat32UnlessTf32IsAskedFor) {
    const float x = 1.0F + 0x1p-12F;
    for (const bool asks : {false, true}) {
        if (asks) setenv("STRATA_TF32", "1", 1);
        const auto device = cuda::cuda_backend().open(0, {});
        unsetenv("STRATA_TF32");
        auto* memory = static_cast<float*>(device->allocate(1024));
        const std::vector<float> values{x, x, 1.0F, 1.0F};
        device->copy_in(memory, values.data(), 16);
        const std::vector<Tensor> inputs{{memory, DType::float32, {1, 2}},
                                         {memory + 2, DType::float32, {2, 1}}};
        const std::vector<Tensor> outputs{{memory + 4, DType::float32, {1, 1}}};
        const auto kernel = cuda::cuda_backend().prepare(*device, ops::Matmul{}, inputs, outputs);
        void* workspace = device->allocate(kernel->workspace_bytes() + 1);
        kernel->bind(inputs, outputs, workspace);
        kernel->run({});
        float sum = 0.0F;
        device->copy_out(&sum, memory + 4, sizeof sum);
        EXPECT_EQ(sum, asks ? 2.0F : 2.0F * x);
    }
}

TEST_F(CudaDeviceTest, RefusesWhatItCannotRunInWords) {
    const auto cpu = cpu_backend().open(0, {});
    EXPECT_EQ(error_of([&] { cuda::cuda_backend().prepare(*cpu, ops::AddN{}, {}, {}); }).code(),
              ErrorCode::internal);
    const auto device = cuda::cuda_backend().open(0, {});
    const Tensor a{nullptr, DType::float32, {3, 4}}, b{nullptr, DType::float32, {5, 2}};
    const std::vector<Tensor> inputs{a, b}, outputs{a};
    const Error error =
        error_of([&] { cuda::cuda_backend().prepare(*device, ops::Matmul{}, inputs, outputs); });
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_THAT(error.message(), AllOf(HasSubstr("Matmul"), HasSubstr("(3, 4) and (5, 2)")));
    EXPECT_EQ(error.where(), "cuda:0");
}

TEST_F(CudaDeviceTest, AFaultOnTheGpuIsReportedWhenItIsWaitedFor) {
    const auto device = cuda::cuda_backend().open(0, {});
    auto* memory = static_cast<char*>(device->allocate(64));
    const std::vector<Tensor> y{{memory + 4, DType::float32, {16}}};  // ends 4 bytes too late
    const auto kernel = cuda::cuda_backend().prepare(*device, ops::Fill{1.0F}, {}, y);
    kernel->bind({}, y, nullptr);
    kernel->run({});
    const Error error = error_of([&] { device->synchronize(); });
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_THAT(error.message(), HasSubstr("unspecified launch failure"));
    EXPECT_NE(cuda_emulator::take_fault(), "");
    EXPECT_NO_THROW(device->synchronize());
}

// More threads or registers than there are: nothing of it has run, and no earlier work is at fault.
TEST_F(CudaDeviceTest, ALaunchThatWantsTooMuchIsItsOwnFault) {
    constexpr auto out_of_resources = static_cast<cudaError_t>(701);
    const auto device = cuda::cuda_backend().open(0, {});
    auto* memory = static_cast<float*>(device->allocate(64));
    const std::vector<Tensor> y{{memory, DType::float32, {16}}};
    const auto kernel = cuda::cuda_backend().prepare(*device, ops::Fill{1.0F}, {}, y);
    kernel->bind({}, y, nullptr);
    kernel->run({});
    cuda_emulator::fail_kernel(0, out_of_resources, true);
    const Error error = error_of([&] { kernel->run({}); });
    EXPECT_THAT(error.message(), HasSubstr("Fill failed"));
    EXPECT_THAT(error.hint(), Not(HasSubstr("CUDA_LAUNCH_BLOCKING")));
}

TEST_F(CudaDeviceTest, ARecordingThatIsGivenUpLeavesTheDeviceAsItWas) {
    const auto device = cuda::cuda_backend().open(0, {});
    auto& queued = dynamic_cast<ops::QueuedDevice&>(*device);
    void* memory = device->allocate(64);
    std::string reason;
    const auto ends = [&] {
        device->fill_zero(memory, 64);
        throw std::runtime_error("no memory on the host");
    };
    EXPECT_THROW(queued.record_work(ends, reason), std::runtime_error);
    EXPECT_NO_THROW(device->synchronize());
    const auto recording = queued.record_work([&] { device->fill_zero(memory, 64); }, reason);
    ASSERT_TRUE(recording) << reason;
    recording->replay();
    std::array<unsigned char, 64> bytes{};
    bytes.fill(1);
    device->copy_out(bytes.data(), memory, bytes.size());
    EXPECT_EQ(bytes, (std::array<unsigned char, 64>{}));
}

// Without a detour and without a wait: the host's bytes are read when the queue comes to them.
TEST_F(CudaDeviceTest, QueuesCopiesFromMemoryOfItsOwn) {
    constexpr std::size_t bytes = 1024;
    const auto device = cuda::cuda_backend().open(0, {});
    void* memory = device->allocate(bytes);
    auto* host = static_cast<unsigned char*>(device->allocate_host(bytes));
    const auto sent = device->make_event();
    std::fill_n(host, bytes, static_cast<unsigned char>(7));
    device->queue_copy_in(memory, host, bytes);
    device->record(sent.get());
    EXPECT_FALSE(sent->is_done());
    sent->wait();
    std::fill_n(host, bytes, static_cast<unsigned char>(0));
    device->queue_copy_out(host, memory, bytes);
    device->synchronize();
    EXPECT_EQ(std::count(host, host + bytes, static_cast<unsigned char>(7)), std::ptrdiff_t{bytes});
    device->release_host(host);
    device->release(memory);
}

// The copy waits for the sender's work, and the receiver for the copy: nothing waits on the host.
TEST_F(CudaDeviceTest, CopiesToAnotherGpuInTheOrderOfBothQueues) {
    constexpr std::size_t bytes = 1024;
    for (const bool reaches : {true, false}) {
        cuda_emulator::set_machine(
            {.devices = 2, .reaches_peers = reaches, .latest_stream_first = true});
        const auto first = cuda::cuda_backend().open(0, {});
        const auto second = cuda::cuda_backend().open(1, {});
        void* from = first->allocate(bytes);
        void* to = second->allocate(bytes);
        void* host = second->allocate_host(bytes);
        const auto sent = first->make_event(), read = second->make_event();
        for (int turn = 0; turn < 2; ++turn) {
            first->fill_zero(from, bytes);
            first->copy_to(*second, to, from, bytes);
            first->record(sent.get());
            second->wait_for(sent.get());
            second->queue_copy_out(host, to, bytes);
            second->record(read.get());
            EXPECT_FALSE(read->is_done());
            read->wait();
            EXPECT_TRUE(read->is_done());
            for (std::size_t i = 0; i < bytes; ++i)
                ASSERT_EQ(static_cast<const unsigned char*>(host)[i], 0U) << i;
        }
        EXPECT_GE(sent->seconds_since(*sent), 0.0);
        second->release_host(host);
        first->release(from);
        second->release(to);
    }
}

TEST_F(CudaDeviceTest, CopiesToItsOwnKindOnly) {
    const auto gpu = cuda::cuda_backend().open(0, {});
    const auto backend = cpu::make_cpu_backend();
    const auto cpu = backend->open(0, {.threads = 1});
    float value = 0.0F;
    EXPECT_EQ(error_of([&] { gpu->copy_to(*cpu, &value, &value, 4); }).code(), ErrorCode::internal);
    std::array<device::Device*, 1> devices{cpu.get()};
    EXPECT_EQ(error_of([&] {
                  cuda::cuda_backend().join_group(
                      devices,
                      {.id = cuda::cuda_backend().make_group_id(), .ranks = {0}, .size = 1});
              }).code(),
              ErrorCode::internal);
}

}  // namespace
}  // namespace strata::test
