// Sums and copies between emulated GPUs: results, order against the devices' own work, faults.
#include <cuda_emulator.h>
#include <gmock/gmock.h>
#include <nccl.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>

#include "engine/backends/cuda/backend.h"
#include "engine/backends/cuda/nccl_group.h"
#include "engine/core/error.h"

namespace strata::cuda {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t count = 1000;

class NcclGroupTest : public ::testing::TestWithParam<int> {
protected:
    void SetUp() override {
        cuda_emulator::set_machine({.devices = GetParam()});
        for (int r = 0; r < GetParam(); ++r) {
            devices_.push_back(cuda_backend().open(r, {}));
            data_.push_back(static_cast<float*>(devices_.back()->allocate(count * sizeof(float))));
        }
        group_ = group_of_all();
    }
    std::unique_ptr<NcclGroup> group_of_all() {
        std::vector<CudaDevice*> all;
        for (const auto& device : devices_) all.push_back(dynamic_cast<CudaDevice*>(device.get()));
        std::vector<int> ranks(devices_.size());
        std::iota(ranks.begin(), ranks.end(), 0);
        return std::make_unique<NcclGroup>(
            nccl_library(), all,
            device::GroupPlace{NcclGroup::make_id(nccl_library()), ranks, GetParam()});
    }
    void TearDown() override {
        group_.reset();
        devices_.clear();
        EXPECT_EQ(cuda_emulator::take_fault(), "");
        EXPECT_EQ(cuda_emulator::live_allocations(), 0U);
        cuda_emulator::set_machine({});
    }
    // On a thread for each device, which come in any order.
    void on_each(const std::function<void(int rank)>& work) {
        std::vector<std::thread> threads;
        for (int r = GetParam() - 1; r >= 0; --r) threads.emplace_back(work, r);
        for (std::thread& thread : threads) thread.join();
    }
    static float value(int rank, std::size_t i) {
        return static_cast<float>(rank + 1) * static_cast<float>(i + 1);
    }
    void put(int rank) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = value(rank, i);
        device(rank).copy_in(data(rank), values.data(), count * sizeof(float));
        device(rank).synchronize();
    }
    std::vector<float> get(int rank) {
        std::vector<float> values(count);
        device(rank).copy_out(values.data(), data(rank), count * sizeof(float));
        return values;
    }
    float sum(std::size_t i) const {
        float all = 0.0F;
        for (int r = 0; r < GetParam(); ++r) all += value(r, i);
        return all;
    }
    device::Device& device(int rank) { return *devices_[static_cast<std::size_t>(rank)]; }
    float* data(int rank) { return data_[static_cast<std::size_t>(rank)]; }

    std::vector<std::unique_ptr<device::Device>> devices_;
    std::vector<float*> data_;
    std::unique_ptr<NcclGroup> group_;
};

INSTANTIATE_TEST_SUITE_P(Gpus, NcclGroupTest, ::testing::Values(1, 2, 3));

std::atomic<bool> others_come{true};

// The other ranks' machine has gone: NCCL's joining does not come back.
TEST(NcclJoining, OthersThatDoNotComeAreNotWaitedForForEver) {
    cuda_emulator::set_machine({.devices = 1});
    static const NcclLibrary library = [] {
        NcclLibrary made = nccl_library();
        made.init_rank = [](NcclComm*, int, NcclId, int) {
            while (!others_come) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return 1;  // ncclUnhandledCudaError
        };
        return made;
    }();
    const auto device = cuda_backend().open(0, {});
    std::function<void()> check;
    const auto join = [&](std::chrono::milliseconds deadline) -> std::string {
        device::GroupPlace place{NcclGroup::make_id(library), {0}, 2, deadline, check};
        try {
            const NcclGroup group(library, {dynamic_cast<CudaDevice*>(device.get())}, place);
        } catch (const Error& error) {
            return error.message();
        }
        return "joined";
    };
    others_come = false;
    EXPECT_EQ(join(std::chrono::milliseconds(50)),
              "the other GPUs did not come to the exchange within 0 s");
    check = [] { throw Error(ErrorCode::interrupted, "rank 1 (host b) has ended", ""); };
    EXPECT_EQ(join(std::chrono::hours(1)), "rank 1 (host b) has ended");
    check = nullptr;
    others_come = true;
    EXPECT_THAT(join(std::chrono::minutes(1)), HasSubstr("Joining the GPUs failed"));
    cuda_emulator::set_machine({});
}

TEST_P(NcclGroupTest, SumsOverAllRanks) {
    on_each([this](int rank) {
        put(rank);
        group_->all_reduce(rank, data(rank), count);
        group_->join(rank);
        const std::vector<float> result = get(rank);
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(result[i], sum(i)) << rank;
    });
}

// What the device does before a call is in the sum, what it does after it is not, without a wait.
TEST_P(NcclGroupTest, KeepsTheOrderOfTheDevicesWork) {
    on_each([this](int rank) {
        put(rank);
        device(rank).fill_zero(data(rank), count / 2 * sizeof(float));
        group_->all_reduce(rank, data(rank), count);
        group_->join(rank);
        device(rank).fill_zero(data(rank) + count / 2, sizeof(float));
        const std::vector<float> result = get(rank);
        EXPECT_EQ(result[0], 0.0F);
        EXPECT_EQ(result[count / 2], 0.0F);
        EXPECT_EQ(result[count / 2 + 1], sum(count / 2 + 1));
    });
}

TEST_P(NcclGroupTest, PartsOfEqualAndOfOtherSizes) {
    const auto ranks = static_cast<std::size_t>(GetParam());
    const std::size_t equal = 16 * (count / 16 / ranks);
    device::PartBegins even{0}, odd{7};
    for (std::size_t r = 0; r < ranks; ++r) {
        even.push_back(even.back() + equal);
        odd.push_back(odd.back() + 100 * r + 3);
    }
    odd.back() = count;
    for (const device::PartBegins& parts : {even, odd})
        on_each([&](int rank) {
            const auto r = static_cast<std::size_t>(rank);
            put(rank);
            group_->reduce_scatter(rank, data(rank), parts);
            group_->join(rank);
            std::vector<float> result = get(rank);
            for (std::size_t i = parts[r]; i < parts[r + 1]; ++i) ASSERT_EQ(result[i], sum(i));
            group_->all_gather(rank, data(rank), parts);
            group_->join(rank);
            result = get(rank);
            for (std::size_t i = 0; i < count; ++i) {
                const bool inside = i >= parts.front() && i < parts.back();
                ASSERT_EQ(result[i], inside ? sum(i) : value(rank, i)) << i;
            }
        });
}

TEST_P(NcclGroupTest, SumsOfDoubles) {
    on_each([this](int rank) {
        const double own = 0.1 * (rank + 1);
        auto* place = static_cast<double*>(device(rank).allocate(sizeof own));
        device(rank).copy_in(place, &own, sizeof own);
        group_->all_reduce(rank, place, 1);
        group_->join(rank);
        double result = 0.0;
        device(rank).copy_out(&result, place, sizeof result);
        EXPECT_NEAR(result, 0.1 * GetParam() * (GetParam() + 1) / 2, 1e-15);
        EXPECT_NO_THROW(group_->check(rank));
        device(rank).release(place);
    });
}

// As processes join: each brings one device, and they come in any order.
TEST_P(NcclGroupTest, JoinsOnePerProcess) {
    const std::vector<std::byte> id = cuda_backend().make_group_id();
    on_each([&](int rank) {
        const auto group = cuda_backend().join_group(
            std::array{&device(rank)}, {.id = id, .ranks = {rank}, .size = GetParam()});
        EXPECT_EQ(group->size(), GetParam());
        const auto r = static_cast<std::size_t>(rank), share = count / 4;
        device::PartBegins parts{0};
        for (int k = 0; k < GetParam(); ++k) parts.push_back(parts.back() + share);
        put(rank);
        group->reduce_scatter(0, data(rank), parts);
        group->join(0);
        const std::vector<float> result = get(rank);
        for (std::size_t i = parts[r]; i < parts[r + 1]; ++i) ASSERT_EQ(result[i], sum(i));
    });
}

// One that does not come is found out, and a failure lets the others go.
TEST_P(NcclGroupTest, EndsWhereARankDoesNotCome) {
    group_->all_reduce(0, data(0), count);
    group_->join(0);
    std::thread other([this] { group_->fail(); });
    EXPECT_NO_THROW(device(0).synchronize());
    other.join();
    try {
        group_->all_reduce(0, data(0), count);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::interrupted);
        EXPECT_EQ(error.where(), "cuda:0");
    }
    EXPECT_THROW(group_->check(0), Error);
}

// A GPU that waits in calls of two groups: the end of one would wait for the other's.
TEST_P(NcclGroupTest, GroupsOfTheSameGpusEndTogether) {
    const std::unique_ptr<device::DeviceGroup> other = group_of_all();
    group_->all_reduce(0, data(0), count);
    other->all_reduce(0, data(0), count);
    device::DeviceGroup* const both[] = {group_.get(), other.get()};
    group_->fail_together(both);
    EXPECT_NO_THROW(device(0).synchronize());
    EXPECT_THROW(group_->check(0), Error);
    EXPECT_THROW(other->check(0), Error);
}

// NCCL frees what it aborts: no call of another thread may come to it then.
TEST_P(NcclGroupTest, CallsBesideAFailureDoNotReachWhatIsFreed) {
    for (int k = 0; k < 100; ++k) {
        const std::unique_ptr<NcclGroup> group = group_of_all();
        std::atomic<bool> begun{false};
        std::thread watching([&] {
            try {
                for (;;) {
                    group->check(0);
                    begun = true;
                }
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ErrorCode::interrupted);
            }
        });
        while (!begun) std::this_thread::yield();
        group->fail();
        watching.join();
    }
}

// What failed to join is no part of what the thread calls next.
TEST_P(NcclGroupTest, JoiningAgainAfterAFailure) {
    std::vector<CudaDevice*> first{dynamic_cast<CudaDevice*>(&device(0))};
    EXPECT_THROW(NcclGroup(nccl_library(), first,
                           {NcclGroup::make_id(nccl_library()), {GetParam()}, GetParam(), {}}),
                 Error);
    for (int rank = 0; rank < GetParam(); ++rank) put(rank);
    const std::unique_ptr<device::DeviceGroup> again = group_of_all();
    for (int rank = 0; rank < GetParam(); ++rank) again->all_reduce(rank, data(rank), count);
    for (int rank = 0; rank < GetParam(); ++rank) {
        again->join(rank);
        EXPECT_EQ(get(rank)[3], sum(3));
    }
}

TEST(NcclLibraryTest, NamesWhatIsMissing) {
    try {
        nccl_from([](const char* name) -> void* {
            return std::string(name) == "ncclReduce" ? nullptr
                                                     : reinterpret_cast<void*>(&ncclGroupStart);
        });
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::unsupported);
        EXPECT_THAT(error.message(), HasSubstr("ncclReduce"));
        EXPECT_FALSE(error.hint().empty());
    }
}

}  // namespace
}  // namespace strata::cuda
