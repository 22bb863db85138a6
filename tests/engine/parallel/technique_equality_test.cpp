// Each training technique on many devices. A pipeline's micro-batches are one device's accumulated
// ones, to the last bit; replicas sum in another order.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>

#include "tests/engine/parallel/equality.h"

namespace strata::parallel {
namespace {

using graph::Executor;
using graph::HostTensor;
using graph::Model;
using graph::TrainingSetup;
using graph::testing::batchless;
using graph::testing::branches;
using testing::Layout;
using testing::layout;

struct Technique {
    std::string name;
    std::function<void(TrainingSetup&)> prepare = [](TrainingSetup&) {};
    std::function<void(ops::StepScalars&)> set = [](ops::StepScalars&) {};
    bool recompute = false;
    // Scales by a norm, which is summed device by device.
    bool by_norm = false;
    double tolerance = 1e-5;  // of replicas
};

std::vector<Technique> techniques() {
    const auto limit = [](float c) {
        return [c](ops::StepScalars& scalars) { scalars.clip_limit = c; };
    };
    const auto clip = [](ops::ClipKind kind) {
        return [kind](TrainingSetup& setup) { setup.clip = kind; };
    };
    const auto precision = [](const char* name) {
        return [name](TrainingSetup& setup) { setup.precision = name; };
    };
    std::vector<Technique> all{{"plain"}};
    all.push_back({"clipvalue", clip(ops::ClipKind::value), limit(0.02F)});
    all.push_back({"clipnorm", [](TrainingSetup& setup) { setup.clip_by_variable = true; },
                   limit(0.05F), false, true});
    all.push_back({"global_clipnorm", clip(ops::ClipKind::global_norm), limit(0.1F), false, true});
    all.push_back({"ema", [](TrainingSetup& setup) { setup.ema_momentum = 0.9F; }});
    all.push_back({"weight_decay", [](TrainingSetup&) {},
                   [](ops::StepScalars& scalars) { scalars.weight_decay = 0.3F; }});
    all.push_back(
        {"deferred_statistics", [](TrainingSetup& setup) { setup.deferred_statistics = true; }});
    all.push_back({"recomputation", [](TrainingSetup&) {}, [](ops::StepScalars&) {}, true});
    all.push_back({"mixed_bfloat16", precision("mixed_bfloat16"), [](ops::StepScalars&) {}, false,
                   false, 2e-3});
    all.push_back({"mixed_float16", precision("mixed_float16"),
                   [](ops::StepScalars& scalars) { scalars.loss_scale = 1024.0F; }, false, false,
                   1e-3});
    all.push_back({"all",
                   [](TrainingSetup& setup) {
                       setup.precision = "mixed_float16";
                       setup.clip = ops::ClipKind::global_norm;
                       setup.ema_momentum = 0.8F;
                       setup.deferred_statistics = true;
                   },
                   [](ops::StepScalars& scalars) {
                       scalars.loss_scale = 512.0F;
                       scalars.clip_limit = 0.1F;
                       scalars.weight_decay = 0.1F;
                   },
                   true, true, 1e-3});
    return all;
}

constexpr std::int64_t batch = 12;
const std::vector<std::vector<std::int64_t>> windows{{12, 12, 5}, {12},         {7, 12},
                                                     {2},         {12, 12, 12}, {5, 3}};

struct Window {
    double loss = 0.0;
    graph::UpdateResult update;
};

// parts_of: the sizes of the micro-batches in which a batch is given.
using PartsOf = std::function<std::vector<std::int64_t>(std::int64_t n)>;

std::vector<Window> windows_of(graph::ModelExecutor& executor, const Technique& technique,
                               const PartsOf& parts_of) {
    std::vector<Window> all;
    executor.initialize(5);
    const std::size_t sample = testing::batch_for(executor.model(), 1, 0).inputs.size();
    std::int64_t shown = 0;
    std::uint32_t step = 0;
    for (const auto& sizes : windows) {
        Window window;
        const std::int64_t samples_of_window =
            std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
        std::int64_t before = 0;
        ops::StepScalars scalars =
            graph::testing::scalars_of(0.02F, static_cast<std::int64_t>(all.size()) + 1);
        technique.set(scalars);
        for (const std::int64_t n : sizes) {
            const testing::Batch data = testing::batch_for(executor.model(), n, 40 + step);
            const std::vector<std::int64_t> parts = parts_of(n);
            std::int64_t done = 0;
            for (const std::int64_t part : parts) {
                scalars.step = step;
                scalars.first_in_window = before == 0;
                // Every other window, so that sums are made beside the backward pass and after it.
                scalars.last_in_window = all.size() % 2 == 0 && before + part == samples_of_window;
                scalars.first_sample = shown;
                executor.accumulate(data.inputs.data() + static_cast<std::size_t>(done) * sample,
                                    data.labels.data() + done, part, scalars);
                before += part;
                shown += part;
                done += part;
            }
            ++step;
        }
        window.update = executor.update(before, scalars);
        window.loss = window.update.loss_sum;
        all.push_back(window);
    }
    return all;
}

std::vector<std::int64_t> whole(std::int64_t n) {
    return {n};
}

PartsOf in_parts(int parts) {
    return [parts](std::int64_t n) {
        const std::int64_t count = std::min<std::int64_t>(n, parts);
        std::vector<std::int64_t> sizes;
        for (std::int64_t i = 0; i < count; ++i)
            sizes.push_back(n / count + (i < n % count ? 1 : 0));
        return sizes;
    };
}

Model with(Model model, const Technique& technique) {
    for (graph::LayerNode& node : model.layers) node.recompute = technique.recompute;
    return model;
}

TrainingSetup setup_for(const Technique& technique) {
    TrainingSetup setup = graph::testing::setup_of("Adam");
    setup.accumulates = true;
    technique.prepare(setup);
    return setup;
}

class EachTechnique : public ::testing::TestWithParam<Technique> {};

TEST_P(EachTechnique, PipelinesAccumulateLikeOneDevice) {
    const Technique& technique = GetParam();
    const TrainingSetup setup = setup_for(technique);
    const Model model = with(branches(), technique);
    using enum ScheduleKind;
    for (const Layout& way : {layout(1, 2, naive, 3), layout(1, 3, gpipe, 2),
                              layout(1, 2, one_f_one_b, 5), layout(1, 4, one_f_one_b, 3)}) {
        SCOPED_TRACE(way.name);
        Executor one(testing::on_one_device(model), &setup, testing::one_thread(batch));
        PlacedExecutor many(testing::placed(model, way), &setup, testing::one_thread(batch),
                            way.placement);
        const auto expected = windows_of(one, technique, in_parts(way.placement.micro_batches));
        const auto got = windows_of(many, technique, whole);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (technique.by_norm)
                EXPECT_NEAR(got[i].loss, expected[i].loss, 1e-6 * expected[i].loss) << i;
            else
                EXPECT_DOUBLE_EQ(got[i].loss, expected[i].loss) << i;
            EXPECT_NEAR(got[i].update.gradient_norm, expected[i].update.gradient_norm,
                        1e-5 * expected[i].update.gradient_norm);
            EXPECT_TRUE(got[i].update.applied);
        }
        if (technique.by_norm)
            testing::expect_close(many.snapshot(true), one.snapshot(true), technique.tolerance);
        else
            testing::expect_equal(many.snapshot(true), one.snapshot(true));
    }
}

TEST_P(EachTechnique, ReplicasTrainAsOneDevice) {
    const Technique& technique = GetParam();
    const TrainingSetup setup = setup_for(technique);
    const Model model = with(batchless(), technique);
    Executor one(testing::on_one_device(model), &setup, testing::one_thread(batch));
    const auto expected = windows_of(one, technique, whole);
    using enum ScheduleKind;
    for (const Layout& way : {layout(2, 1, one_f_one_b, 1), layout(4, 1, one_f_one_b, 2),
                              layout(2, 2, gpipe, 2), layout(2, 3, one_f_one_b, 4)}) {
        SCOPED_TRACE(way.name);
        PlacedExecutor many(testing::placed(model, way), &setup, testing::one_thread(batch),
                            way.placement);
        const auto got = windows_of(many, technique, whole);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_NEAR(got[i].loss, expected[i].loss, technique.tolerance * expected[i].loss) << i;
            EXPECT_NEAR(got[i].update.gradient_norm, expected[i].update.gradient_norm,
                        10 * technique.tolerance * expected[i].update.gradient_norm);
        }
        testing::expect_close(many.snapshot(true), one.snapshot(true), 20 * technique.tolerance);
    }
}

INSTANTIATE_TEST_SUITE_P(Techniques, EachTechnique, ::testing::ValuesIn(techniques()),
                         [](const auto& use) { return use.param.name; });

// The weights of the last layer make the gradient too large for float16 in the first stage alone:
// the last stage's own is finite, and still no device changes anything.
TEST(TechniqueEquality, AnOverflowOnTheFirstStageAloneSkipsAll) {
    TrainingSetup setup = graph::testing::setup_of("Adam");
    setup.precision = "mixed_float16";
    setup.ema_momentum = 0.9F;
    const Model model = graph::testing::model_of(
        {graph::testing::layer("input", "InputLayer", {{"shape", {6}}}),
         graph::testing::layer("first", "Dense", {{"units", 4}}),
         graph::testing::layer("bend", "Activation", {{"activation", "tanh"}}),
         graph::testing::layer("last", "Dense", {{"units", 3}}),
         graph::testing::layer("classes", "Activation", {{"activation", "softmax"}})});
    using enum ScheduleKind;
    for (const Layout& way :
         {layout(1, 2, gpipe, 2), layout(1, 2, one_f_one_b, 4), layout(2, 2, one_f_one_b, 2)}) {
        SCOPED_TRACE(way.name);
        PlacedExecutor many(testing::placed(model, way), &setup, testing::one_thread(batch),
                            way.placement);
        ASSERT_NE(many.model().layer("first").device, many.model().layer("last").device);
        many.initialize(5);
        auto state = many.snapshot(true);
        for (HostTensor& tensor : state)
            if (tensor.layer == "last" && tensor.role == "kernel" && tensor.slot.empty())
                for (float& value : tensor.values) value *= 4000.0F;
        many.restore(state);
        const auto before = many.snapshot(true);
        const testing::Batch data = testing::batch_for(model, batch, 1);
        ops::StepScalars scalars = graph::testing::scalars_of(0.01F);
        scalars.loss_scale = 1024.0F;
        const auto result = many.train_step(data.inputs.data(), data.labels.data(), batch, scalars);
        EXPECT_FALSE(result.applied);
        for (const HostTensor& gradient : many.gradients()) {
            const bool finite = std::all_of(gradient.values.begin(), gradient.values.end(),
                                            [](float value) { return std::isfinite(value); });
            if (gradient.layer == "last") {
                EXPECT_TRUE(finite) << gradient.role;
            } else if (gradient.role == "kernel") {
                EXPECT_FALSE(finite) << gradient.layer;
            }
        }
        testing::expect_equal(many.snapshot(true), before);
        scalars.loss_scale = 1.0F;
        EXPECT_TRUE(
            many.train_step(data.inputs.data(), data.labels.data(), batch, scalars).applied);
    }
}

// One micro-batch of a window with Inf, on one replica: the whole window is skipped.
TEST(TechniqueEquality, AnInfInAWindowSkipsTheWindow) {
    TrainingSetup setup = graph::testing::setup_of("Adam");
    setup.accumulates = true;
    const Layout way = layout(2, 2, ScheduleKind::one_f_one_b, 2);
    PlacedExecutor many(testing::placed(batchless(), way), &setup, testing::one_thread(batch),
                        way.placement);
    many.initialize(5);
    const auto before = many.snapshot(true);
    for (const int bad : {0, 1, 2}) {
        ops::StepScalars scalars = graph::testing::scalars_of(0.01F);
        for (int k = 0; k < 3; ++k) {
            testing::Batch data = testing::batch_for(many.model(), batch, 1);
            const float infinity = std::numeric_limits<float>::infinity();
            if (k == bad)
                std::memcpy(data.inputs.data() + data.inputs.size() - sizeof infinity, &infinity,
                            sizeof infinity);
            scalars.first_in_window = k == 0;
            scalars.samples_before = k * batch;
            many.accumulate(data.inputs.data(), data.labels.data(), batch, scalars);
        }
        EXPECT_FALSE(many.update(3 * batch, scalars).applied) << bad;
        testing::expect_equal(many.snapshot(true), before);
    }
}

}  // namespace
}  // namespace strata::parallel
