// Dropout draws the same mask for a sample on any placement. The masks are read from a gradient:
// with kernel 0 and inputs 2^n for the n-th sample, the bits of a weight's gradient say which
// samples its input was kept for.
#include <gtest/gtest.h>

#include "tests/engine/parallel/equality.h"

namespace strata::parallel {
namespace {

using graph::HostTensor;
using graph::Model;
using graph::testing::layer;
using graph::testing::model_of;
using testing::Layout;

constexpr std::int64_t width = 40, batch = 12;

Model dropping() {
    return model_of({layer("input", "InputLayer", {{"shape", {width}}}),
                     layer("before", "Activation", {{"activation", "linear"}}),
                     layer("drop", "Dropout", {{"rate", 0.5}}),
                     layer("after", "Activation", {{"activation", "linear"}}),
                     layer("output", "Dense", {{"units", 1}, {"use_bias", false}})});
}

// Of each weight, a bit a sample. The loss (y - t)^2 with y = 0 and t = -1/2 has slope 1; what is
// kept is doubled.
std::vector<int> masks_of(graph::ModelExecutor& executor, std::int64_t n, int step) {
    std::vector<float> x, t(static_cast<std::size_t>(n), -0.5F);
    for (std::int64_t sample = 0; sample < n; ++sample)
        x.insert(x.end(), static_cast<std::size_t>(width),
                 std::ldexp(1.0F, static_cast<int>(sample)));
    executor.restore(std::vector<HostTensor>{
        {"output", "kernel", "", Shape{width, 1}, std::vector<float>(width, 0.0F)}});
    ops::StepScalars scalars = graph::testing::scalars_of(0.0F, step + 1);
    scalars.first_sample = step * batch;
    executor.train_step(x.data(), t.data(), n, scalars);
    const std::vector<HostTensor> gradients = executor.gradients();
    std::vector<int> masks;
    for (const float value : gradients.at(0).values)
        masks.push_back(static_cast<int>(value / 2.0F));
    return masks;
}

TEST(MaskEquality, IsTheSameOnEveryPlacement) {
    const graph::TrainingSetup setup =
        graph::testing::setup_of("SGD", Json::object(), "mean_squared_error", {});
    const std::vector<std::int64_t> sizes{batch, batch, 5, 1, 3};
    graph::Executor one(dropping(), &setup, testing::one_thread(batch));
    one.initialize(1);
    std::vector<std::vector<int>> expected;
    for (std::size_t step = 0; step < sizes.size(); ++step)
        expected.push_back(masks_of(one, sizes[step], static_cast<int>(step)));

    std::set<std::vector<bool>> rows;  // of the first two steps' samples
    for (std::size_t step : {0u, 1u})
        for (int sample = 0; sample < batch; ++sample) {
            std::vector<bool> row;
            int kept = 0;
            for (const int mask : expected[step]) {
                row.push_back((mask >> sample & 1) != 0);
                kept += mask >> sample & 1;
            }
            EXPECT_TRUE(rows.insert(row).second) << "two samples share a mask";
            EXPECT_GT(kept, width / 5);
            EXPECT_LT(kept, width - width / 5);
        }

    for (const Layout& way : testing::all_layouts()) {
        SCOPED_TRACE(way.name);
        PlacedExecutor many(testing::placed(dropping(), way), &setup, testing::one_thread(batch),
                            way.placement);
        many.initialize(1);
        for (std::size_t step = 0; step < sizes.size(); ++step)
            EXPECT_EQ(masks_of(many, sizes[step], static_cast<int>(step)), expected[step]) << step;
    }
}

// The backward pass of a recomputed stage sees the mask of its first forward pass, too.
TEST(MaskEquality, IsTheSameWhenRecomputed) {
    const graph::TrainingSetup setup =
        graph::testing::setup_of("SGD", Json::object(), "mean_squared_error", {});
    const Layout way = testing::layout(2, 2, ScheduleKind::one_f_one_b, 3);
    Model model = testing::placed(dropping(), way);
    PlacedExecutor plain(model, &setup, testing::one_thread(batch), way.placement);
    for (graph::LayerNode& node : model.layers) node.recompute = true;
    PlacedExecutor again(model, &setup, testing::one_thread(batch), way.placement);
    plain.initialize(1);
    again.initialize(1);
    for (int step : {0, 1, 2}) EXPECT_EQ(masks_of(again, 11, step), masks_of(plain, 11, step));
}

}  // namespace
}  // namespace strata::parallel
