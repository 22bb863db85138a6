// What fails in the middle of a placed model's work ends the work and does not hang: a hundred
// times in one process, at another moment each time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "engine/core/error.h"
#include "engine/parallel/batch_runner.h"
#include "tests/engine/layers/error_of.h"
#include "tests/engine/parallel/equality.h"

namespace strata::parallel {
namespace {

using graph::Model;
using graph::TrainingSetup;
using strata::testing::error_of;
using ::testing::HasSubstr;
using testing::Layout;
using testing::layout;

constexpr std::int64_t batch = 12;
constexpr int repeats = 100;

std::vector<Layout> layouts() {
    using enum ScheduleKind;
    return {layout(1, 4, one_f_one_b, 3), layout(2, 2, gpipe, 2), layout(4, 1, one_f_one_b, 1),
            layout(1, 2, interleaved, 4), layout(2, 2, naive, 3)};
}

// The ops of a batch are counted over all devices; the one with the given number throws.
TEST(PlacedFaults, ADeviceThatThrowsInTheMiddle) {
    const TrainingSetup setup = graph::testing::setup_of();
    const Model model = graph::testing::branches();
    const testing::Batch data = testing::batch_for(model, batch, 1);
    const std::vector<Layout> ways = layouts();
    std::map<std::string, int> ended;
    for (int i = 0; i < repeats; ++i) {
        const Layout& way = ways[static_cast<std::size_t>(i) % ways.size()];
        PlacedModel placed(testing::placed(model, way), &setup, testing::one_thread(batch),
                           way.placement);
        placed.initialize(3);
        Team team(placed);
        DeviceGroups groups(placed, nullptr);
        GradientExchange exchange(placed, groups, nullptr);
        team.on_failure([&] { exchange.fail(); });
        BatchRunner runner(placed, team, exchange, groups, nullptr);
        BatchCall call;
        call.inputs = data.inputs.data();
        call.targets = data.labels.data();
        call.n = batch;
        call.scalars = graph::testing::scalars_of(0.01F);
        call.scalars.last_in_window = i % 2 == 1;
        std::atomic<int> ops{0};
        call.watch = [&](const graph::Plan&, const ops::Op&, device::Device& device,
                         const DevicePart::AddressOf&) {
            if (ops++ == i)
                throw Error(ErrorCode::internal, "the device is lost", device.info().id);
            return true;
        };
        const Error error = error_of([&] { runner.run(call); });
        EXPECT_THAT(error.message(), HasSubstr("the device is lost")) << way.name;
        ++ended[error.where()];
    }
    EXPECT_GE(ended.size(), 3U) << "more than one device has failed";
}

// The others wait in a sum over the replicas or the stages when one of them ends.
TEST(PlacedFaults, ADeviceThatThrowsBeforeASum) {
    const TrainingSetup setup = graph::testing::setup_of();
    const Layout way = layout(2, 2, ScheduleKind::one_f_one_b, 2);
    const PlacedModel placed(testing::placed(graph::testing::batchless(), way), &setup,
                             testing::one_thread(batch), way.placement);
    for (int i = 0; i < repeats; ++i) {
        Team team(placed);
        const Error error = error_of([&] {
            team.run([&](int replica, int device) {
                for (int sum = 0;; ++sum) {
                    if (sum == i / 4 && 2 * replica + device == i % 4)
                        throw Error(ErrorCode::internal, "the device is lost", "cpu:0");
                    double one = 1.0;
                    team.all(replica, device).all_reduce(std::span(&one, 1));
                    ASSERT_EQ(one, 4.0);
                    team.replicas(replica, device).all_reduce(std::span(&one, 1));
                    ASSERT_EQ(one, 8.0);
                }
            });
        });
        EXPECT_THAT(error.message(), HasSubstr("the device is lost")) << i;
    }
}

TEST(PlacedFaults, OneReplicasDeviceWithoutRoom) {
    const TrainingSetup setup = graph::testing::setup_of("Adam");
    const Model model = graph::testing::batchless();
    for (int i = 0; i < repeats; ++i) {
        Layout way = layout(2, 2, ScheduleKind::one_f_one_b, 2);
        const std::string device = "cpu:" + std::to_string(i % 4);
        way.placement.memory_limits[device] = 1000 + 64 * static_cast<std::size_t>(i);
        const Error error = error_of([&] {
            PlacedExecutor(testing::placed(model, way), &setup, testing::one_thread(batch),
                           way.placement);
        });
        EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
        EXPECT_THAT(std::string(error.what()), HasSubstr(device));
    }
}

// After a batch that is refused the executor works on; after many executors nothing is left behind.
TEST(PlacedFaults, ARefusedBatchLeavesTheExecutorAsItWas) {
    const TrainingSetup setup = graph::testing::setup_of("Adam");
    const Layout way = layout(2, 2, ScheduleKind::gpipe, 2);
    const Model model = testing::placed(graph::testing::batchless(), way);
    PlacedExecutor executor(model, &setup, testing::one_thread(batch), way.placement);
    executor.initialize(1);
    const testing::Batch data = testing::batch_for(model, 2 * batch, 1);
    for (int i = 0; i < repeats; ++i) {
        const auto before = executor.snapshot(true);
        EXPECT_EQ(error_of([&] {
                      executor.train_step(data.inputs.data(), data.labels.data(), batch + 1 + i % 9,
                                          graph::testing::scalars_of(0.01F, i + 1));
                  }).code(),
                  ErrorCode::invalid_argument);
        testing::expect_equal(executor.snapshot(true), before);
        EXPECT_TRUE(executor
                        .train_step(data.inputs.data(), data.labels.data(), 1 + i % batch,
                                    graph::testing::scalars_of(0.01F, i + 1))
                        .applied);
    }
}

TEST(PlacedFaults, AFailedTeamSaysSoAtOnceWhenItIsUsedAgain) {
    const TrainingSetup setup = graph::testing::setup_of();
    const Layout way = layout(2, 2, ScheduleKind::one_f_one_b, 2);
    const PlacedModel placed(testing::placed(graph::testing::batchless(), way), &setup,
                             testing::one_thread(batch), way.placement);
    Team team(placed);
    EXPECT_THROW(team.run([&](int replica, int) {
        if (replica == 1) throw Error(ErrorCode::internal, "lost", "cpu:2");
    }),
                 Error);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(error_of([&] {
                      team.run([&](int replica, int device) {
                          double one = 1.0;
                          team.replicas(replica, device).all_reduce(std::span(&one, 1));
                      });
                  }).code(),
                  ErrorCode::interrupted);
}

}  // namespace
}  // namespace strata::parallel
