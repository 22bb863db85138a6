// Names that the program gives to directories.
#include "engine/io/paths.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

using strata::testing::TemporaryDirectory;

TEST(Paths, BaseDirectoriesFollowTheXdgRules) {
    setenv("HOME", "/home/somebody", 1);
    setenv("XDG_CONFIG_HOME", "/elsewhere", 1);
    setenv("XDG_CACHE_HOME", "relative/counts/as/unset", 1);
    unsetenv("XDG_DATA_HOME");
    EXPECT_EQ(config_directory(), "/elsewhere/strata-studio");
    EXPECT_EQ(cache_directory(), "/home/somebody/.cache/strata-studio");
    EXPECT_EQ(data_directory(), "/home/somebody/.local/share/strata-studio");
}

TEST(Paths, SafeNamesKeepUnicodeAndLoseWhatShellsRead) {
    EXPECT_EQ(safe_file_name("Fashion MNIST / classic"), "Fashion-MNIST-classic");
    EXPECT_EQ(safe_file_name("মডেল 日本 🙂"), "মডেল-日本-🙂");
    EXPECT_EQ(safe_file_name("../../etc/passwd"), "etc-passwd");
    EXPECT_EQ(safe_file_name("-rf $(x)"), "rf-x");
    EXPECT_EQ(safe_file_name("a\xff\xc3"), "a");
    EXPECT_EQ(safe_file_name("..."), "run");
    EXPECT_EQ(safe_file_name(""), "run");
    std::string many;
    for (int i = 0; i < 100; ++i) many += "日";
    EXPECT_EQ(safe_file_name(many).size(), 120U);
}

TEST(Paths, TwoCallersNeverGetTheSameRunDirectory) {
    const TemporaryDirectory directory;
    const auto now = std::chrono::system_clock::now();
    std::vector<std::filesystem::path> made(8);
    std::vector<std::thread> threads;
    for (auto& path : made)
        threads.emplace_back(
            [&] { path = create_run_directory(directory / "runs", "my run", now); });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(std::set<std::filesystem::path>(made.begin(), made.end()).size(), 8U);
    for (const auto& path : made) {
        EXPECT_TRUE(std::filesystem::is_directory(path));
        EXPECT_EQ(path.filename().string().find("-my-run"), 15U);
    }
}

}  // namespace
}  // namespace strata::io
