// An epoch that several processes share: one order for all, each position once, batch by batch, and
// the samples as one process would have them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/data/pipeline.h"
#include "engine/layers/augmentation.h"
#include "tests/engine/data/picture_source.h"

namespace strata::data {
namespace {

using testing::PictureSource;
using Rows = std::vector<std::int64_t>;

Rows all_rows(std::int64_t count) {
    Rows rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

struct Case {
    std::int64_t samples, batch_size, shards;
    bool drop_remainder = false;
};

PipelineOptions options_of(const Case& c, std::int64_t index) {
    PipelineOptions options;
    options.seed = 4;
    options.batch_size = c.batch_size;
    options.drop_remainder = c.drop_remainder;
    options.shard = {index, c.shards};
    return options;
}

class EachCase : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Sizes, EachCase,
                         ::testing::Values(Case{48, 4, 3}, Case{50, 4, 3}, Case{49, 4, 3},
                                           Case{7, 4, 4}, Case{3, 2, 4}, Case{1, 8, 2},
                                           Case{64, 8, 1}, Case{101, 3, 5}, Case{50, 4, 3, true},
                                           Case{5, 2, 3, true}, Case{96, 8, 4, true}));

// What `first` to `first + n` of the order hold, each with its position.
std::map<std::int64_t, std::int64_t> positions(const Rows& order, std::int64_t first,
                                               std::int64_t n) {
    std::map<std::int64_t, std::int64_t> part;
    for (std::int64_t i = first; i < first + n; ++i) part[i] = order[static_cast<std::size_t>(i)];
    return part;
}

TEST_P(EachCase, TakesEachPositionOnceAndInStep) {
    const Case c = GetParam();
    const auto source = std::make_shared<PictureSource>(c.samples);
    std::vector<std::unique_ptr<Pipeline>> ranks;
    for (std::int64_t r = 0; r < c.shards; ++r)
        ranks.push_back(std::make_unique<Pipeline>(source, all_rows(c.samples), options_of(c, r)));
    const std::int64_t together = c.batch_size * c.shards;
    const std::int64_t used = c.drop_remainder ? c.samples / together * together : c.samples;
    const std::int64_t batches = (used + together - 1) / together;
    for (const auto& rank : ranks) {
        EXPECT_EQ(rank->batches_per_epoch(), batches);
        EXPECT_EQ(rank->samples_per_epoch(), used);
    }
    for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
        const Rows order = epoch_order(c.samples, options_of(c, 0), epoch);
        std::vector<std::int64_t> own(ranks.size(), 0);
        for (const auto& rank : ranks) rank->start_epoch(epoch);
        for (std::int64_t k = 0; k < batches; ++k) {
            std::map<std::int64_t, std::int64_t> seen;
            for (std::size_t r = 0; r < ranks.size(); ++r) {
                const Batch* batch = ranks[r]->next();
                if (batch == nullptr) continue;
                own[r] += batch->size;
                EXPECT_LE(batch->size, c.batch_size);
                for (std::int64_t i = 0; i < batch->size; ++i) {
                    const std::int64_t at = batch->first_sample + i * batch->sample_stride;
                    EXPECT_TRUE(
                        seen.emplace(at, batch->labels[static_cast<std::size_t>(i)]).second);
                }
            }
            EXPECT_EQ(seen, positions(order, k * together, std::min(together, used - k * together)))
                << "batch " << k;
        }
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            EXPECT_EQ(ranks[r]->next(), nullptr);
            EXPECT_EQ(ranks[r]->own_samples_per_epoch(), own[r]);
        }
    }
}

// 4 processes stop after batch 3, and 1, 2 or 3 go on that take as many samples together.
TEST(Shards, AnotherNumberOfThemGoesOn) {
    const auto source = std::make_shared<PictureSource>(100);
    std::vector<std::int64_t> seen;
    const auto take = [&](std::int64_t shards, std::int64_t first, std::int64_t end) {
        for (std::int64_t r = 0; r < shards; ++r) {
            Pipeline rank(source, all_rows(100), options_of({100, 12 / shards, shards}, r));
            rank.start_epoch(1, first);
            for (std::int64_t k = first; k < end; ++k)
                if (const Batch* batch = rank.next())
                    seen.insert(seen.end(), batch->labels.begin(), batch->labels.end());
        }
    };
    for (std::int64_t shards : {1, 2, 3}) {
        seen.clear();
        take(4, 0, 3);
        take(shards, 3, 5);
        take(4, 5, 9);
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(seen, all_rows(100)) << shards;
    }
}

TEST(Shards, AugmentAsOneProcessDoes) {
    const auto source = std::make_shared<PictureSource>(50);
    const MapLayer rotation{
        "RandomRotation", layers::checked_augmentation(layers::find_augmentation("RandomRotation"),
                                                       {{"factor", 0.3}})};
    const auto bytes = [&](bool frozen, std::int64_t shards) {
        std::map<std::int32_t, std::vector<std::byte>> samples;
        for (std::int64_t r = 0; r < shards; ++r) {
            PipelineOptions options = options_of({50, 4, shards}, r);
            options.map = {rotation};
            options.cache = options.cache_after_map = frozen;
            options.map_threads = 2;
            Pipeline rank(source, all_rows(50), options);
            rank.start_epoch(3);
            while (const Batch* batch = rank.next()) {
                const std::size_t size =
                    batch->samples.size() / static_cast<std::size_t>(batch->size);
                for (std::size_t i = 0; i < batch->labels.size(); ++i)
                    samples[batch->labels[i]].assign(
                        batch->samples.begin() + static_cast<std::ptrdiff_t>(i * size),
                        batch->samples.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
            }
        }
        return samples;
    };
    for (bool frozen : {false, true})
        for (std::int64_t shards : {2, 3}) EXPECT_EQ(bytes(frozen, 1), bytes(frozen, shards));
}

}  // namespace
}  // namespace strata::data
