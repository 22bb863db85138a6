// An epoch that is cut and goes on in another pipeline, as a resumed run does: with augmentation on
// either side of the cache, in memory and on disk, each sample comes once and with the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "engine/data/pipeline.h"
#include "engine/layers/augmentation.h"
#include "tests/engine/data/picture_source.h"
#include "tests/support/temporary_directory.h"

namespace strata::data {
namespace {

using testing::PictureSource;

constexpr std::int64_t samples = 61, batches = 8, epochs = 3;

struct Place {
    const char* name;
    bool cache, after_map;
    CachePlace place;
};

std::ostream& operator<<(std::ostream& out, const Place& place) {
    return out << place.name;
}

struct Stream {
    std::vector<std::byte> bytes;
    std::vector<std::int32_t> labels;

    friend bool operator==(const Stream&, const Stream&) = default;
};

void take(Pipeline& pipeline, std::int64_t count, Stream& stream) {
    for (std::int64_t i = 0; i < count; ++i) {
        const Batch* batch = pipeline.next();
        ASSERT_NE(batch, nullptr);
        stream.bytes.insert(stream.bytes.end(), batch->samples.begin(), batch->samples.end());
        stream.labels.insert(stream.labels.end(), batch->labels.begin(), batch->labels.end());
    }
}

void take_epoch(Pipeline& pipeline, std::int64_t epoch, Stream& stream) {
    pipeline.start_epoch(epoch);
    take(pipeline, batches, stream);
    EXPECT_EQ(pipeline.next(), nullptr);
}

class EachPlace : public ::testing::TestWithParam<Place> {
protected:
    void SetUp() override { ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1); }
    void TearDown() override { ::unsetenv("XDG_CACHE_HOME"); }

    std::unique_ptr<Pipeline> pipeline(int threads) const {
        const auto layer = [](const char* type, const Json& config) {
            return MapLayer{type,
                            layers::checked_augmentation(layers::find_augmentation(type), config)};
        };
        PipelineOptions options;
        options.batch_size = 8;
        options.seed = 5;
        options.map = {layer("RandomFlip", Json::object()),
                       layer("RandomTranslation", {{"height_factor", 0.3}, {"width_factor", 0.3}})};
        options.map_threads = threads;
        options.cache = GetParam().cache;
        options.cache_place = GetParam().place;
        options.cache_after_map = GetParam().after_map;
        std::vector<std::int64_t> rows(samples);
        std::iota(rows.begin(), rows.end(), 0);
        return std::make_unique<Pipeline>(std::make_shared<PictureSource>(samples), rows, options);
    }

private:
    strata::testing::TemporaryDirectory folder_;
};

TEST_P(EachPlace, ACutEpochGoesOnAsIfItWereWhole) {
    Stream whole;
    const auto uncut = pipeline(2);
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) take_epoch(*uncut, epoch, whole);
    for (std::int64_t cut = 1; cut < epochs * batches; ++cut) {
        Stream stream;
        {
            const auto before = pipeline(1 + static_cast<int>(cut % 3));
            for (std::int64_t epoch = 0; epoch < cut / batches; ++epoch)
                take_epoch(*before, epoch, stream);
            before->start_epoch(cut / batches);
            take(*before, cut % batches, stream);
        }
        const auto after = pipeline(3 - static_cast<int>(cut % 3));
        after->start_epoch(cut / batches, cut % batches);
        take(*after, batches - cut % batches, stream);
        for (std::int64_t epoch = cut / batches + 1; epoch < epochs; ++epoch)
            take_epoch(*after, epoch, stream);
        ASSERT_EQ(stream.labels, whole.labels) << "cut after " << cut << " batches";
        ASSERT_EQ(stream.bytes, whole.bytes) << "cut after " << cut << " batches";
        for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
            const auto begin = stream.labels.begin() + epoch * samples;
            std::vector<std::int32_t> seen(begin, begin + samples), once(samples);
            std::sort(seen.begin(), seen.end());
            std::iota(once.begin(), once.end(), 0);
            ASSERT_EQ(seen, once) << "cut after " << cut << " batches, epoch " << epoch;
        }
    }
}

// What one pipeline holds of a cut epoch must not show in the next either: a pause between two
// parts of an epoch in the same process.
TEST_P(EachPlace, OnePipelineMayBeginAnywhereAgain) {
    Stream whole, again;
    const auto uncut = pipeline(2), jumping = pipeline(2);
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) take_epoch(*uncut, epoch, whole);
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
        jumping->start_epoch(epoch);
        take(*jumping, 3, again);
        jumping->start_epoch(epoch, 3);
        take(*jumping, batches - 3, again);
    }
    EXPECT_EQ(again, whole);
}

INSTANTIATE_TEST_SUITE_P(Caches, EachPlace,
                         ::testing::Values(Place{"none", false, false, CachePlace::memory},
                                           Place{"memory", true, false, CachePlace::memory},
                                           Place{"disk", true, false, CachePlace::disk},
                                           Place{"memory_frozen", true, true, CachePlace::memory},
                                           Place{"disk_frozen", true, true, CachePlace::disk}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace strata::data
