// Kernels that are wrong on purpose, and what the emulator says of each: unwritten memory, bounds,
// races; and the traffic that it counts.
#include <gmock/gmock.h>

#include "kernels/common/launch.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

class EmulatorFault : public KernelTest {
protected:
    void SetUp() override {
        KernelTest::SetUp();
        if (!cuda_emulator::watches_kernels())
            GTEST_SKIP() << "A sanitizer watches this build, the emulator does not";
    }
    // The fault of one launch; "" where it has none.
    template <class... P, class... A>
    static std::string fault_of(void (*kernel)(P...), const LaunchShape& shape, A... args) {
        EXPECT_EQ(launch(kernel, shape, nullptr, args...), cudaSuccess);
        const cudaError_t error = cudaDeviceSynchronize();
        const std::string fault = cuda_emulator::take_fault();
        EXPECT_EQ(error, fault.empty() ? cudaSuccess : cudaErrorLaunchFailure);
        return fault;
    }
};
INSTANTIATE_TEST_SUITE_P(Orders, EmulatorFault, both_orders(), order_name);

__global__ void copy_one(float* y, const float* x, int from) {
    y[threadIdx.x] = x[from + static_cast<int>(threadIdx.x)];
}

TEST_P(EmulatorFault, AReadOfMemoryThatNothingWrote) {
    const DeviceArray<float> x(64), y(64), z(random_floats(64, 1));
    EXPECT_THAT(fault_of(copy_one, {dim3(1), dim3(64)}, y.get(), x.get(), 0),
                AllOf(HasSubstr("reads device memory that nothing has written"),
                      HasSubstr("of block (0,0,0)")));
    EXPECT_EQ(fault_of(copy_one, {dim3(1), dim3(64)}, y.get(), z.get(), 0), "");
    EXPECT_EQ(fault_of(copy_one, {dim3(1), dim3(64)}, x.get(), y.get(), 0), "") << "now written";
    ASSERT_EQ(cudaMemset(x.get(), 0, 32 * sizeof(float)), cudaSuccess);
}

TEST_P(EmulatorFault, AMemoryThatIsFreedAndTakenAgainIsUnwritten) {
    float* first = nullptr;
    {
        const DeviceArray<float> x(random_floats(64, 1));
        first = x.get();
    }
    const DeviceArray<float> again(64), y(64);
    ASSERT_EQ(again.get(), first) << "the same addresses";
    EXPECT_THAT(fault_of(copy_one, {dim3(1), dim3(64)}, y.get(), again.get(), 0),
                HasSubstr("nothing has written"));
}

TEST_P(EmulatorFault, AccessesOutsideAnAllocation) {
    const DeviceArray<float> x(random_floats(64, 1)), y(64);
    EXPECT_THAT(fault_of(copy_one, {dim3(1), dim3(64)}, y.get(), x.get(), 1),
                HasSubstr("reads outside an allocation of 256 bytes"));
    EXPECT_THAT(fault_of(copy_one, {dim3(1), dim3(64)}, y.get(), x.get(), -1),
                HasSubstr("reads outside an allocation of 256 bytes"));
    EXPECT_THAT(fault_of(copy_one, {dim3(1), dim3(64)}, y.get(), x.get(), 1 << 26),
                HasSubstr("reads outside every allocation"));
    EXPECT_THAT(fault_of(copy_one, {dim3(1), dim3(64)}, y.get() + 1, x.get(), 0),
                HasSubstr("writes outside an allocation of 256 bytes"));
}

__global__ void neighbour(float* y, const float* x, bool waits) {
    __shared__ float tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    if (waits) __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x ^ 1U];
}

__global__ void reused_tile(float* y, const float* x, bool waits) {
    __shared__ float tile[64];
    tile[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    const float other = tile[63 - threadIdx.x];
    if (waits) __syncthreads();
    tile[threadIdx.x] = other;  // others may not have read it yet
    __syncthreads();
    y[threadIdx.x] = tile[63 - threadIdx.x];
}

// In the order in which the threads run, neither reads a wrong number.
TEST_P(EmulatorFault, ARaceForSharedMemory) {
    const DeviceArray<float> x(random_floats(64, 1)), y(64);
    EXPECT_THAT(fault_of(neighbour, {dim3(2), dim3(64)}, y.get(), x.get(), true),
                HasSubstr("writes device memory that another thread of the grid wrote"))
        << "two blocks write one result";
    EXPECT_EQ(fault_of(neighbour, {dim3(1), dim3(64)}, y.get(), x.get(), true), "");
    EXPECT_NE(fault_of(neighbour, {dim3(1), dim3(64)}, y.get(), x.get(), false), "");
    EXPECT_EQ(fault_of(reused_tile, {dim3(1), dim3(64)}, y.get(), x.get(), true), "");
    EXPECT_THAT(fault_of(reused_tile, {dim3(1), dim3(64)}, y.get(), x.get(), false),
                HasSubstr("shared memory that another thread of the grid"));
}

__global__ void shift_in_place(float* x) {
    const float next = x[threadIdx.x + 1];
    x[threadIdx.x] = next;
}

TEST_P(EmulatorFault, ARaceForDeviceMemory) {
    const DeviceArray<float> x(random_floats(65, 1));
    EXPECT_THAT(fault_of(shift_in_place, {dim3(1), dim3(64)}, x.get()),
                HasSubstr("device memory that another thread of the grid"));
}

using EmulatorDeathTest = EmulatorFault;
INSTANTIATE_TEST_SUITE_P(Orders, EmulatorDeathTest, both_orders(), order_name);

// As beside a GPU, where the address means nothing to the host.
TEST_P(EmulatorDeathTest, AHostThatReadsThroughADevicesPointerEnds) {
    const DeviceArray<float> x(random_floats(64, 1));
    const volatile float* pointer = x.get();
    EXPECT_DEATH({ std::printf("%f", static_cast<double>(pointer[0])); }, "");
}

__global__ void count_all(int* counter, int* bytes) {
    atomicAdd(counter, 1);
    reinterpret_cast<unsigned char*>(bytes)[threadIdx.x] = 1;  // four threads to a word
}

TEST_P(EmulatorFault, AtomicsAndNeighbouringBytesAreNoRace) {
    const DeviceArray<int> counter(std::vector<int>{0}), bytes(16);
    EXPECT_EQ(fault_of(count_all, {dim3(1), dim3(64)}, counter.get(), bytes.get()), "");
    EXPECT_EQ(counter.value(), 64);
}

__global__ void unwritten_tile(float* y) {
    __shared__ float tile[64];
    if (threadIdx.x < 32) tile[threadIdx.x] = 1.0F;
    __syncthreads();
    y[threadIdx.x] = tile[threadIdx.x];
}
__global__ void unwritten_dynamic(float* y) {
    y[threadIdx.x] = dynamic_shared<float>()[threadIdx.x];
}

TEST_P(EmulatorFault, SharedMemoryIsUnwrittenInEachBlock) {
    const DeviceArray<float> x(random_floats(64, 1)), y(64);
    EXPECT_EQ(fault_of(neighbour, {dim3(1), dim3(64)}, y.get(), x.get(), true), "");
    EXPECT_THAT(fault_of(unwritten_tile, {dim3(1), dim3(64)}, y.get()),
                HasSubstr("reads shared memory that nothing has written"));
    EXPECT_THAT(fault_of(unwritten_dynamic, {dim3(1), dim3(64), 256}, y.get()),
                HasSubstr("reads shared memory that nothing has written"));
}

// The variables of templates lie elsewhere than others.
template <int Size>
__global__ void tile_of_template(float* y, bool writes, bool waits) {
    __shared__ float tile[Size];
    if (writes) tile[threadIdx.x] = 1.0F;
    if (waits) __syncthreads();
    y[threadIdx.x] = tile[Size - 1 - threadIdx.x];
}

TEST_P(EmulatorFault, SharedMemoryOfTemplates) {
    const DeviceArray<float> y(64);
    const auto fault = [&](bool writes, bool waits) {
        return fault_of(tile_of_template<64>, {dim3(2), dim3(64)}, y.get(), writes, waits);
    };
    EXPECT_EQ(fault_of(tile_of_template<64>, {dim3(1), dim3(64)}, y.get(), true, true), "");
    EXPECT_THAT(fault(false, true), HasSubstr("reads shared memory that nothing has written"));
    EXPECT_NE(fault(true, false), "");
}

__global__ void strided_copy(float* y, const float* x, int stride) {
    y[first_item()] = x[first_item() * stride];
}

// A warp that reads every eighth number moves eight times what it needs.
TEST_P(EmulatorFault, TrafficIsCountedInSectors) {
    const DeviceArray<float> x(random_floats(8 * 1024, 1)), y(1024);
    cuda_emulator::keep_launches({.cache = 4096});
    for (const int stride : {1, 8})
        ASSERT_EQ(fault_of(strided_copy, {dim3(4), dim3(256)}, y.get(), x.get(), stride), "");
    const auto launches = cuda_emulator::take_launches();
    cuda_emulator::keep_launches({});
    ASSERT_EQ(launches.size(), 2U);
    EXPECT_EQ(launches[0].grid.x, 4U);
    EXPECT_EQ(launches[0].read, 4096U);
    EXPECT_EQ(launches[0].written, 4096U);
    EXPECT_EQ(launches[1].read, 8 * 4096U);
    EXPECT_EQ(launches[1].written, 4096U);
}

__global__ void read_twice(float* y, const float* x, int n) {
    float sum = 0.0F;
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < n; ++i) sum += x[i];
    y[0] = sum;
}

TEST_P(EmulatorFault, WhatLeftTheCacheIsMovedAgain) {
    const DeviceArray<float> x(random_floats(1024, 1)), y(1);
    for (const std::size_t cache : {8192, 1024}) {
        cuda_emulator::keep_launches({.cache = cache});
        ASSERT_EQ(fault_of(read_twice, {dim3(1), dim3(1)}, y.get(), x.get(), 1024), "");
        EXPECT_EQ(cuda_emulator::take_launches().at(0).read, cache == 8192 ? 4096U : 8192U);
    }
    cuda_emulator::keep_launches({});
}

TEST_P(EmulatorFault, ACacheMayOutliveALaunch) {
    const DeviceArray<float> x(random_floats(1024, 1)), y(1);
    for (const bool across : {false, true}) {
        cuda_emulator::keep_launches({.cache = 8192, .across_launches = across});
        for (int k = 0; k < 2; ++k)
            ASSERT_EQ(fault_of(read_twice, {dim3(1), dim3(1)}, y.get(), x.get(), 1024), "");
        EXPECT_EQ(cuda_emulator::take_launches().at(1).read, across ? 0U : 4096U);
    }
    cuda_emulator::keep_launches({});
}

// Every block walks over all of x.
__global__ void sum_together(float* y, const float* x, int n) {
    __shared__ float sums[64];
    sums[threadIdx.x] = 0.0F;
    for (int first = 0; first < n; first += 64) {
        sums[threadIdx.x] += x[first + threadIdx.x];
        __syncthreads();
    }
    y[first_item()] = sums[63 - threadIdx.x];
}

TEST_P(EmulatorFault, BlocksThatRunAtOnceReadTogether) {
    const std::vector<float> values = random_floats(4096, 1);
    const DeviceArray<float> x(values), y(4 * 64);
    std::vector<std::vector<float>> results;
    for (const std::size_t at_once : {1, 4}) {
        cuda_emulator::keep_launches({.cache = 2048, .blocks_at_once = at_once});
        ASSERT_EQ(fault_of(sum_together, {dim3(4), dim3(64)}, y.get(), x.get(), 4096), "");
        EXPECT_EQ(cuda_emulator::take_launches().at(0).read, (at_once == 1 ? 4U : 1U) * 16384U);
        results.push_back(y.read());
    }
    cuda_emulator::keep_launches({});
    EXPECT_EQ(results[0], results[1]);
}

// Static and dynamic shared memory of blocks in the middle of their kernel.
__global__ void own_memory(int* y) {
    __shared__ int tile[32];
    int* const other = dynamic_shared<int>();
    const int block = static_cast<int>(blockIdx.x);
    for (int k = 0; k < 3; ++k) {
        tile[threadIdx.x] = 100 * block + static_cast<int>(threadIdx.x);
        other[threadIdx.x] = 7 * block;
        __syncthreads();
        y[first_item()] = tile[31 - threadIdx.x] + other[(threadIdx.x + 1) % 32];
        __syncthreads();
    }
}

TEST_P(EmulatorFault, BlocksThatRunAtOnceHaveTheirOwnSharedMemory) {
    const DeviceArray<int> y(5 * 32);
    cuda_emulator::keep_launches({.cache = 2048, .blocks_at_once = 3});
    EXPECT_EQ(fault_of(own_memory, {dim3(5), dim3(32), 128}, y.get()), "");
    cuda_emulator::keep_launches({});
    const std::vector<int> values = y.read();
    for (int b = 0; b < 5; ++b)
        for (int t = 0; t < 32; ++t)
            EXPECT_EQ(values[static_cast<std::size_t>(32 * b + t)], 107 * b + 31 - t);
}

}  // namespace
}  // namespace strata::kernels
