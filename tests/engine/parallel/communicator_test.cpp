// Sums and messages between ranks, and what they say where one of them fails or does not come.
#include "engine/parallel/communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/parallel/local_group.h"

namespace strata::parallel {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::chrono::milliseconds short_deadline{300};

// Runs body on a thread for each rank; the messages of those that threw.
std::vector<std::string> on_all(LocalGroup& group, const std::function<void(Communicator&)>& body) {
    std::vector<std::string> messages(static_cast<std::size_t>(group.size()));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < group.size(); ++rank)
        threads.emplace_back([&, rank] {
            try {
                body(group.rank(rank));
            } catch (const Error& error) {
                messages[static_cast<std::size_t>(rank)] = error.message();
            }
        });
    for (std::thread& thread : threads) thread.join();
    return messages;
}

void expect_no_errors(LocalGroup& group, const std::function<void(Communicator&)>& body) {
    EXPECT_THAT(on_all(group, body), Each(""));
}

TEST(Share, CoversAllOnce) {
    for (std::size_t elements : {0u, 1u, 15u, 16u, 17u, 100u, 4096u, 100003u})
        for (int size : {1, 2, 3, 4, 7}) {
            std::size_t next = 0;
            for (int rank = 0; rank < size; ++rank) {
                const Share share = share_of(elements, rank, size);
                EXPECT_EQ(share.begin, next);
                EXPECT_GE(share.end, share.begin);
                EXPECT_TRUE(share.begin % 16 == 0 || share.size() == 0);
                next = share.end;
            }
            EXPECT_EQ(next, elements);
        }
}

TEST(LocalGroup, SumsOverTheRanks) {
    for (int size : {1, 2, 3, 4})
        for (std::size_t elements : {1u, 5u, 64u, 5000u}) {
            LocalGroup group(size);
            expect_no_errors(group, [&](Communicator& c) {
                std::vector<float> data(elements);
                for (int round = 0; round < 3; ++round) {
                    for (std::size_t i = 0; i < elements; ++i)
                        data[i] = static_cast<float>(i % 7) + static_cast<float>(c.rank());
                    c.all_reduce(std::span(data));
                    const auto ranks = static_cast<float>(size * (size - 1) / 2);
                    for (std::size_t i = 0; i < elements; ++i)
                        ASSERT_EQ(data[i],
                                  static_cast<float>(size) * static_cast<float>(i % 7) + ranks);
                }
            });
        }
}

// A float sum depends on its order: all ranks must have taken the same one.
TEST(LocalGroup, GivesAllRanksTheSameBits) {
    LocalGroup group(3);
    std::vector<std::vector<float>> results(3);
    expect_no_errors(group, [&](Communicator& c) {
        std::vector<float> data(1000);
        for (std::size_t i = 0; i < data.size(); ++i)
            data[i] = std::sin(static_cast<float>(i) * 0.37f + static_cast<float>(c.rank())) *
                      std::pow(10.0f, static_cast<float>(i % 9));
        c.all_reduce(std::span(data));
        results[static_cast<std::size_t>(c.rank())] = data;
    });
    EXPECT_EQ(std::memcmp(results[0].data(), results[1].data(), 4000), 0);
    EXPECT_EQ(std::memcmp(results[0].data(), results[2].data(), 4000), 0);
}

TEST(LocalGroup, ReducesAndGathersShares) {
    LocalGroup group(3);
    expect_no_errors(group, [](Communicator& c) {
        std::vector<float> data(100);
        for (std::size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<float>(i) * static_cast<float>(c.rank() + 1);
        c.reduce_scatter(data);
        const Share mine = share_of(data.size(), c.rank(), c.size());
        for (std::size_t i = mine.begin; i < mine.end; ++i)
            ASSERT_EQ(data[i], 6.0f * static_cast<float>(i));
        for (std::size_t i = 0; i < data.size(); ++i)
            if (i < mine.begin || i >= mine.end) data[i] = -1.0f;
        c.all_gather(data);
        for (std::size_t i = 0; i < data.size(); ++i)
            ASSERT_EQ(data[i], 6.0f * static_cast<float>(i));
    });
}

TEST(LocalGroup, TakesTheLargestAndNaNAboveAll) {
    LocalGroup group(3);
    expect_no_errors(group, [](Communicator& c) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        std::vector<double> data{static_cast<double>(c.rank()), -static_cast<double>(c.rank()),
                                 c.rank() == 1 ? nan : 5.0, c.rank() == 2 ? HUGE_VAL : 0.0};
        c.all_reduce_max(data);
        ASSERT_EQ(data[0], 2.0);
        ASSERT_EQ(data[1], 0.0);
        ASSERT_TRUE(std::isnan(data[2]));
        ASSERT_EQ(data[3], HUGE_VAL);
    });
}

TEST(LocalGroup, Broadcasts) {
    LocalGroup group(4);
    expect_no_errors(group, [](Communicator& c) {
        int word = c.rank() == 2 ? 77 : 0;
        c.broadcast(std::as_writable_bytes(std::span(&word, 1)), 2);
        ASSERT_EQ(word, 77);
    });
}

TEST(LocalGroup, MeetsManyTimesWithoutLosingAnyone) {
    LocalGroup group(4);
    std::atomic<int> inside{0};
    expect_no_errors(group, [&](Communicator& c) {
        for (int i = 0; i < 3000; ++i) {
            ++inside;
            if (i % 500 == 0 && c.rank() == i / 500 % 4)
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            c.barrier();
            ASSERT_EQ(inside % 4, 0) << "somebody went on alone";
            c.barrier();
        }
    });
}

TEST(LocalGroup, NamesTheRankThatDoesNotCome) {
    LocalGroup group(4, short_deadline);
    const auto messages = on_all(group, [](Communicator& c) {
        if (c.rank() == 2) return;
        std::vector<float> data(10);
        c.all_reduce(std::span(data));
    });
    EXPECT_THAT(messages, ElementsAre(HasSubstr("rank 2 did not come within 0.3 s"),
                                      HasSubstr("rank 2 did"), "", HasSubstr("rank 2 did")));
}

// Rank 0 waits while the process is stopped for longer than the deadline, by Ctrl-Z for example;
// rank 1 comes a while after it goes on. What a child process ends with: 0, where it ends well.
int wait_through_a_stop(int ready) {
    using Clock = std::chrono::steady_clock;
    LocalGroup group(2, short_deadline);
    const auto messages = on_all(group, [ready](Communicator& c) {
        if (c.rank() == 0) {
            if (::write(ready, "!", 1) != 1) return;
        } else {
            constexpr std::chrono::milliseconds moment{5};
            auto last = Clock::now();
            for (bool stopped = false; !stopped;) {
                std::this_thread::sleep_for(moment);
                const auto now = Clock::now();
                stopped = now - std::exchange(last, now) > 2 * short_deadline;
            }
            std::this_thread::sleep_for(short_deadline / 6);
        }
        c.barrier();
    });
    return messages[0].empty() && messages[1].empty() ? 0 : 1;
}

TEST(LocalGroup, TheTimeInWhichTheProcessStandsStillDoesNotCount) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) std::_Exit(wait_through_a_stop(ready[1]));
    ::close(ready[1]);  // so that a child that ends early is not waited for
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    std::this_thread::sleep_for(short_deadline / 6);
    ASSERT_EQ(::kill(child, SIGSTOP), 0);
    std::this_thread::sleep_for(4 * short_deadline);
    ASSERT_EQ(::kill(child, SIGCONT), 0);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    ::close(ready[0]);
}

// 100 times, at another moment each: the others end at once, and know why.
TEST(LocalGroup, EndsAllWhereOneFails) {
    for (int i = 0; i < 100; ++i) {
        LocalGroup group(3);
        const auto messages = on_all(group, [i](Communicator& c) {
            std::vector<float> data(64);
            for (int step = 0;; ++step) {
                if (c.rank() == 1 && step == i) return c.fail("out of memory");
                c.all_reduce(std::span(data));
            }
        });
        EXPECT_THAT(messages[0], HasSubstr("rank 1 has ended: out of memory"));
        EXPECT_EQ(messages[2], messages[0]);
    }
}

// Without a call that the others make.
TEST(LocalGroup, ChecksForWhatHasFailed) {
    LocalGroup group(2);
    Communicator& own = group.rank(0);
    EXPECT_NO_THROW(own.check());
    group.rank(1).fail("out of memory");
    for (Communicator* line : {&own, &own.line(1)}) try {
            line->check();
            ADD_FAILURE() << "no fault";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::interrupted);
            EXPECT_EQ(error.message(), "rank 1 has ended: out of memory");
        }
}

}  // namespace
}  // namespace strata::parallel
