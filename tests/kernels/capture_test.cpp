// The emulator's graphs: what is captured runs at each launch and not before, streams that events
// join go along, and what CUDA forbids to a capture ends it.
#include <cuda_emulator_counts.h>

#include <thread>

#include "kernels/elementwise.h"
#include "kernels/step.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;
using cuda_emulator::counts;

class Capture : public ::testing::Test {
protected:
    void SetUp() override {
        cuda_emulator::set_machine({});
        ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&other_, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&event_), cudaSuccess);
    }
    void TearDown() override {
        EXPECT_EQ(cudaEventDestroy(event_), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(stream_), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(other_), cudaSuccess);
        cudaGetLastError();
    }
    void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal) {
        ASSERT_EQ(cudaStreamBeginCapture(stream_, mode), cudaSuccess);
    }
    // The end of a capture that a forbidden call has ended before.
    void expect_invalid() {
        cudaGraph_t graph = nullptr;
        EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
        EXPECT_EQ(graph, nullptr);
        EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorIllegalState);
    }

    cudaStream_t stream_ = nullptr, other_ = nullptr;
    cudaEvent_t event_ = nullptr;
};

TEST_F(Capture, RunsAtEachLaunchInOrder) {
    const DeviceArray<float> x(std::vector<float>(5, 1.0F)), y(5);
    begin();
    ASSERT_EQ(scale_shift(x.get(), x.get(), 5, 2.0F, 1.0F, stream_), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(other_, event_), cudaSuccess);
    ASSERT_EQ(scale_shift(y.get(), x.get(), 5, 1.0F, 0.5F, other_), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event_, other_), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(stream_, event_), cudaSuccess);
    ASSERT_EQ(cudaMemcpyAsync(x.get(), y.get(), 4, cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    std::size_t nodes = 0;
    ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
    EXPECT_EQ(nodes, 3U);
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(x.read(), std::vector<float>(5, 1.0F)) << "nothing has run";
    const auto before = counts();
    ASSERT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    EXPECT_EQ(counts().graph_launches - before.graph_launches, 2U);
    EXPECT_EQ(counts().kernels - before.kernels, 4U);
    EXPECT_EQ(counts().launches, before.launches);
    EXPECT_EQ(x.read(), (std::vector<float>{8.5F, 7.0F, 7.0F, 7.0F, 7.0F}));
    ASSERT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
}

TEST_F(Capture, AStreamThatNobodyJoinsAgainIsAnError) {
    const DeviceArray<float> x(std::vector<float>(5, 1.0F));
    begin();
    ASSERT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(other_, event_), cudaSuccess);
    ASSERT_EQ(scale_shift(x.get(), x.get(), 5, 2.0F, 1.0F, other_), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(other_, &graph), cudaErrorStreamCaptureUnmatched);
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(graph, nullptr);
}

TEST_F(Capture, WaitsAndAllocationsEndIt) {
    void* memory = nullptr;
    begin();
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorStreamCaptureUnsupported);
    expect_invalid();
    begin();
    EXPECT_EQ(cudaMalloc(&memory, 64), cudaErrorStreamCaptureUnsupported);
    expect_invalid();
    begin();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
    expect_invalid();
    begin();
    ASSERT_EQ(cudaEventRecord(event_, stream_), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(event_), cudaErrorCapturedEvent);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, TheModeSaysWhoMayAllocate) {
    void* memory = nullptr;
    cudaGraph_t graph = nullptr;
    begin(cudaStreamCaptureModeRelaxed);
    EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    begin();  // thread-local: others may
    std::thread([&] { EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess); }).join();
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    begin(cudaStreamCaptureModeGlobal);
    std::thread([&] {
        EXPECT_EQ(cudaMalloc(&memory, 64), cudaErrorStreamCaptureUnsupported);
    }).join();
    expect_invalid();
}

TEST_F(Capture, TheLegacyStreamIsNone) {
    EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed),
              cudaErrorStreamCaptureUnsupported);
    begin();
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaErrorIllegalState);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

// A launch that is captured once reads the numbers of the step that it is launched in.
TEST_F(Capture, NumbersInDeviceMemoryReachARecordedLaunch) {
    const DeviceArray<StepValues> values(1);
    const DeviceArray<StepValues> seen(1);
    begin();
    ASSERT_EQ(cudaMemcpyAsync(seen.get(), values.get(), sizeof(StepValues),
                              cudaMemcpyDeviceToDevice, stream_),
              cudaSuccess);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (std::int64_t t = 1; t < 4; ++t) {
        StepValues step;
        step.update = t;
        step.seed = 0x123456789ABCDEFU;
        ASSERT_EQ(set_step(values.get(), step, stream_), cudaSuccess);
        ASSERT_EQ(cudaGraphLaunch(exec, stream_), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
        EXPECT_EQ(seen.value().update, t);
        EXPECT_EQ(seen.value().seed, step.seed);
    }
    EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, FailuresComeWhereTheyAreOrdered) {
    const DeviceArray<float> x(std::vector<float>(5, 1.0F));
    const auto launch = [&] { return scale_shift(x.get(), x.get(), 5, 2.0F, 0.0F, stream_); };
    cuda_emulator::fail_kernel(1, cudaErrorInvalidConfiguration, true);
    EXPECT_EQ(launch(), cudaSuccess);
    EXPECT_EQ(launch(), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
    cuda_emulator::fail_kernel(0, cudaErrorIllegalAddress, false);
    EXPECT_EQ(launch(), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorIllegalAddress);
    EXPECT_EQ(x.read(), std::vector<float>(5, 4.0F));
}

}  // namespace
}  // namespace strata::kernels
