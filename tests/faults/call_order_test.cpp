// The calls by which a checkpoint reaches the disk, in their order, and what happens when one
// fails: seen by a library that is preloaded into the program.
#include <gtest/gtest.h>

#include <cerrno>
#include <sstream>

#include "tests/faults/loop_process.h"
#include "tests/faults/synthetic_snapshot.h"
#include "tests/support/temporary_directory.h"

namespace strata::faults {
namespace {

using strata::testing::content_of;

constexpr int width = 200;

class CallOrder : public ::testing::Test {
protected:
    void SetUp() override {
        if (std::string(STRATA_SANITIZED) == "yes")
            GTEST_SKIP() << "a sanitizer wants to be the first library that is loaded";
    }

    LoopProcess::Environment environment(const std::string& fault = {}) const {
        return {{"LD_PRELOAD", STRATA_FILE_CALLS},
                {"STRATA_FAULT_DIRECTORY", directory_.path().string() + "/"},
                {"STRATA_FAULT_LOG", log_},
                {"STRATA_FAULT", fault}};
    }

    // The kinds of the calls, each row of equal ones once; "write T" is one to the temporary.
    std::vector<std::string> calls() const {
        std::vector<std::string> all;
        std::istringstream text(content_of(log_));
        for (std::string line; std::getline(text, line);) {
            const std::string kind = line.substr(0, line.find(' ')) +
                                     (line.find(".tmp.") != std::string::npos ? " T" : "");
            if (all.empty() || all.back() != kind) all.push_back(kind);
        }
        return all;
    }

    long long newest_update() const {
        const std::string path = checkpoint::newest(directory_.path().string());
        if (path.empty()) return 0;
        const interop::KerasFile file = interop::read_keras_h5(path);
        EXPECT_EQ(fault_of(file, width), "");
        return checkpoint::TrainingState::from_json(file.training_state).update;
    }

    strata::testing::TemporaryDirectory directory_, other_;
    const std::string log_ = (other_ / "log").string();
};

TEST_F(CallOrder, WriteSyncRenameSyncTheDirectory) {
    LoopProcess process(directory_.path().string(), width, 1, environment());
    ASSERT_EQ(process.wait(), 0);
    // The directory's own path ends without the name of a file.
    EXPECT_EQ(calls(), (std::vector<std::string>{"write T", "fsync T", "rename"}));
    EXPECT_EQ(newest_update(), 1);
}

TEST_F(CallOrder, TheDirectoryIsSyncedAfterTheRename) {
    LoopProcess::Environment whole = environment();
    whole[1].second = directory_.path().string();
    LoopProcess process(directory_.path().string(), width, 1, whole);
    ASSERT_EQ(process.wait(), 0);
    EXPECT_EQ(calls(),
              (std::vector<std::string>{"write T", "fsync T", "rename", "fsync_directory"}));
}

struct Fault {
    const char* call;
    int number, code;
};

class Failing : public CallOrder, public ::testing::WithParamInterface<Fault> {};

// The first is written, the second meets the fault, the third is written anew by the same process.
TEST_P(Failing, KeepsTheOldFileAndTheNextSaveIsWhole) {
    {
        LoopProcess first(directory_.path().string(), width, 1);
        ASSERT_EQ(first.wait(), 0);
    }
    const std::string old = content_of(directory_ / "last.h5");
    const Fault& fault = GetParam();
    const std::string text = std::string(fault.call) + " " + std::to_string(fault.number) + " " +
                             std::to_string(fault.code);
    {
        LoopProcess second(directory_.path().string(), width, 1, environment(text));
        ASSERT_EQ(second.wait(), 0) << "the program did not survive";
        ASSERT_EQ(second.lines().size(), 2U);
        EXPECT_TRUE(second.lines()[1].starts_with("failed 2 ")) << second.lines()[1];
        EXPECT_NE(second.lines()[1].find(std::generic_category().message(fault.code)),
                  std::string::npos)
            << second.lines()[1];
    }
    EXPECT_EQ(content_of(directory_ / "last.h5"), old);
    EXPECT_EQ(strata::testing::files_in(directory_.path()), 1U) << "a temporary is left";
    int syncs = 0;
    for (const std::string& call : calls()) syncs += call == "fsync T" ? 1 : 0;
    EXPECT_LE(syncs, 1) << "an fsync was repeated";
    LoopProcess third(directory_.path().string(), width, 2, environment(text));
    ASSERT_EQ(third.wait(), 0);
    ASSERT_EQ(third.lines().size(), 3U);
    EXPECT_TRUE(third.lines()[1].starts_with("failed 2 "));
    EXPECT_TRUE(third.lines()[2].starts_with("written 3 "));
    EXPECT_EQ(newest_update(), 3);
}

INSTANTIATE_TEST_SUITE_P(Calls, Failing,
                         ::testing::Values(Fault{"fsync", 1, EIO}, Fault{"fsync", 1, ENOSPC},
                                           Fault{"write", 1, ENOSPC}, Fault{"write", 2, EIO},
                                           Fault{"write", 5, ENOSPC}, Fault{"rename", 1, EIO}),
                         [](const auto& test) {
                             return std::string(test.param.call) +
                                    std::to_string(test.param.number) +
                                    (test.param.code == EIO ? "_EIO" : "_ENOSPC");
                         });

}  // namespace
}  // namespace strata::faults
