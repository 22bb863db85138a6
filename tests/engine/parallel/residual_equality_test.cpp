// A residual network whose branches lie on different devices.
#include <gtest/gtest.h>

#include "tests/engine/parallel/equality.h"

namespace strata::parallel {
namespace {

using graph::Model;
using graph::testing::layer;
using graph::testing::model_of;
using testing::Course;
using testing::Layout;
using testing::layout;

Json convolution(int filters, int size, int stride = 1) {
    return {{"filters", filters}, {"kernel_size", size}, {"strides", stride}, {"padding", "same"}};
}

// Three blocks: an identity skip, a projected one, and one of two branches that are concatenated.
Model residual(bool normalized, bool synchronized = false) {
    const auto bend = [&](const std::string& name, const std::string& source) {
        return normalized
                   ? layer(name, "BatchNormalization", {{"synchronized", synchronized}}, {source})
                   : layer(name, "Activation", {{"activation", "softsign"}}, {source});
    };
    const Json tanh{{"activation", "tanh"}}, none = Json::object();
    return model_of(
        {layer("input", "InputLayer", {{"shape", {8, 8, 2}}}),
         layer("stem", "Conv2D", convolution(4, 3), {"input"}), bend("stem_norm", "stem"),
         layer("stem_act", "Activation", tanh, {"stem_norm"}),
         layer("a_conv", "Conv2D", convolution(4, 3), {"stem_act"}), bend("a_norm", "a_conv"),
         layer("a_sum", "Add", none, {"a_norm", "stem_act"}),
         layer("a_act", "Activation", tanh, {"a_sum"}),
         layer("b_conv", "Conv2D", convolution(6, 3, 2), {"a_act"}), bend("b_norm", "b_conv"),
         layer("b_skip", "Conv2D", convolution(6, 1, 2), {"a_act"}),
         layer("b_sum", "Add", none, {"b_norm", "b_skip"}),
         layer("c_left", "Conv2D", convolution(3, 3), {"b_sum"}),
         layer("c_right", "Conv2D", convolution(5, 1), {"b_sum"}),
         layer("c_drop", "Dropout", {{"rate", 0.3}}, {"c_right"}),
         layer("c_cat", "Concatenate", none, {"c_left", "c_drop"}),
         layer("mean", "GlobalAveragePooling2D", none, {"c_cat"}),
         layer("classes", "Dense", {{"units", 4}, {"activation", "softmax"}}, {"mean"})});
}

// Devices by layer: the right branches on others than the left ones.
Model spread(Model model, int devices) {
    const auto place = [&](const char* name, int device) {
        model.layers[static_cast<std::size_t>(model.index_of(name))].device =
            testing::device_name(device % devices);
    };
    for (const char* name : {"b_conv", "b_norm", "c_left"}) place(name, 1);
    for (const char* name : {"b_skip", "c_right", "c_drop"}) place(name, 2);
    for (const char* name : {"a_conv", "a_norm", "c_cat", "mean", "classes"}) place(name, 3);
    return model;
}

std::vector<Layout> layouts() {
    using enum ScheduleKind;
    return {layout(1, 2, naive, 3),       layout(1, 2, gpipe, 5), layout(1, 3, one_f_one_b, 2),
            layout(1, 4, one_f_one_b, 5), layout(1, 4, gpipe, 3), layout(2, 2, one_f_one_b, 3),
            layout(2, 4, naive, 1)};
}

TEST(ResidualEquality, BranchesOnDifferentDevices) {
    const graph::TrainingSetup setup = graph::testing::setup_of("SGD", {{"momentum", 0.9}});
    graph::Executor one(residual(false), &setup, testing::one_thread(12));
    const Course expected = testing::course_of(one);
    for (const Layout& way : layouts()) {
        SCOPED_TRACE(way.name);
        const Model model = spread(residual(false), way.devices);
        PlacedExecutor many(model, &setup, testing::one_thread(12), way.placement);
        testing::expect_same(testing::course_of(many), expected);
        testing::expect_close(many.snapshot(true), one.snapshot(true), 2e-5);
    }
}

// In file order, so that skips pass over whole stages; also interleaved.
TEST(ResidualEquality, SkipsOverStages) {
    const graph::TrainingSetup setup = graph::testing::setup_of("Adam");
    graph::Executor one(residual(false), &setup, testing::one_thread(12));
    testing::Run run;
    run.learning_rate = 0.002F;
    const Course expected = testing::course_of(one, run);
    for (const Layout& way : testing::all_layouts()) {
        SCOPED_TRACE(way.name);
        PlacedExecutor many(testing::placed(residual(false), way), &setup, testing::one_thread(12),
                            way.placement);
        testing::expect_same(testing::course_of(many, run), expected);
    }
}

// Stages dealt out in turn, the first one of which the second and the third read.
TEST(ResidualEquality, InterleavedSkips) {
    const graph::TrainingSetup setup = graph::testing::setup_of("SGD", {{"momentum", 0.9}});
    graph::Executor one(residual(false), &setup, testing::one_thread(12));
    const Course expected = testing::course_of(one);
    Model model = residual(false);
    for (const char* name :
         {"a_conv", "a_norm", "c_left", "c_right", "c_drop", "c_cat", "mean", "classes"})
        model.layers[static_cast<std::size_t>(model.index_of(name))].device =
            testing::device_name(1);
    for (const int micro_batches : {2, 4}) {
        for (const int replicas : {1, 2}) {
            const Layout way = layout(replicas, 2, ScheduleKind::interleaved, micro_batches);
            SCOPED_TRACE(way.name);
            PlacedExecutor many(model, &setup, testing::one_thread(12), way.placement);
            testing::expect_same(testing::course_of(many), expected);
            testing::expect_close(many.snapshot(true), one.snapshot(true), 2e-5);
        }
    }
}

// One micro-batch and one replica: every statistic is of the whole batch.
TEST(ResidualEquality, NormalizedBranchesGiveTheSameBits) {
    const graph::TrainingSetup setup = graph::testing::setup_of("Adam");
    graph::Executor one(residual(true), &setup, testing::one_thread(12));
    const Course expected = testing::course_of(one);
    for (const int devices : {2, 3, 4}) {
        PlacedExecutor many(spread(residual(true), devices), &setup, testing::one_thread(12),
                            layout(1, devices, ScheduleKind::one_f_one_b, 1).placement);
        EXPECT_EQ(testing::course_of(many).losses, expected.losses);
        testing::expect_equal(many.snapshot(true), one.snapshot(true));
    }
}

// The replicas' branches on several devices, normalised by the statistics of all of them.
TEST(ResidualEquality, NormalizedBranchesOfReplicasTogether) {
    const graph::TrainingSetup setup = graph::testing::setup_of("SGD", {{"momentum", 0.9}});
    graph::Executor one(residual(true, true), &setup, testing::one_thread(12));
    const Course expected = testing::course_of(one);
    using enum ScheduleKind;
    for (const Layout& way : {layout(2, 4, one_f_one_b, 1), layout(4, 2, gpipe, 1),
                              layout(3, 1, naive, 1), layout(2, 3, naive, 1)}) {
        SCOPED_TRACE(way.name);
        PlacedExecutor many(spread(residual(true, true), way.devices), &setup,
                            testing::one_thread(12), way.placement);
        testing::expect_same(testing::course_of(many), expected);
        testing::expect_close(many.snapshot(true), one.snapshot(true), 2e-5);
    }
}

}  // namespace
}  // namespace strata::parallel
