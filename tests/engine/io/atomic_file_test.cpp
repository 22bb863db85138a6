// A file appears whole or not at all: failures, full disks, kills, stale temporaries.
#include "engine/io/atomic_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

using strata::testing::content_of;
using strata::testing::error_of;
using strata::testing::files_in;
using strata::testing::put;
using strata::testing::TemporaryDirectory;

TEST(AtomicFile, ReplacesOnlyAtCommit) {
    const TemporaryDirectory directory;
    const auto target = directory / "Überraschung 日本.txt";
    put(target, "old");
    {
        AtomicFile file(target);
        file.write("new, never committed");
        EXPECT_EQ(content_of(target), "old");
        EXPECT_EQ(error_of([&] { AtomicFile second(target); }).code(), ErrorCode::io);
    }
    EXPECT_EQ(content_of(target), "old");
    EXPECT_EQ(files_in(directory.path()), 1U);
    AtomicFile file(target);
    file.write("new");
    std::string seen;
    file.commit([&](const auto& temporary) { seen = content_of(temporary); });
    EXPECT_EQ(seen, "new");
    EXPECT_EQ(content_of(target), "new");
    EXPECT_EQ(files_in(directory.path()), 1U);
}

TEST(AtomicFile, ANewFileMayAppearBeforeItIsCommitted) {
    const strata::testing::TemporaryDirectory dir;
    {
        AtomicFile file(dir / "new");
        file.write(std::string_view("first"));
        file.show();
        EXPECT_EQ(content_of(dir / "new"), "first");
        EXPECT_FALSE(std::filesystem::exists(file.temporary_path()));
        file.commit();
    }
    EXPECT_EQ(content_of(dir / "new"), "first");
    {
        AtomicFile file(dir / "new");
        file.write(std::string_view("second"));
        file.show();
        EXPECT_EQ(content_of(dir / "new"), "first")
            << "an old file stays until the new one is safe";
        file.commit();
    }
    EXPECT_EQ(content_of(dir / "new"), "second");
    AtomicFile(dir / "shown").show();
    EXPECT_TRUE(std::filesystem::exists(dir / "shown")) << "it was there for all to see";
}

TEST(AtomicFile, AFailedCheckOrALatchedErrorKeepsTheOldFile) {
    const TemporaryDirectory directory;
    const auto target = directory / "a";
    put(target, "old");
    {
        AtomicFile file(target);
        file.write("new");
        const Error error = error_of([&] {
            file.commit([](const auto&) { throw Error(ErrorCode::format, "not what was meant"); });
        });
        EXPECT_EQ(error.message(), "not what was meant");
    }
    {
        AtomicFile file(target);
        file.write("new");
        file.latch(Error(ErrorCode::io, "first"));
        file.latch(Error(ErrorCode::io, "second"));
        EXPECT_EQ(error_of([&] { file.commit(); }).message(), "first");
    }
    EXPECT_EQ(content_of(target), "old");
    EXPECT_EQ(files_in(directory.path()), 1U);
}

TEST(AtomicFile, AFullDiskSaysHowMuchIsNeededAndKeepsTheOldFile) {
    TemporaryDirectory directory;
    if (!directory.limit_to_kib(64)) GTEST_SKIP() << "no tmpfs can be mounted here";
    const auto target = directory / "a";
    put(target, "old");
    const Error before = error_of([&] { AtomicFile file(target, 100 << 10); });
    EXPECT_NE(before.message().find("120.0 KiB are needed"), std::string::npos) << before.what();
    {
        AtomicFile file(target);
        const std::string part(16 << 10, 'x');
        const Error error = error_of([&] {
            for (int i = 0; i < 8; ++i) file.write(part);
        });
        EXPECT_EQ(error.code(), ErrorCode::io);
        EXPECT_NE(error.message().find("No space left"), std::string::npos) << error.what();
        EXPECT_NE(error.message().find("are needed"), std::string::npos) << error.what();
        EXPECT_EQ(error_of([&] { file.commit(); }).code(), ErrorCode::io);
    }
    EXPECT_EQ(content_of(target), "old");
    EXPECT_EQ(files_in(directory.path()), 1U);
    write_file(target, std::string_view("there is room again"));
    EXPECT_EQ(content_of(target), "there is room again");
}

TEST(AtomicFile, AKilledWriterLeavesTheOldOrTheNewFile) {
    const TemporaryDirectory directory;
    const auto target = directory / "a";
    put(target, std::string(100'000, 'o'));
    for (int round = 0; round < 30; ++round) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            for (;;) write_file(target, std::string_view(std::string(100'000, 'n')));
        }
        usleep(static_cast<useconds_t>(200 + 137 * round));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        const std::string content = content_of(target);
        EXPECT_TRUE(content == std::string(100'000, 'o') || content == std::string(100'000, 'n'));
    }
    sweep_stale(directory.path());
    EXPECT_EQ(files_in(directory.path()), 1U);
}

TEST(AtomicFile, SweepsTemporariesOfProcessesThatAreGone) {
    const TemporaryDirectory directory;
    const pid_t gone = fork();
    ASSERT_GE(gone, 0);
    if (gone == 0) _exit(0);
    waitpid(gone, nullptr, 0);
    put(directory / ("last.h5.tmp." + std::to_string(gone)), "stale");
    put(directory / ("mine.h5.tmp." + std::to_string(getpid())), "of an earlier process");
    put(directory / ("other.h5.tmp." + std::to_string(getppid())), "alive");
    put(directory / "last.h5", "whole");
    AtomicFile active(directory / "active");
    active.write("x");
    EXPECT_EQ(sweep_stale(directory.path()), 2);
    EXPECT_EQ(files_in(directory.path()), 3U);
    EXPECT_EQ(sweep_stale(directory / "absent"), 0);
}

TEST(AtomicFile, AReadOnlyPlaceIsFoundBeforeTheFirstStep) {
    TemporaryDirectory directory;
    require_writable_directory(directory / "runs/deep");
    EXPECT_EQ(files_in(directory / "runs/deep"), 0U);
    if (!directory.limit_to_kib(64)) GTEST_SKIP() << "no tmpfs can be mounted here";
    ASSERT_EQ(mount("tmpfs", directory.path().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr),
              0);
    const Error error = error_of([&] { require_writable_directory(directory.path()); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(error.message().find("no file can be written here"), std::string::npos);
    EXPECT_NE(error.hint().find("read-only"), std::string::npos);
}

}  // namespace
}  // namespace strata::io
