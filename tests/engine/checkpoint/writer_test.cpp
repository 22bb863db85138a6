// Checkpoints written in the background: in order, bounded, told, and kept by rule.
#include "engine/checkpoint/writer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/io/atomic_file.h"
#include "tests/engine/layers/error_of.h"
#include "tests/faults/synthetic_snapshot.h"
#include "tests/support/temporary_directory.h"

namespace strata::checkpoint {
namespace {

namespace fs = std::filesystem;
using faults::synthetic_snapshot;
using strata::testing::content_of;
using strata::testing::error_of;
using strata::testing::put;

constexpr int width = 200, large = 1200;  // 0.5 and 17 MB a file

class WriterTest : public ::testing::Test {
protected:
    std::int64_t update_in(const std::string& name) const {
        return TrainingState::from_json(interop::read_training_state((directory_ / name).string()))
            .update;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& entry : fs::directory_iterator(directory_.path()))
            all.push_back(entry.path().filename().string());
        std::sort(all.begin(), all.end());
        return all;
    }
    std::shared_ptr<Retention> keep(int count) const {
        return std::make_shared<Retention>(
            directory_.path(), NamePattern("c-{update:02d}.h5", {"epoch", "update"}, {}, "name"),
            count);
    }
    static std::string numbered(std::int64_t update) {
        return (update < 10 ? "c-0" : "c-") + std::to_string(update) + ".h5";
    }

    strata::testing::TemporaryDirectory directory_;
    const std::string run_ = directory_.path().string();
};

TEST_F(WriterTest, WritesWhatItWasGivenAndTellsInOrder) {
    Writer writer(run_);
    EXPECT_TRUE(writer.idle());
    writer.submit(synthetic_snapshot(3, width), {{"best.h5", true}, {"last.h5"}});
    writer.flush();
    EXPECT_TRUE(writer.idle());
    const auto written = writer.finished();
    ASSERT_EQ(written.size(), 2U);
    EXPECT_EQ(written[0].path, (directory_ / "best.h5").string());
    EXPECT_TRUE(written[0].best);
    EXPECT_FALSE(written[1].best);
    for (const Written& one : written) {
        EXPECT_FALSE(one.failure);
        EXPECT_EQ(one.update, 3);
        EXPECT_EQ(faults::fault_of(interop::read_keras_h5(one.path), width), "");
    }
    EXPECT_TRUE(writer.finished().empty());
    // The buffers come back whole, to be filled again.
    std::vector<graph::HostTensor> buffers = writer.buffers();
    const Snapshot wanted = synthetic_snapshot(3, width);
    ASSERT_EQ(buffers.size(), wanted.tensors.size());
    for (std::size_t i = 0; i < buffers.size(); ++i)
        EXPECT_EQ(buffers[i].values, wanted.tensors[i].values);
    EXPECT_TRUE(writer.buffers().empty());
}

TEST_F(WriterTest, CommitsFilesBeforeWhatComesLater) {
    Writer writer(run_);
    auto file = std::make_unique<io::AtomicFile>(directory_ / "project");
    file->write(std::string_view("a project"));
    writer.commit(std::move(file));
    auto lost = std::make_unique<io::AtomicFile>(directory_ / "lost");
    lost->latch(Error(ErrorCode::io, "the disk is gone"));
    writer.commit(std::move(lost));
    writer.submit(synthetic_snapshot(3, width), {{"last.h5"}});
    writer.flush();
    EXPECT_EQ(content_of(directory_ / "project"), "a project");
    EXPECT_EQ(names(), (std::vector<std::string>{"last.h5", "project"}));
    const auto written = writer.finished();
    ASSERT_EQ(written.size(), 2U) << "a file that is there needs no word";
    EXPECT_FALSE(written[0].checkpoint);
    ASSERT_TRUE(written[0].failure);
    EXPECT_EQ(written[0].failure->message(), "the disk is gone");
    EXPECT_EQ(written[1].path, (directory_ / "last.h5").string());
    EXPECT_TRUE(written[1].checkpoint);
}

TEST_F(WriterTest, TheNewestOfOneNameWinsAndNoOtherIsLost) {
    {
        Writer writer(run_);
        for (int update = 1; update <= 12; ++update) {
            Snapshot snapshot = synthetic_snapshot(update, large);
            if (update % 4 == 0)
                writer.submit(std::move(snapshot), {{"best.h5", true}, {numbered(update)}});
            else
                writer.submit(std::move(snapshot), {{"last.h5"}});
        }
        writer.flush();
        std::vector<std::string> others;
        std::int64_t before = 0, lasts = 0;
        for (const Written& one : writer.finished()) {
            EXPECT_FALSE(one.failure);
            EXPECT_GE(one.update, before);
            before = one.update;
            const std::string name = fs::path(one.path).filename().string();
            if (name == "last.h5")
                ++lasts;
            else
                others.push_back(name + std::to_string(one.update));
        }
        EXPECT_EQ(others, (std::vector<std::string>{"best.h54", "c-04.h54", "best.h58", "c-08.h58",
                                                    "best.h512", "c-12.h512"}));
        EXPECT_LE(lasts, 9);
        EXPECT_EQ(update_in("last.h5"), 11);
        writer.submit(synthetic_snapshot(13, width), {{"last.h5"}});
    }
    EXPECT_EQ(update_in("last.h5"), 13);  // the end of the writer waits
}

TEST_F(WriterTest, SubmitReturnsWhileAnotherIsWritten) {
    Writer writer(run_);
    Snapshot a = synthetic_snapshot(1, large), b = synthetic_snapshot(2, large);
    writer.submit(std::move(a), {{"a.h5"}});
    writer.submit(std::move(b), {{"b.h5"}});
    EXPECT_FALSE(writer.idle());
    EXPECT_LT(writer.finished().size(), 2U);
    writer.flush();
    EXPECT_EQ(update_in("b.h5"), 2);
}

TEST_F(WriterTest, AFailureIsToldAndTheNextSaveIsWhole) {
    put(directory_ / "file", "x");
    Writer writer(run_);
    writer.submit(synthetic_snapshot(1, width), {{"file/last.h5"}, {"last.h5"}});
    writer.flush();
    const auto written = writer.finished();
    ASSERT_EQ(written.size(), 2U);
    ASSERT_TRUE(written[0].failure);
    EXPECT_NE(std::string(written[0].failure->what()).find("file/last.h5"), std::string::npos);
    EXPECT_FALSE(written[1].failure);
    EXPECT_EQ(update_in("last.h5"), 1);
}

TEST_F(WriterTest, AFullDiskIsToldWithTheBytesNeededAndTheOldFileStays) {
    if (!directory_.limit_to_kib(900)) GTEST_SKIP() << "no tmpfs can be mounted here";
    Writer writer(run_);
    writer.submit(synthetic_snapshot(1, width), {{"last.h5"}});
    writer.submit(synthetic_snapshot(2, width), {{"other.h5"}});
    writer.flush();
    auto written = writer.finished();
    ASSERT_EQ(written.size(), 2U);
    ASSERT_TRUE(written[1].failure);
    EXPECT_NE(written[1].failure->message().find("are needed"), std::string::npos);
    EXPECT_EQ(names(), (std::vector<std::string>{"last.h5"}));
    EXPECT_EQ(faults::fault_of(interop::read_keras_h5((directory_ / "last.h5").string()), width),
              "");
}

TEST_F(WriterTest, TheLastFewOfThePatternStay) {
    put(directory_ / "c-00.h5", "of somebody else");
    {
        Writer writer(run_, keep(2));
        writer.submit(synthetic_snapshot(1, width), {{"best.h5", true}, {"last.h5"}});
        for (int update = 1; update <= 4; ++update)
            writer.submit(synthetic_snapshot(update, width), {{numbered(update), false, true}});
        writer.flush();
        const auto written = writer.finished();
        ASSERT_EQ(written.size(), 6U);
        EXPECT_TRUE(written[3].removed.empty());
        EXPECT_EQ(written[4].removed,
                  (std::vector<std::string>{(directory_ / "c-01.h5").string()}));
    }
    EXPECT_EQ(names(),
              (std::vector<std::string>{"best.h5", "c-00.h5", "c-03.h5", "c-04.h5", "last.h5"}));
    // In another process: a damaged one is neither counted nor removed.
    std::string damaged = content_of(directory_ / "c-03.h5");
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    put(directory_ / "c-03.h5", damaged);
    Writer writer(run_, keep(2));
    for (int update = 5; update <= 6; ++update)
        writer.submit(synthetic_snapshot(update, width), {{numbered(update), false, true}});
    writer.flush();
    EXPECT_EQ(names(), (std::vector<std::string>{"best.h5", "c-00.h5", "c-03.h5", "c-05.h5",
                                                 "c-06.h5", "last.h5"}));
}

TEST_F(WriterTest, AFailedSaveRemovesNothing) {
    Writer writer(run_, keep(1));
    writer.submit(synthetic_snapshot(1, width), {{"c-01.h5", false, true}});
    writer.flush();
    fs::create_directory(directory_ / "c-02.h5");
    writer.submit(synthetic_snapshot(2, width), {{"c-02.h5", false, true}});
    writer.flush();
    EXPECT_TRUE(writer.finished()[1].failure);
    EXPECT_EQ(update_in("c-01.h5"), 1);
}

TEST_F(WriterTest, ResumeTakesTheNewestWholeOneOfAllNames) {
    std::vector<std::string> damaged;
    for (int update = 1; update <= 4; ++update) {
        Snapshot snapshot = synthetic_snapshot(update, width);
        write(snapshot, (directory_ / numbered(update)).string());
    }
    put(directory_ / "notes.h5", "no HDF5");
    put(directory_ / "c-09.h5.tmp.1", "half");
    EXPECT_EQ(newest(run_, &damaged), (directory_ / "c-04.h5").string());
    EXPECT_EQ(damaged, (std::vector<std::string>{(directory_ / "notes.h5").string()}));
    // Of equal ones last.h5.
    Snapshot same = synthetic_snapshot(4, width);
    write(same, (directory_ / "last.h5").string());
    write(same, (directory_ / "z.h5").string());
    EXPECT_EQ(newest(run_), (directory_ / "last.h5").string());
    for (const char* name : {"last.h5", "z.h5", "c-04.h5"}) {
        std::string content = content_of(directory_ / name);
        content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 4);
        put(directory_ / name, content);
    }
    damaged.clear();
    EXPECT_EQ(newest(run_, &damaged), (directory_ / "c-03.h5").string());
    EXPECT_EQ(damaged.size(), 4U);
    // A model without a training state is nothing to go on from, nor is it damaged.
    interop::KerasFile plain = interop::read_keras_h5((directory_ / "c-01.h5").string());
    plain.training_state = Json();
    for (const auto& name : names()) fs::remove(directory_ / name);
    interop::write_keras_h5((directory_ / "plain.h5").string(), plain);
    damaged.clear();
    EXPECT_EQ(newest(run_, &damaged), "");
    EXPECT_TRUE(damaged.empty());
}

}  // namespace
}  // namespace strata::checkpoint
