// The emulator's streams where one waits for another, and the calls of NCCL that go wrong.
#include <cuda_emulator.h>
#include <gmock/gmock.h>
#include <nccl.h>

#include <array>

namespace strata::kernels {
namespace {

using ::testing::HasSubstr;

class EmulatedNccl : public ::testing::Test {
protected:
    void SetUp() override {
        cuda_emulator::set_machine({.devices = 2, .patience = std::chrono::milliseconds(50)});
        ASSERT_EQ(ncclCommInitAll(comms_.data(), 2, nullptr), ncclSuccess);
        for (int r : {1, 0}) {
            ASSERT_EQ(cudaSetDevice(r), cudaSuccess);
            ASSERT_EQ(cudaStreamCreateWithFlags(&stream(r), cudaStreamNonBlocking), cudaSuccess);
            void* memory = nullptr;
            ASSERT_EQ(cudaMalloc(&memory, 4 * sizeof(float)), cudaSuccess);
            data(r) = static_cast<float*>(memory);
            ASSERT_EQ(cudaMemset(memory, 0, 4 * sizeof(float)), cudaSuccess);
        }
    }
    void TearDown() override {
        for (int r : {0, 1}) {
            EXPECT_EQ(cudaFree(data(r)), cudaSuccess);
            EXPECT_EQ(cudaStreamDestroy(stream(r)), cudaSuccess);
            EXPECT_EQ(ncclCommDestroy(comm(r)), ncclSuccess);
        }
        cuda_emulator::set_machine({});
    }
    ncclResult_t sum(int rank, std::size_t count) {
        return ncclAllReduce(data(rank), data(rank), count, ncclFloat32, ncclSum, comm(rank),
                             stream(rank));
    }
    ncclComm_t comm(int rank) { return comms_[static_cast<std::size_t>(rank)]; }
    cudaStream_t& stream(int rank) { return streams_[static_cast<std::size_t>(rank)]; }
    float*& data(int rank) { return data_[static_cast<std::size_t>(rank)]; }

    std::array<ncclComm_t, 2> comms_{};
    std::array<cudaStream_t, 2> streams_{};
    std::array<float*, 2> data_{};
};

TEST_F(EmulatedNccl, ACallThatNobodyJoinsIsAFault) {
    ASSERT_EQ(sum(0, 4), ncclSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream(0)), cudaErrorLaunchFailure);
    EXPECT_THAT(cuda_emulator::take_fault(), HasSubstr("a call that nobody makes"));
}

TEST_F(EmulatedNccl, StreamsThatWaitForEachOtherAreAFault) {
    cudaEvent_t event = nullptr;
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    // The second rank's call comes behind an event of the first rank's stream, behind its call.
    ASSERT_EQ(sum(0, 4), ncclSuccess);
    ASSERT_EQ(cudaEventRecord(event, stream(0)), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(stream(1), event), cudaSuccess);
    ASSERT_EQ(sum(1, 4), ncclSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream(1)), cudaErrorLaunchFailure);
    EXPECT_THAT(cuda_emulator::take_fault(), HasSubstr("wait for each other"));
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST_F(EmulatedNccl, TheOtherStreamsGoOnMeanwhile) {
    ASSERT_EQ(sum(0, 4), ncclSuccess);
    ASSERT_EQ(cudaMemsetAsync(data(1), 0, 4, stream(1)), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream(1)), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(stream(0)), cudaErrorNotReady);
    ASSERT_EQ(sum(1, 4), ncclSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream(0)), cudaSuccess);
    EXPECT_EQ(cuda_emulator::take_fault(), "");
}

TEST_F(EmulatedNccl, CallsThatDoNotFitAreRefused) {
    EXPECT_EQ(sum(0, 5), ncclInvalidArgument) << "past the allocation's end";
    EXPECT_EQ(ncclAllReduce(data(0), data(0), 4, ncclFloat32, ncclSum, comm(0), stream(1)),
              ncclInvalidArgument)
        << "a stream of another device";
    float on_host = 0.0F;
    EXPECT_EQ(ncclAllReduce(&on_host, data(0), 1, ncclFloat32, ncclSum, comm(0), stream(0)),
              ncclInvalidArgument);
    EXPECT_EQ(cuda_emulator::take_fault(), "");
}

TEST_F(EmulatedNccl, RanksThatSayDifferentThingsAreAFault) {
    ASSERT_EQ(sum(0, 4), ncclSuccess);
    EXPECT_EQ(sum(1, 3), ncclInvalidUsage);
    EXPECT_THAT(cuda_emulator::take_fault(), HasSubstr("different calls"));
    EXPECT_EQ(cudaStreamSynchronize(stream(0)), cudaErrorLaunchFailure);
    cuda_emulator::take_fault();
}

TEST_F(EmulatedNccl, SendsAndReceives) {
    const std::array<float, 4> sent{1, 2, 3, 4};
    std::array<float, 4> received{};
    ASSERT_EQ(cudaMemcpy(data(0), sent.data(), sizeof sent, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(ncclRecv(data(1), 4, ncclFloat32, 0, comm(1), stream(1)), ncclSuccess);
    ASSERT_EQ(ncclSend(data(0), 4, ncclFloat32, 1, comm(0), stream(0)), ncclSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream(1)), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(received.data(), data(1), sizeof received, cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(received, sent);
    EXPECT_EQ(ncclSend(data(0), 4, ncclFloat32, 2, comm(0), stream(0)), ncclInvalidArgument);
}

}  // namespace
}  // namespace strata::kernels
