// Work in a child: its answer, its errors, and its many ways to die.
#include "engine/io/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <vector>

#include "engine/core/error.h"
#include "tests/engine/layers/error_of.h"

namespace strata::io {
namespace {

using strata::testing::error_of;

Error error_in_child(const std::function<void(const Answer&)>& work, ChildLimits limits = {}) {
    return error_of([&] { run_in_child("model.h5", limits, work); });
}

TEST(ChildProcess, AnswersOfAnySizeArrive) {
    EXPECT_TRUE(run_in_child("x", {}, [](const Answer&) {}).empty());
    const std::string part(100'000, 'p');
    const auto answer = run_in_child("x", {}, [&](const Answer& send) {
        for (int i = 0; i < 50; ++i) send(part);
    });
    EXPECT_EQ(answer.size(), 5'000'000U);
    EXPECT_EQ(answer.back(), 'p');
}

TEST(ChildProcess, ErrorsKeepAllTheirParts) {
    const Error error = error_in_child([](const Answer& send) {
        send("half an answer");
        throw Error(ErrorCode::unsupported, "what", "wo ist das", "hint");
    });
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_EQ(error.message(), "what");
    EXPECT_EQ(error.where(), "wo ist das");
    EXPECT_EQ(error.hint(), "hint");
}

TEST(ChildProcess, DeathOfAnyKindIsADamagedFile) {
    for (const int number : {SIGSEGV, SIGABRT, SIGKILL, SIGBUS}) {
        const Error error = error_in_child([number](const Answer& send) {
            send("WWWW");  // what looks like a good end within the answer counts for nothing
            ::signal(number, SIG_DFL);
            ::raise(number);
        });
        // The last byte sent was 'W': only a child that ended by itself may say so.
        EXPECT_EQ(error.code(), ErrorCode::format) << number;
        EXPECT_EQ(error.where(), "model.h5");
    }
    EXPECT_EQ(error_in_child([](const Answer&) { throw std::runtime_error("x"); }).code(),
              ErrorCode::format);
}

TEST(ChildProcess, HangingAndEndlessAnswersAreEnded) {
    ChildLimits limits;
    limits.silent_seconds = 1;
    EXPECT_EQ(error_in_child([](const Answer&) { ::sleep(100); }, limits).code(),
              ErrorCode::format);
    limits.answer_bytes = 1 << 20;
    EXPECT_EQ(error_in_child(
                  [](const Answer& send) {
                      for (;;) send(std::string(1000, 'x'));
                  },
                  limits)
                  .code(),
              ErrorCode::format);
}

TEST(ChildProcess, MemoryIsLimited) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers reserve more addresses than a limit allows";
#endif
    ChildLimits limits;
    limits.memory_bytes = 64 << 20;
    const Error error = error_in_child(
        [](const Answer& send) {
            const std::vector<char> many(std::size_t{1} << 30, 'x');
            send({many.data(), 10});
        },
        limits);
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
}

}  // namespace
}  // namespace strata::io
