// Checkpoints: exact, atomic, noticed when damaged, and the newest whole one is found.
#include "engine/checkpoint/checkpoint.h"

#include <gtest/gtest.h>

#include "tests/engine/graph/models.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::checkpoint {
namespace {

using graph::testing::branches;
using graph::testing::options_of;
using graph::testing::scalars_of;
using graph::testing::setup_of;
using strata::testing::content_of;
using strata::testing::error_of;
using strata::testing::files_in;
using strata::testing::put;
using strata::testing::TemporaryDirectory;

const Json compile = {{"optimizer", {{"type", "Adam"}, {"config", Json::object()}}},
                      {"loss", "sparse_categorical_crossentropy"},
                      {"metrics", {"accuracy"}}};

class Checkpoint : public ::testing::Test {
protected:
    double step(graph::Executor& executor, int update) const {
        std::vector<float> x(4 * 72);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = static_cast<float>((i * 37 + static_cast<std::size_t>(update) * 11) % 64) / 64;
        const std::vector<std::int32_t> labels{0, 1, 2, update % 3};
        return executor.train_step(x.data(), labels.data(), 4, scalars_of(0.01F, update)).loss_sum;
    }

    const graph::TrainingSetup setup_ = setup_of("Adam");
    TemporaryDirectory directory_;
    const std::string last_ = (directory_ / "last.h5").string();
};

TEST_F(Checkpoint, AResumedRunGoesOnBitForBit) {
    graph::Executor whole(branches(), &setup_, options_of(4));
    whole.initialize(1);
    for (int update = 1; update <= 6; ++update) step(whole, update);
    TrainingState state;
    state.epoch = 2;
    state.update = 6;
    state.samples = 24;
    state.seed = 18446744073709551615ULL;
    state.epoch_loss_sum = 0.1;
    state.epoch_metric_sums = {3.0};
    state.epoch_samples = 8;
    state.batch_in_epoch = 2;
    state.best = 0.25;
    state.project = {{"strata", 1}, {"name", "মডেল"}};
    save(whole, state, compile, last_);
    EXPECT_EQ(files_in(directory_.path()), 1U);

    graph::Executor resumed(branches(), &setup_, options_of(4));
    resumed.initialize(99);
    const TrainingState read = load(resumed, last_);
    EXPECT_EQ(read.to_json(), state.to_json());
    for (int update = 7; update <= 12; ++update)
        EXPECT_EQ(step(whole, update), step(resumed, update)) << update;
    const auto a = whole.snapshot(true), b = resumed.snapshot(true);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].values, b[i].values) << a[i].layer;
}

TEST_F(Checkpoint, TheNewestWholeOneIsFound) {
    EXPECT_EQ(newest((directory_ / "absent").string()), "");
    EXPECT_EQ(newest(directory_.path().string()), "");
    graph::Executor executor(branches(), &setup_, options_of(4));
    executor.initialize(1);
    const std::string best = (directory_ / "best.h5").string();
    save(executor, TrainingState(), compile, best);
    EXPECT_EQ(newest(directory_.path().string()), best);
    step(executor, 1);
    save(executor, TrainingState(), compile, last_);
    EXPECT_EQ(newest(directory_.path().string()), last_);
    // A flipped bit in a kernel: the one before is used.
    const auto weights = executor.snapshot(false);
    std::string content = content_of(last_);
    const std::string payload(reinterpret_cast<const char*>(weights[0].values.data()), 64);
    const std::size_t at = content.find(payload);
    ASSERT_NE(at, std::string::npos);
    content[at + 17] = static_cast<char>(content[at + 17] ^ 32);
    put(last_, content);
    EXPECT_EQ(newest(directory_.path().string()), best);
    const Error error = error_of([&] { load(executor, last_); });
    EXPECT_EQ(error.code(), ErrorCode::format);
    EXPECT_NE(error.message().find("checksum"), std::string::npos);
}

TEST_F(Checkpoint, AnotherModelsCheckpointIsRefused) {
    graph::Executor small(graph::testing::classic(), &setup_, options_of(4));
    small.initialize(1);
    save(small, TrainingState(), compile, last_);
    graph::Executor executor(branches(), &setup_, options_of(4));
    const Error error = error_of([&] { load(executor, last_); });
    EXPECT_EQ(error.code(), ErrorCode::format);
    EXPECT_EQ(error.where().rfind(last_, 0), 0U);
}

TEST_F(Checkpoint, AFullDiskKeepsTheOldOneAndTheRunGoesOn) {
    if (!directory_.limit_to_kib(192)) GTEST_SKIP() << "no tmpfs can be mounted here";
    graph::Executor executor(branches(), &setup_, options_of(4));
    executor.initialize(1);
    save(executor, TrainingState(), compile, last_);
    const std::string old = content_of(last_);
    put(directory_ / "ballast", std::string((190 << 10) - old.size(), 'x'));
    step(executor, 1);
    const Error error = error_of([&] { save(executor, TrainingState(), compile, last_); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(error.message().find("are needed"), std::string::npos) << error.what();
    // Without the check before, HDF5 itself meets the full disk.
    interop::KerasFile file;
    file.model = executor.model();
    file.weights = executor.snapshot(false);
    const std::string target = (directory_ / "direct.h5").string();
    const Error late = error_of([&] { interop::write_keras_h5(target, file); });
    EXPECT_EQ(late.code(), ErrorCode::io);
    EXPECT_NE(late.message().find("No space left"), std::string::npos) << late.what();
    std::filesystem::remove(target);
    EXPECT_EQ(content_of(last_), old);
    std::filesystem::remove(directory_ / "ballast");
    save(executor, TrainingState(), compile, last_);
    EXPECT_NE(content_of(last_), old);
    EXPECT_EQ(newest(directory_.path().string()), last_);
}

}  // namespace
}  // namespace strata::checkpoint
