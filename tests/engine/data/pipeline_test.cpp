// The stream of batches: its order, its ends, its threads and its errors.
#include "engine/data/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "engine/core/error.h"
#include "tests/engine/layers/error_of.h"

namespace strata::data {
namespace {

using testing::error_of;
using Rows = std::vector<std::int64_t>;

// Sample i is the byte i, its label i. Fails at one row, where that is asked for.
class CountingSource : public Source {
public:
    explicit CountingSource(std::int64_t size, std::int64_t bad_row = -1)
        : size_(size), bad_row_(bad_row) {}
    std::int64_t size() const override { return size_; }
    const Shape& sample_shape() const override { return shape_; }
    DType sample_dtype() const override { return DType::uint8; }
    std::int64_t classes() const override { return size_; }
    const std::vector<std::string>& class_names() const override { return names_; }
    std::string description() const override { return "numbers"; }
    std::size_t memory_bytes() const override { return 0; }
    void read(const std::int64_t* indices, std::int64_t n, void* out,
              std::int32_t* labels) const override {
        for (std::int64_t i = 0; i < n; ++i) {
            if (indices[i] == bad_row_) throw Error(ErrorCode::io, "cannot be read", "pictures.gz");
            static_cast<std::uint8_t*>(out)[i] = static_cast<std::uint8_t>(indices[i]);
            labels[i] = static_cast<std::int32_t>(indices[i]);
        }
        rows_read += n;
    }
    mutable std::atomic<std::int64_t> rows_read{0};

private:
    std::int64_t size_, bad_row_;
    Shape shape_{1};
    std::vector<std::string> names_;
};

Rows all_rows(std::int64_t count) {
    Rows rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

std::vector<Rows> batches_of(Pipeline& pipeline) {
    std::vector<Rows> all;
    while (const Batch* batch = pipeline.next()) {
        EXPECT_EQ(batch->labels.size(), static_cast<std::size_t>(batch->size));
        EXPECT_EQ(batch->samples.size(), static_cast<std::size_t>(batch->size));
        for (std::size_t i = 0; i < batch->labels.size(); ++i)
            EXPECT_EQ(static_cast<int>(batch->samples[i]), batch->labels[i] % 256);
        all.emplace_back(batch->labels.begin(), batch->labels.end());
    }
    return all;
}

Rows flat(const std::vector<Rows>& batches) {
    Rows all;
    for (const Rows& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
    return all;
}

Rows sorted(Rows rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
}

TEST(Split, IsTheLastShareAndIsDisjoint) {
    const Split split = split_indices(10, 0.25);  // Keras: floor(10 * 0.75) = 7
    EXPECT_EQ(split.train, all_rows(7));
    EXPECT_EQ(split.validation, (Rows{7, 8, 9}));
    EXPECT_EQ(split_indices(60000, 0.1).train.size(), 54000U);
    EXPECT_TRUE(split_indices(5, 0.0).validation.empty());
    for (double bad : {-0.1, 1.0, std::nan("")})
        EXPECT_EQ(error_of([&] { split_indices(10, bad); }).where(), "data.validation_split");
    EXPECT_NE(error_of([] { split_indices(1, 0.5); }).message().find("training"),
              std::string::npos);
    EXPECT_NE(error_of([] { split_indices(3, 1e-17); }).message().find("validation"),
              std::string::npos);
}

TEST(Order, IsAPermutationThatSeedAndEpochDecide) {
    PipelineOptions options;
    for (std::int64_t buffer : {0, 1, 7, 100, 5000}) {
        options.shuffle_buffer = buffer;
        EXPECT_EQ(sorted(epoch_order(100, options, 3)), all_rows(100)) << "buffer " << buffer;
    }
    options.shuffle_buffer = 0;
    const Rows first = epoch_order(100, options, 0);
    EXPECT_EQ(epoch_order(100, options, 0), first);
    EXPECT_NE(epoch_order(100, options, 1), first);
    options.seed = 2;
    EXPECT_NE(epoch_order(100, options, 0), first);
    options.shuffle = false;
    EXPECT_EQ(epoch_order(100, options, 0), all_rows(100));
    options.shuffle = true;
    options.shuffle_buffer = 1;
    EXPECT_EQ(epoch_order(100, options, 0), all_rows(100));
    EXPECT_TRUE(epoch_order(0, options, 0).empty());
}

// With B slots, sample r cannot come before position r - (B - 1), and every one of the first B may
// be first.
TEST(Order, ABufferLooksAheadByItsSizeAlone) {
    PipelineOptions options;
    options.shuffle_buffer = 8;
    std::set<std::int64_t> first;
    for (std::int64_t epoch = 0; epoch < 200; ++epoch) {
        const Rows order = epoch_order(50, options, epoch);
        for (std::size_t k = 0; k < order.size(); ++k)
            EXPECT_LE(order[k], static_cast<std::int64_t>(k) + 7);
        first.insert(order[0]);
    }
    EXPECT_EQ(first.size(), 8U);
}

// All 24 orders of 4 samples, each 250 times of 6000 in the mean: chi-square of 23 degrees of
// freedom is below 49.7 with probability 0.999.
TEST(Order, AFullBufferIsUniformOverAllOrders) {
    PipelineOptions options;
    std::map<Rows, int> counts;
    for (std::int64_t epoch = 0; epoch < 6000; ++epoch) ++counts[epoch_order(4, options, epoch)];
    ASSERT_EQ(counts.size(), 24U);
    double chi_square = 0.0;
    for (const auto& [order, count] : counts) chi_square += (count - 250.0) * (count - 250.0) / 250;
    EXPECT_LT(chi_square, 49.7);
}

class EachPrefetch : public ::testing::TestWithParam<std::int64_t> {
protected:
    PipelineOptions options() const {
        PipelineOptions o;
        o.batch_size = 8;
        o.prefetch = GetParam();
        return o;
    }
};

TEST_P(EachPrefetch, GivesEachSampleOnce) {
    Pipeline pipeline(std::make_shared<CountingSource>(50), all_rows(50), options());
    EXPECT_EQ(pipeline.batches_per_epoch(), 7);
    EXPECT_EQ(pipeline.samples_per_epoch(), 50);
    EXPECT_EQ(pipeline.last_batch_size(), 2);
    EXPECT_EQ(pipeline.next(), nullptr) << "before the first epoch";
    Rows last;
    for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
        pipeline.start_epoch(epoch);
        const auto batches = batches_of(pipeline);
        ASSERT_EQ(batches.size(), 7U);
        EXPECT_EQ(batches.back().size(), 2U);
        EXPECT_EQ(sorted(flat(batches)), all_rows(50));
        EXPECT_EQ(flat(batches), epoch_order(50, options(), epoch));
        EXPECT_NE(flat(batches), last);
        last = flat(batches);
        EXPECT_EQ(pipeline.next(), nullptr);
        EXPECT_GE(pipeline.wait_seconds(), 0.0);
    }
}

TEST_P(EachPrefetch, DropsTheRemainder) {
    PipelineOptions dropping = options();
    dropping.drop_remainder = true;
    Pipeline pipeline(std::make_shared<CountingSource>(50), all_rows(50), dropping);
    EXPECT_EQ(pipeline.batches_per_epoch(), 6);
    EXPECT_EQ(pipeline.samples_per_epoch(), 48);
    EXPECT_EQ(pipeline.last_batch_size(), 8);
    pipeline.start_epoch(0);
    EXPECT_EQ(flat(batches_of(pipeline)).size(), 48U);
    Pipeline none(std::make_shared<CountingSource>(5), all_rows(5), dropping);
    none.start_epoch(0);
    EXPECT_EQ(none.batches_per_epoch(), 0);
    EXPECT_EQ(none.next(), nullptr);
}

TEST_P(EachPrefetch, KeepsToItsRows) {
    const Split split = split_indices(40, 0.25);
    const auto source = std::make_shared<CountingSource>(40);
    Pipeline train(source, split.train, options()), validation(source, split.validation, options());
    train.start_epoch(5);
    validation.start_epoch(5);
    EXPECT_EQ(sorted(flat(batches_of(train))), split.train);
    EXPECT_EQ(sorted(flat(batches_of(validation))), split.validation);
}

TEST_P(EachPrefetch, ResumesInTheMiddleOfAnEpoch) {
    Pipeline pipeline(std::make_shared<CountingSource>(64), all_rows(64), options());
    pipeline.start_epoch(2);
    Rows seen;
    for (int i = 0; i < 3; ++i) {
        const Batch* batch = pipeline.next();
        EXPECT_EQ(batch->first_sample, 8 * i);
        seen.insert(seen.end(), batch->labels.begin(), batch->labels.end());
    }
    Pipeline resumed(std::make_shared<CountingSource>(64), all_rows(64), options());
    resumed.start_epoch(2, 3);
    const Rows rest = flat(batches_of(resumed));
    seen.insert(seen.end(), rest.begin(), rest.end());
    EXPECT_EQ(seen, epoch_order(64, options(), 2));
    resumed.start_epoch(2, 8);
    EXPECT_EQ(resumed.next(), nullptr);
}

TEST_P(EachPrefetch, HandsOverAReadersErrorAtItsBatch) {
    PipelineOptions plain = options();
    plain.shuffle = false;
    Pipeline pipeline(std::make_shared<CountingSource>(64, 30), all_rows(64), plain);
    for (int epoch = 0; epoch < 2; ++epoch) {
        pipeline.start_epoch(epoch);
        for (int i = 0; i < 3; ++i) ASSERT_NE(pipeline.next(), nullptr);
        for (int tries = 0; tries < 2; ++tries) {
            const Error error = error_of([&] { pipeline.next(); });
            EXPECT_EQ(error.code(), ErrorCode::io);
            EXPECT_EQ(error.where(), "pictures.gz");
        }
    }
}

TEST_P(EachPrefetch, EndsInTheMiddleWithoutWaiting) {
    Pipeline pipeline(std::make_shared<CountingSource>(5000), all_rows(5000), options());
    for (std::int64_t epoch = 0; epoch < 50; ++epoch) {
        pipeline.start_epoch(epoch);
        for (std::int64_t i = 0; i < epoch % 5; ++i) ASSERT_NE(pipeline.next(), nullptr);
    }
    pipeline.start_epoch(0);
    EXPECT_EQ(flat(batches_of(pipeline)), epoch_order(5000, options(), 0));
}

INSTANTIATE_TEST_SUITE_P(Threads, EachPrefetch, ::testing::Values(0, 1, 2, 4, 100));

TEST(Prefetch, StaysWithinItsBuffers) {
    PipelineOptions options;
    options.batch_size = 10;
    options.prefetch = 3;
    const auto source = std::make_shared<CountingSource>(1000);
    Pipeline pipeline(source, all_rows(1000), options);
    pipeline.start_epoch(0);
    const Batch* batch = pipeline.next();
    const auto labels = batch->labels;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_LE(source->rows_read, 10 * (options.prefetch + 1));
    EXPECT_EQ(batch->labels, labels) << "the batch in use was written over";
}

TEST(Prefetch, SaysWhenABatchIsReady) {
    PipelineOptions options;
    options.batch_size = 10;
    options.prefetch = 3;
    Pipeline pipeline(std::make_shared<CountingSource>(20), all_rows(20), options);
    EXPECT_FALSE(pipeline.ready()) << "before the first epoch";
    pipeline.start_epoch(0);
    while (!pipeline.ready()) std::this_thread::yield();
    EXPECT_NE(pipeline.next(), nullptr);
    while (!pipeline.ready()) std::this_thread::yield();
    EXPECT_NE(pipeline.next(), nullptr);
    EXPECT_FALSE(pipeline.ready()) << "the epoch is over";
    options.prefetch = 0;
    Pipeline none(std::make_shared<CountingSource>(20), all_rows(20), options);
    none.start_epoch(0);
    EXPECT_FALSE(none.ready()) << "none is made ahead";
}

TEST(Batches, NeedASize) {
    PipelineOptions options;
    options.batch_size = 0;
    const Error error =
        error_of([&] { Pipeline(std::make_shared<CountingSource>(4), all_rows(4), options); });
    EXPECT_EQ(error.where(), "batch_size");
}

}  // namespace
}  // namespace strata::data
