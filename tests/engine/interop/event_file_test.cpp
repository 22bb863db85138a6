// The run's log: bytes of TensorBoard's format, cuts, resumes, growth, other writers' records.
#include "engine/interop/event_file.h"

#include <gtest/gtest.h>

#include "engine/interop/run_log_reader.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::interop {
namespace {

using strata::testing::content_of;
using strata::testing::error_of;
using strata::testing::files_in;
using strata::testing::from_hex;
using strata::testing::put;
using strata::testing::TemporaryDirectory;

std::string record(const std::string& event) {
    std::string out;
    append_record(out, event);
    return out;
}

TEST(EventFile, ChecksumsAndRecordsAreTensorBoards) {
    EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
    EXPECT_EQ(masked_crc32c("123456789"), 0xC78AB0E5U);
    EXPECT_EQ(
        record(encode_file_version(1.0)),
        from_hex("1800000000000000a37f4b2209000000000000f03f1a0d627261696e2e4576656e743a3286bf"
                 "577a"));
    EXPECT_EQ(
        record(encode_scalar(2.0, 3, "loss", 0.5F)),
        from_hex("1a00000000000000129bd82d09000000000000004010032a0d0a0b0a046c6f7373150000003f"
                 "bac36b94"));
}

TEST(EventFile, WhatIsWrittenIsReadWhileItGrows) {
    const TemporaryDirectory directory;
    RunLogReader reader(directory / "log");
    std::size_t told = 0;
    const LogVisitor visitor{[&](std::string_view, std::int64_t, float, double) { ++told; }, {}};
    EXPECT_EQ(reader.poll(visitor), 0U);
    EventFile file(directory / "log");
    for (int step = 1; step <= 1000; ++step)
        file.scalar("loss", step, 1.0F / static_cast<float>(step), 100.0 + step);
    file.flush();
    EXPECT_EQ(reader.poll(visitor), 1000U);
    file.scalar("val_loss", 1000, 0.25F);
    file.flush();
    EXPECT_EQ(reader.poll(visitor), 1U);
    EXPECT_EQ(told, 1001U);
    const RunLog log = read_run_log(directory / "log");
    ASSERT_EQ(log.size(), 2U);
    EXPECT_EQ(log.at("loss").steps[499], 500);
    EXPECT_EQ(log.at("loss").values[499], 0.002F);
    EXPECT_EQ(log.at("loss").wall_times[499], 600.0);
    EXPECT_EQ(log.at("val_loss").values, std::vector<float>{0.25F});
}

TEST(EventFile, CutAtAnyByteTheCompleteRecordsAreRead) {
    const TemporaryDirectory directory;
    const std::string first = record(encode_file_version(1.0));
    std::string whole = first;
    std::vector<std::size_t> ends;
    for (int step = 1; step <= 5; ++step) {
        whole += record(encode_scalar(step, step, "loss", static_cast<float>(step)));
        ends.push_back(whole.size());
    }
    for (std::size_t n = 0; n <= whole.size(); ++n) {
        put(directory / "events.out.tfevents.0000000001.h.1.0", whole.substr(0, n));
        std::size_t complete = 0;
        for (const std::size_t end : ends) complete += end <= n ? 1 : 0;
        const RunLog log = read_run_log(directory.path());
        const auto found = log.find("loss");
        EXPECT_EQ(found == log.end() ? 0 : found->second.steps.size(), complete) << n;
    }
}

TEST(EventFile, AResumeDropsTheOverlapAlsoAfterACut) {
    const TemporaryDirectory directory;
    {
        EventFile file(directory.path());
        for (int step = 1; step <= 10; ++step) file.scalar("loss", step, 1.0F);
    }
    const auto first = std::filesystem::directory_iterator(directory.path())->path();
    const std::string content = content_of(first);
    put(first, content.substr(0, content.size() - 3));  // the tenth record is cut
    EventFile resumed(directory.path(), 8);
    EXPECT_LT(first, resumed.path());
    for (int step = 8; step <= 12; ++step) resumed.scalar("loss", step, 2.0F);
    resumed.flush();
    const Series loss = read_run_log(directory.path()).at("loss");
    EXPECT_EQ(loss.steps, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    EXPECT_EQ(loss.values[6], 1.0F);
    EXPECT_EQ(loss.values[7], 2.0F);
    // The first process was not dead after all: what it still writes is superseded.
    put(first, content + record(encode_scalar(1.0, 11, "loss", 9.0F)) +
                   record(encode_scalar(1.0, 7, "late", 9.0F)));
    const RunLog log = read_run_log(directory.path());
    EXPECT_EQ(log.at("loss").values.back(), 2.0F);
    EXPECT_EQ(log.at("loss").steps.size(), 12U);
    EXPECT_EQ(log.at("late").steps.size(), 1U);
}

TEST(EventFile, AFlippedByteEndsTheReadingWithAWarning) {
    const TemporaryDirectory directory;
    const std::string good = record(encode_scalar(1.0, 1, "loss", 1.0F));
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 4);
        put(directory / "events.out.tfevents.1", good + bad + good);
        RunLogReader reader(directory.path());
        EXPECT_EQ(reader.poll({}), 1U) << i;
        ASSERT_EQ(reader.warnings().size(), 1U) << i;
        EXPECT_NE(reader.warnings()[0].find("byte " + std::to_string(good.size())),
                  std::string::npos);
    }
}

TEST(EventFile, UnderstandsTensorsOfRankZeroAndSkipsTheRest) {
    const TemporaryDirectory directory;
    // Summary.Value { tag "loss", tensor { dtype 1, tensor_shape {}, float_val / tensor_content } }
    const std::string tail = std::string("\x08\x01\x12\x00", 4);
    const std::string packed = "\x0a\x04loss\x42\x0a" + tail + from_hex("2a040000003f");
    const std::string content = "\x0a\x04loss\x42\x0a" + tail + from_hex("22040000803e");
    const std::string image = "\x0a\x04show\x22\x02" + from_hex("0801");
    std::string file;
    int step = 0;
    for (const std::string& value : {packed, content, image}) {
        std::string event = from_hex("0900000000000000401003");
        event.back() = static_cast<char>(++step);
        event += "\x2a" + std::string(1, static_cast<char>(value.size() + 2)) + "\x0a" +
                 std::string(1, static_cast<char>(value.size())) + value;
        append_record(file, event);
    }
    append_record(file, "\xff\xff\xff no message at all");
    put(directory / "events.out.tfevents.1", file);
    const RunLog log = read_run_log(directory.path());
    ASSERT_EQ(log.size(), 1U);
    EXPECT_EQ(log.at("loss").values, (std::vector<float>{0.5F, 0.25F}));
}

TEST(EventFile, AFullDiskIsToldOnceAndNothingIsLost) {
    TemporaryDirectory directory;
    if (!directory.limit_to_kib(64)) GTEST_SKIP() << "no tmpfs can be mounted here";
    put(directory / "ballast", std::string(40 << 10, 'x'));
    EventFile file(directory.path(), std::nullopt, {1024, std::chrono::milliseconds(0)});
    int told = 0;
    for (int step = 1; step <= 2000; ++step) {
        try {
            file.scalar("loss", step, 1.0F);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::io);
            ++told;
        }
    }
    EXPECT_EQ(told, 1);
    EXPECT_EQ(error_of([&] { file.flush(); }).code(), ErrorCode::io);
    std::filesystem::remove(directory / "ballast");
    RunLogReader reader(directory.path());
    std::size_t before = reader.poll({});
    EXPECT_GT(before, 100U);
    EXPECT_LT(before, 2000U);
    // 64 KiB do not hold 2000 records; those that fit are in order and unbroken.
    EXPECT_THROW(file.flush(), Error);
    before += reader.poll({});
    EXPECT_TRUE(reader.warnings().empty());
    EXPECT_GT(before, 1000U);
}

}  // namespace
}  // namespace strata::interop
