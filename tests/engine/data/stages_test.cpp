// The stages cache and map, threads and autotuning: what comes out never depends on them.
#include "engine/data/stages.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>

#include "engine/data/pipeline.h"
#include "engine/layers/augmentation.h"
#include "tests/engine/data/picture_source.h"
#include "tests/engine/layers/error_of.h"

namespace strata::data {
namespace {

using strata::testing::error_of;
using testing::PictureSource;
using Rows = std::vector<std::int64_t>;

Rows all_rows(std::int64_t count) {
    Rows rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

MapLayer layer(const char* type, const Json& config) {
    return {type, layers::checked_augmentation(layers::find_augmentation(type), config)};
}

PipelineOptions augmented() {
    PipelineOptions options;
    options.batch_size = 16;
    options.map = {layer("RandomFlip", Json::object()), layer("RandomRotation", {{"factor", 0.2}}),
                   layer("RandomContrast", {{"factor", 0.3}})};
    return options;
}

struct Stream {
    std::vector<std::byte> bytes;
    std::vector<std::int32_t> labels;

    friend bool operator==(const Stream&, const Stream&) = default;
};

Stream rest_of(Pipeline& pipeline) {
    Stream stream;
    while (const Batch* batch = pipeline.next()) {
        stream.bytes.insert(stream.bytes.end(), batch->samples.begin(), batch->samples.end());
        stream.labels.insert(stream.labels.end(), batch->labels.begin(), batch->labels.end());
    }
    return stream;
}

Stream epoch_of(Pipeline& pipeline, std::int64_t epoch, std::int64_t first_batch = 0) {
    pipeline.start_epoch(epoch, first_batch);
    return rest_of(pipeline);
}

// The samples' bytes by label.
std::map<std::int32_t, std::vector<std::byte>> by_label(const Stream& stream) {
    std::map<std::int32_t, std::vector<std::byte>> samples;
    const std::size_t size = stream.bytes.size() / stream.labels.size();
    for (std::size_t i = 0; i < stream.labels.size(); ++i)
        samples[stream.labels[i]] = {
            stream.bytes.begin() + static_cast<std::ptrdiff_t>(i * size),
            stream.bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * size)};
    return samples;
}

TEST(Map, GivesTheSameStreamOnAnyNumberOfThreads) {
    const auto source = std::make_shared<PictureSource>(203);
    std::vector<Stream> expected;
    for (const auto& [threads, prefetch] :
         {std::pair{1, 4}, {8, 4}, {8, 1}, {3, 0}, {0, 0}, {0, 4}, {0, 9}}) {
        PipelineOptions options = augmented();
        options.map_threads = threads;
        options.prefetch = prefetch;
        options.autotune = prefetch == 9;
        Pipeline pipeline(source, all_rows(203), options);
        EXPECT_EQ(pipeline.sample_dtype(), DType::float32);
        for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
            Stream stream = epoch_of(pipeline, epoch);
            ASSERT_EQ(stream.labels.size(), 203U);
            ASSERT_EQ(stream.bytes.size(), 203U * 60 * sizeof(float));
            if (expected.size() == static_cast<std::size_t>(epoch))
                expected.push_back(std::move(stream));
            else
                EXPECT_EQ(stream, expected[static_cast<std::size_t>(epoch)])
                    << threads << " threads, prefetch " << prefetch << ", epoch " << epoch;
        }
    }
    EXPECT_NE(by_label(expected[0]), by_label(expected[1])) << "augmented alike in each epoch";
}

TEST(Map, GoesOnInTheMiddleOfAnEpoch) {
    const auto source = std::make_shared<PictureSource>(100);
    Pipeline whole(source, all_rows(100), augmented()), resumed(source, all_rows(100), augmented());
    const Stream all = epoch_of(whole, 2), rest = epoch_of(resumed, 2, 4);
    ASSERT_EQ(rest.labels.size(), 36U);
    EXPECT_TRUE(std::equal(rest.bytes.rbegin(), rest.bytes.rend(), all.bytes.rbegin()));
    EXPECT_TRUE(std::equal(rest.labels.rbegin(), rest.labels.rend(), all.labels.rbegin()));
}

TEST(Map, LeavesValidationDataAsTheyAre) {
    PipelineOptions options = augmented();
    options.augment = options.shuffle = false;
    Pipeline pipeline(std::make_shared<PictureSource>(20), all_rows(20), options);
    const Stream stream = epoch_of(pipeline, 0);
    const auto* values = reinterpret_cast<const float*>(stream.bytes.data());
    for (std::int64_t i = 0; i < 20 * 60; ++i)
        ASSERT_EQ(values[i], static_cast<float>(PictureSource::value(i / 60, i % 60)));
}

TEST(Map, NamesTheLayerThatTakesNoSuchSamples) {
    const auto source = std::make_shared<PictureSource>(4, Shape{7});
    const Error error = error_of([&] { Pipeline(source, all_rows(4), augmented()); });
    EXPECT_EQ(error.where(), "data.pipeline, map, RandomFlip");
}

TEST(Targets, ComeWithTheirSamples) {
    const auto source = std::make_shared<PictureSource>(50);
    source->regression = true;
    for (const bool cache : {false, true}) {
        PipelineOptions options = augmented();
        options.cache = cache;
        options.map_threads = 3;
        Pipeline pipeline(source, all_rows(50), options);
        for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
            const Rows order = epoch_order(50, options, epoch);
            pipeline.start_epoch(epoch);
            while (const Batch* batch = pipeline.next()) {
                EXPECT_TRUE(batch->labels.empty());
                ASSERT_EQ(batch->targets.size(), static_cast<std::size_t>(2 * batch->size));
                for (std::int64_t i = 0; i < batch->size; ++i) {
                    const auto row = static_cast<float>(
                        order[static_cast<std::size_t>(batch->first_sample + i)]);
                    EXPECT_EQ(batch->targets[static_cast<std::size_t>(2 * i)], row);
                    EXPECT_EQ(batch->targets[static_cast<std::size_t>(2 * i + 1)], -row);
                }
            }
        }
    }
}

class EachCache : public ::testing::TestWithParam<CachePlace> {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / "strata-cache-XXXXXX";
        std::string name = folder_.string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        ::setenv("XDG_CACHE_HOME", name.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("XDG_CACHE_HOME");
        std::filesystem::remove_all(folder_);
    }
    PipelineOptions cached(PipelineOptions options) const {
        options.cache = true;
        options.cache_place = GetParam();
        options.map_threads = 4;
        return options;
    }
    std::int64_t files() const {
        std::int64_t count = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
            count += entry.is_regular_file() ? 1 : 0;
        return count;
    }

private:
    std::filesystem::path folder_;
};

TEST_P(EachCache, ReadsTheSourceOnceAndChangesNothing) {
    for (const bool mapped : {false, true}) {
        PipelineOptions plain = augmented();
        if (!mapped) plain.map.clear();
        const auto source = std::make_shared<PictureSource>(90);
        Pipeline with(source, all_rows(90), cached(plain));
        Pipeline without(std::make_shared<PictureSource>(90), all_rows(90), plain);
        for (std::int64_t epoch = 0; epoch < 3; ++epoch)
            EXPECT_EQ(epoch_of(with, epoch), epoch_of(without, epoch)) << epoch;
        EXPECT_EQ(source->rows_read, 90);
        EXPECT_EQ(files(), 0) << "the cache has a name in the file system";
    }
}

// The rest is read in the next epoch, mixed with what is there.
TEST_P(EachCache, IsFilledByPartsOfEpochs) {
    const auto source = std::make_shared<PictureSource>(90);
    Pipeline with(source, all_rows(90), cached(augmented()));
    Pipeline without(std::make_shared<PictureSource>(90), all_rows(90), augmented());
    with.start_epoch(0);
    for (int i = 0; i < 2; ++i) ASSERT_NE(with.next(), nullptr);
    EXPECT_EQ(epoch_of(with, 1), epoch_of(without, 1));
    EXPECT_EQ(source->rows_read, 90);
}

TEST_P(EachCache, AfterMapFreezesTheAugmentation) {
    PipelineOptions options = cached(augmented());
    options.cache_after_map = true;
    const auto source = std::make_shared<PictureSource>(90);
    Pipeline pipeline(source, all_rows(90), options);
    const Stream first = epoch_of(pipeline, 0), second = epoch_of(pipeline, 1);
    EXPECT_NE(first.labels, second.labels);
    EXPECT_EQ(by_label(first), by_label(second));
    EXPECT_EQ(source->rows_read, 90);
    Pipeline resumed(source, all_rows(90), options);
    EXPECT_EQ(epoch_of(resumed, 1), second) << "what is frozen depends on the first epoch";
}

TEST_P(EachCache, SaysWhereThereIsNoRoom) {
    const auto source = std::make_shared<PictureSource>(4, Shape{1 << 20, 1 << 20, 1 << 6});
    PipelineOptions options = cached({});
    const Error error = error_of([&] { Pipeline(source, all_rows(4), options); });
    EXPECT_NE(error.message().find("GiB"), std::string::npos) << error.message();
    EXPECT_FALSE(error.hint().empty());
}

INSTANTIATE_TEST_SUITE_P(Places, EachCache,
                         ::testing::Values(CachePlace::memory, CachePlace::disk));

TEST(Cache, ASourceInMemoryNeedsNone) {
    const auto source = std::make_shared<PictureSource>(30);
    source->memory = true;
    PipelineOptions options;
    options.cache = true;
    Pipeline pipeline(source, all_rows(30), options);
    epoch_of(pipeline, 0);
    epoch_of(pipeline, 1);
    EXPECT_EQ(source->rows_read, 60);
}

TEST(Threads, HandOverTheFirstFaultAtItsBatch) {
    const auto source = std::make_shared<PictureSource>(160);
    source->bad_row = 100;
    source->delay = std::chrono::microseconds(20);
    PipelineOptions options = augmented();
    options.shuffle = false;
    for (const int threads : {1, 2, 8}) {
        options.map_threads = threads;
        Pipeline pipeline(source, all_rows(160), options);
        for (int epoch = 0; epoch < 3; ++epoch) {
            pipeline.start_epoch(epoch);
            for (int i = 0; i < 6; ++i) ASSERT_NE(pipeline.next(), nullptr);
            EXPECT_EQ(error_of([&] { pipeline.next(); }).where(), "cats/17.jpg");
        }
    }
}

TEST(Threads, EndWithThePipeline) {
    const auto source = std::make_shared<PictureSource>(4000);
    source->delay = std::chrono::microseconds(50);
    for (int taken = 0; taken < 4; ++taken) {
        PipelineOptions options = augmented();
        options.map_threads = 8;
        auto pipeline = std::make_unique<Pipeline>(source, all_rows(4000), options);
        pipeline->start_epoch(0);
        for (int i = 0; i < taken; ++i) ASSERT_NE(pipeline->next(), nullptr);
        pipeline.reset();
        const std::int64_t read = source->rows_read;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_EQ(source->rows_read, read);
    }
}

// Batches of 16 samples of 60 bytes and a label are 1024 bytes.
TEST(Threads, KeepToTheMemoryBound) {
    const auto source = std::make_shared<PictureSource>(1600);
    for (const bool autotune : {false, true}) {
        PipelineOptions options;
        options.batch_size = 16;
        options.prefetch = 90;
        options.autotune = autotune;
        options.memory_bound = 5 * 1024;
        options.map_threads = 4;
        source->rows_read = 0;
        Pipeline pipeline(source, all_rows(1600), options);
        pipeline.start_epoch(0);
        ASSERT_NE(pipeline.next(), nullptr);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_LE(source->rows_read, 5 * 16);
        EXPECT_GE(source->rows_read, 2 * 16);
        rest_of(pipeline);
        EXPECT_EQ(source->rows_read, 1600);
    }
}

const StageStatistics& stage(const std::vector<StageStatistics>& stages, const char* name) {
    for (const StageStatistics& each : stages)
        if (each.name == name) return each;
    ADD_FAILURE() << "no stage " << name;
    return stages.front();
}

TEST(Statistics, NameTheSlowStage) {
    const auto source = std::make_shared<PictureSource>(160);
    source->delay = std::chrono::microseconds(300);
    PipelineOptions options = augmented();
    options.cache = true;
    options.map_threads = 2;
    Pipeline pipeline(source, all_rows(160), options);
    EXPECT_EQ(busiest_stage(pipeline.statistics()), -1);
    epoch_of(pipeline, 0);
    const auto stages = pipeline.statistics();
    const auto& slow = stage(stages, "source");
    EXPECT_EQ(slow.threads, 2);
    EXPECT_GT(slow.busy, 0.5);
    EXPECT_GT(slow.samples_per_s, 2000);  // 2 threads, 300 us a sample and what sleeping adds
    EXPECT_LT(slow.samples_per_s, 6700);
    EXPECT_EQ(stage(stages, "cache").fill, 1.0);
    EXPECT_EQ(stage(stages, "cache").capacity, 160);
    EXPECT_EQ(stage(stages, "shuffle").fill, 0.0);
    EXPECT_GT(stage(stages, "map").samples_per_s, 0.0);
    EXPECT_EQ(stage(stages, "prefetch").capacity, 4);
    EXPECT_GT(pipeline.wait_share(), 0.5);
    EXPECT_EQ(limit_text(stages, pipeline.wait_share()).rfind("source is at its limit: ", 0), 0U);
}

TEST(Statistics, SeeAFullQueueWhereTheDeviceIsSlow) {
    PipelineOptions options = augmented();
    options.map_threads = 2;
    Pipeline pipeline(std::make_shared<PictureSource>(160), all_rows(160), options);
    pipeline.start_epoch(0);
    ASSERT_NE(pipeline.next(), nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(stage(pipeline.statistics(), "prefetch").fill, 1.0);
    EXPECT_LT(pipeline.wait_share(), 0.5);
}

TEST(Statistics, MayBeAskedWhileThreadsWork) {
    PipelineOptions options = augmented();
    options.cache = true;
    options.map_threads = 3;
    Pipeline pipeline(std::make_shared<PictureSource>(400), all_rows(400), options);
    std::atomic<bool> ended{false};
    std::thread watcher([&] {
        while (!ended)
            for (const StageStatistics& each : pipeline.statistics()) {
                EXPECT_GE(each.fill, 0.0);
                EXPECT_LE(each.fill, 1.0);
                EXPECT_LE(each.busy, 1.0);
            }
    });
    for (std::int64_t epoch = 0; epoch < 5; ++epoch)
        EXPECT_EQ(epoch_of(pipeline, epoch).labels.size(), 400U);
    ended = true;
    watcher.join();
}

TEST(Sentences, SayWhatTheDeviceWaitsFor) {
    EXPECT_EQ(wait_text(0.374), "the device waits for data 37 % of the time");
    EXPECT_EQ(wait_text(0.0431), "the device waits for data 4.3 % of the time");
    EXPECT_EQ(wait_text(0.0), "the device waits for data 0 % of the time");
    EXPECT_EQ(wait_text(1.0), "the device waits for data 100 % of the time");
    std::vector<StageStatistics> stages(2);
    stages[0] = {.name = "source", .samples_per_s = 900, .busy = 0.3, .threads = 1};
    stages[1] = {.name = "map", .samples_per_s = 320.4, .busy = 0.6, .threads = 2};
    EXPECT_EQ(limit_text(stages, 0.3), "map is at its limit: 320 samples/s on 2 threads");
    EXPECT_EQ(limit_text(stages, 0.01), "the device is at its limit");
    stages[0].busy = 0.02;
    stages[1].busy = 0.3;
    EXPECT_EQ(limit_text(stages, 0.3), "no stage is at its limit");
}

}  // namespace
}  // namespace strata::data
