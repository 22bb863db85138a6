// The emulator itself: what it must compute, and what it must report.
#include <cublasLt.h>
#include <cuda_runtime.h>
#include <gmock/gmock.h>

#include <vector>

#include "kernels/common/launch.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Emulator : public KernelTest {
protected:
    // The fault of one launch, which must fail.
    template <class... P, class... A>
    std::string fault_of(void (*kernel)(P...), const LaunchShape& shape, A... args) {
        EXPECT_EQ(launch(kernel, shape, nullptr, args...), cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
        return cuda_emulator::take_fault();
    }
};
INSTANTIATE_TEST_SUITE_P(Orders, Emulator, both_orders(), order_name);

__global__ void reverse_block(int* y, const int* x) {
    __shared__ int tile[96];
    tile[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

TEST_P(Emulator, BarriersAndSharedMemory) {
    std::vector<int> x(5 * 96), want(5 * 96);
    for (int i = 0; i < 5 * 96; ++i) {
        x[static_cast<std::size_t>(i)] = i * i;
        want[static_cast<std::size_t>(i / 96 * 96 + 95 - i % 96)] = i * i;
    }
    const DeviceArray<int> in(x), out(x.size());
    ASSERT_EQ(launch(reverse_block, {dim3(5), dim3(96)}, nullptr, out.get(), in.get()),
              cudaSuccess);
    EXPECT_EQ(out.read(), want);
}

__global__ void no_barrier(int* y, int value) {
    __shared__ int tile[64];
    tile[threadIdx.x] = value;
    y[threadIdx.x] = tile[63 - threadIdx.x];
}

// Where the accesses are not watched, the result shows it.
TEST_P(Emulator, AMissingBarrierShows) {
    const DeviceArray<int> y(64);
    const int value = GetParam() == cuda_emulator::Order::forward ? 1 : 2;
    ASSERT_EQ(launch(no_barrier, {dim3(1), dim3(64)}, nullptr, y.get(), value), cudaSuccess);
    const cudaError_t error = cudaDeviceSynchronize();
    if (cuda_emulator::watches_kernels()) {
        EXPECT_EQ(error, cudaErrorLaunchFailure);
        EXPECT_NE(cuda_emulator::take_fault(), "");
        return;
    }
    EXPECT_NE(y.read(), std::vector<int>(64, value));
}

__global__ void dynamic_sum(float* y, int count) {
    float* memory = dynamic_shared<float>();
    memory[threadIdx.x] = static_cast<float>(threadIdx.x);
    __syncthreads();
    float sum = 0.0F;
    for (int i = 0; i < count; ++i) sum += memory[i];
    if (threadIdx.x == 0) y[0] = sum;
}

TEST_P(Emulator, DynamicSharedMemory) {
    const DeviceArray<float> y(1);
    ASSERT_EQ(launch(dynamic_sum, {dim3(1), dim3(40), 40 * sizeof(float)}, nullptr, y.get(), 40),
              cudaSuccess);
    EXPECT_EQ(y.value(), 780.0F);
}

__global__ void shuffles(int* y) {
    const int lane = static_cast<int>(threadIdx.x);
    y[lane] = __shfl_xor_sync(0xFFFFFFFFU, lane, 5);
    y[32 + lane] = __shfl_down_sync(0xFFFFFFFFU, lane, 3);
    y[64 + lane] = __shfl_up_sync(0xFFFFFFFFU, lane, 2);
    y[96 + lane] = __shfl_sync(0xFFFFFFFFU, lane, 7);
    y[128 + lane] = __shfl_sync(0xFFFFFFFFU, lane, 1, 8);
    y[160 + lane] = static_cast<int>(__ballot_sync(0xFFFFFFFFU, lane % 3 == 0));
}

TEST_P(Emulator, WarpFunctions) {
    const DeviceArray<int> out(192);
    ASSERT_EQ(launch(shuffles, {dim3(1), dim3(32)}, nullptr, out.get()), cudaSuccess);
    const std::vector<int> y = out.read();
    for (int lane = 0; lane < 32; ++lane) {
        const auto i = static_cast<std::size_t>(lane);
        EXPECT_EQ(y[i], lane ^ 5);
        EXPECT_EQ(y[32 + i], lane + 3 < 32 ? lane + 3 : lane);
        EXPECT_EQ(y[64 + i], lane >= 2 ? lane - 2 : lane);
        EXPECT_EQ(y[96 + i], 7);
        EXPECT_EQ(y[128 + i], lane / 8 * 8 + 1);
        EXPECT_EQ(y[160 + i], 0x49249249);
    }
}

__global__ void count_up(int* counter, float* sum, int* largest) {
    atomicAdd(counter, 1);
    atomicAdd(sum, 0.5F);
    atomicMax(largest, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
}

TEST_P(Emulator, Atomics) {
    const DeviceArray<int> counter(std::vector<int>{0}), largest(std::vector<int>{-1});
    const DeviceArray<float> sum(std::vector<float>{0.0F});
    ASSERT_EQ(
        launch(count_up, {dim3(3), dim3(70)}, nullptr, counter.get(), sum.get(), largest.get()),
        cudaSuccess);
    EXPECT_EQ(counter.value(), 210);
    EXPECT_EQ(sum.value(), 105.0F);
    EXPECT_EQ(largest.value(), 209);
}

__global__ void indices(int* y) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    y[block * blockDim.x * blockDim.y * blockDim.z + thread] = static_cast<int>(block + thread);
}

TEST_P(Emulator, ThreeDimensionsOfBlocksAndThreads) {
    const DeviceArray<int> y(24 * 30);
    ASSERT_EQ(launch(indices, {dim3(2, 3, 4), dim3(5, 3, 2)}, nullptr, y.get()), cudaSuccess);
    const std::vector<int> got = y.read();
    for (int i = 0; i < 24 * 30; ++i) ASSERT_EQ(got[static_cast<std::size_t>(i)], i / 30 + i % 30);
}

__global__ void half_waits() {
    if (threadIdx.x < 16) __syncthreads();
}
__global__ void two_barriers() {
    if (threadIdx.x < 16) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}
__global__ void lane_leaves() {
    if (threadIdx.x != 3) __syncwarp();
}
__global__ void left_out() {
    __syncwarp(0xFFFF0000U);
}
__global__ void reads_left_out() {
    if (threadIdx.x < 16) __shfl_sync(0x0000FFFFU, 1, 20);
}

TEST_P(Emulator, ABarrierThatNotAllReachIsReported) {
    EXPECT_THAT(fault_of(half_waits, {dim3(1), dim3(64)}),
                AllOf(HasSubstr("wait for others"), HasSubstr("__syncthreads"),
                      HasSubstr("48 of the block's 64 threads have ended"),
                      HasSubstr("emulator_test.cpp")));
}

TEST_P(Emulator, DifferentBarriersAreReported) {
    EXPECT_THAT(fault_of(two_barriers, {dim3(1), dim3(64)}), HasSubstr("different barriers"));
}

TEST_P(Emulator, AWarpThatNotAllJoinIsReported) {
    EXPECT_THAT(fault_of(lane_leaves, {dim3(1), dim3(32)}), HasSubstr("in a warp function"));
    EXPECT_THAT(fault_of(left_out, {dim3(1), dim3(32)}), HasSubstr("mask leaves it out"));
    EXPECT_THAT(fault_of(reads_left_out, {dim3(1), dim3(32)}), HasSubstr("reads lane 20"));
}

__global__ void write_one(char* y, int at) {
    y[at] = 1;
}

TEST_P(Emulator, AWriteBesideAnAllocationIsReported) {
    const DeviceArray<char> y(100);
    for (int at : {100, -1, 255}) {
        EXPECT_THAT(fault_of(write_one, {dim3(1), dim3(1)}, y.get(), at),
                    HasSubstr("outside an allocation of 100 bytes"));
    }
    ASSERT_EQ(launch(write_one, {dim3(1), dim3(1)}, nullptr, y.get(), 99), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "a fault is reported once";
}

TEST_P(Emulator, GoesOnAfterAFault) {
    fault_of(half_waits, {dim3(1), dim3(64)});
    const DeviceArray<int> in(std::vector<int>(96, 4)), out(96);
    ASSERT_EQ(launch(reverse_block, {dim3(1), dim3(96)}, nullptr, out.get(), in.get()),
              cudaSuccess);
    EXPECT_EQ(out.read(), std::vector<int>(96, 4));
}

TEST_P(Emulator, ImpossibleLaunchesAreRefusedAtOnce) {
    EXPECT_EQ(launch(half_waits, {dim3(1), dim3(1025)}, nullptr), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(half_waits, {dim3(1, 70000), dim3(1)}, nullptr),
              cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(half_waits, {dim3(1), dim3(1), 100000}, nullptr),
              cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch(half_waits, {dim3(0), dim3(1)}, nullptr), cudaSuccess) << "no work";
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_P(Emulator, WorkOnAStreamWaitsUntilSomebodyWaits) {
    const DeviceArray<int> data(std::vector<int>{1, 2, 3});
    int* pinned = nullptr;
    ASSERT_EQ(cudaMallocHost(&pinned, 3 * sizeof(int)), cudaSuccess);
    pinned[0] = 0;
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaMemcpyAsync(pinned, data.get(), 3 * sizeof(int), cudaMemcpyDeviceToHost, stream),
              cudaSuccess);
    EXPECT_EQ(pinned[0], 0) << "a result that is read too early is found out";
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(pinned[0], 1);
    EXPECT_EQ(cudaMemcpy(pinned, data.get(), 4 * sizeof(int), cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue)
        << "past the end";
    EXPECT_EQ(cudaMemcpy(data.get(), pinned, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

// Copies and waits may go to a stream of any device: only these three are refused.
TEST_P(Emulator, LaunchesAndEventsBelongToTheirStreamsDevice) {
    cuda_emulator::set_machine({.devices = 2});
    cudaStream_t streams[2] = {};
    cudaEvent_t events[2] = {};
    for (int d = 0; d < 2; ++d) {
        ASSERT_EQ(cudaSetDevice(d), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&events[d]), cudaSuccess);
        ASSERT_EQ(cudaEventRecord(events[d], streams[d]), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(streams[d]), cudaSuccess);
    }
    EXPECT_EQ(launch(half_waits, {dim3(1), dim3(1)}, streams[0]), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(events[0], streams[1]), cudaErrorInvalidResourceHandle);
    float milliseconds = 0.0F;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, events[0], events[1]),
              cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamWaitEvent(streams[0], events[1], 0), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(events[0]), cudaSuccess);
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    for (int d = 0; d < 2; ++d) {
        EXPECT_EQ(cudaEventDestroy(events[d]), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(streams[d]), cudaSuccess);
    }
}

TEST_P(Emulator, MachinesWithoutDriverDeviceOrMemory) {
    int count = -1;
    cuda_emulator::set_machine({.has_driver = false});
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
    cuda_emulator::set_machine({.has_driver = true, .devices = 0});
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
    cuda_emulator::set_machine({.has_driver = true, .devices = 1, .memory = 1000});
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, 1001), cudaErrorMemoryAllocation);
    EXPECT_EQ(memory, nullptr);
}

}  // namespace
}  // namespace strata::kernels
