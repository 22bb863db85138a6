// Ranks that are processes: run by mpirun with any number of them. Every rank makes the others'
// data itself and expects, bit for bit, the sums that threads of one process would have.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "engine/parallel/launcher.h"

namespace strata::parallel {
namespace {

ProcessGroup* group = nullptr;  // null: one process, without a group

template <typename T>
std::vector<T> data_of(int rank, std::size_t n) {
    std::vector<T> data(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto words = random::draw(7, static_cast<std::uint32_t>(rank), 1, i);
        data[i] = static_cast<T>(random::uniform(words[0]) - 0.5F) *
                  static_cast<T>(words[1] % 7 == 0 ? 1e6 : 1.0);
    }
    return data;
}

template <typename T>
std::vector<T> sum_of_all(std::size_t n) {
    std::vector<T> sum = data_of<T>(0, n);
    for (int r = 1; r < group->size(); ++r) {
        const std::vector<T> other = data_of<T>(r, n);
        for (std::size_t i = 0; i < n; ++i) sum[i] += other[i];
    }
    return sum;
}

const std::vector<std::size_t> sizes{1, 2, 15, 16, 17, 511, 1024, 1025, 70'000, 300'007, 1'000'000};

class MpiGroupTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (group == nullptr) GTEST_SKIP() << "one process has no group";
    }
};

TEST_F(MpiGroupTest, SumsInTheOrderOfTheRanks) {
    for (std::size_t n : sizes) {
        std::vector<float> data = data_of<float>(group->rank(), n);
        group->all_reduce(std::span(data));
        ASSERT_EQ(data, sum_of_all<float>(n)) << n;
        std::vector<double> wide = data_of<double>(group->rank(), n);
        group->all_reduce(std::span(wide));
        ASSERT_EQ(wide, sum_of_all<double>(n)) << n;
    }
}

TEST_F(MpiGroupTest, LargestWithNaNAboveAll) {
    std::vector<double> data{
        -1.0 * group->rank(), 1.0 * group->rank(),
        group->rank() == group->size() - 1 ? std::numeric_limits<double>::quiet_NaN() : 5.0};
    group->all_reduce_max(data);
    EXPECT_EQ(data[0], 0.0);
    EXPECT_EQ(data[1], group->size() - 1);
    EXPECT_TRUE(std::isnan(data[2]));
}

TEST_F(MpiGroupTest, ScattersAndGathersShares) {
    for (std::size_t n : sizes) {
        std::vector<float> data = data_of<float>(group->rank(), n);
        const std::vector<float> sum = sum_of_all<float>(n);
        group->reduce_scatter(data);
        const Share own = share_of(n, group->rank(), group->size());
        for (std::size_t i = own.begin; i < own.end; ++i) ASSERT_EQ(data[i], sum[i]) << n;
        group->all_gather(data);
        ASSERT_EQ(data, sum) << n;
    }
}

TEST_F(MpiGroupTest, BroadcastsFromEachRank) {
    for (int root = 0; root < group->size(); ++root)
        for (std::size_t n : sizes) {
            std::vector<float> data = data_of<float>(group->rank(), n);
            group->broadcast(std::as_writable_bytes(std::span(data)), root);
            ASSERT_EQ(data, data_of<float>(root, n)) << n << " from " << root;
        }
}

TEST_F(MpiGroupTest, WorksOnAnotherThread) {
    std::vector<float> data = data_of<float>(group->rank(), 5000);
    std::thread([&] { group->all_reduce(std::span(data)); }).join();
    EXPECT_EQ(data, sum_of_all<float>(5000));
    group->barrier();
    EXPECT_NO_THROW(group->check());
}

// Each line's calls have their own order: on every rank another thread is ahead.
TEST_F(MpiGroupTest, LinesWorkSideBySide) {
    constexpr int lines = 3, rounds = 40;
    std::vector<std::thread> threads;
    for (int number = 0; number < lines; ++number)
        threads.emplace_back([number] {
            Communicator& line = number == 0 ? *group : group->line(number);
            for (int round = 0; round < rounds; ++round) {
                const auto n = sizes[static_cast<std::size_t>(number + round) % 9];
                if ((group->rank() + number + round) % 3 == 0) std::this_thread::yield();
                std::vector<double> data = data_of<double>(line.rank(), n);
                line.all_reduce(data);
                EXPECT_EQ(data, sum_of_all<double>(n)) << number << ", " << round;
                std::vector<float> shares = data_of<float>(line.rank(), n);
                line.reduce_scatter(shares);
                line.all_gather(shares);
                EXPECT_EQ(shares, sum_of_all<float>(n)) << number << ", " << round;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(&group->line(1), &group->line(1).line(1));
    group->barrier();
}

TEST_F(MpiGroupTest, KnowsWhereTheRanksAre) {
    EXPECT_EQ(group->ranks_on_this_host(), group->size());
    EXPECT_FALSE(group->host(0).empty());
}

}  // namespace
}  // namespace strata::parallel

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    const auto joined = strata::parallel::join_processes(std::chrono::seconds(30));
    strata::parallel::group = joined.get();
    const char* count = std::getenv("OMPI_COMM_WORLD_SIZE");
    const int ranks = joined ? joined->size() : 1;
    if (count == nullptr || std::atoi(count) != ranks) return 1;
    const int failed = RUN_ALL_TESTS();
    if (joined) joined->close();
    return failed;
}
