// Every example of the layer catalogue trains on many devices as on one: derived, so that a new
// layer is covered by its examples.
#include <gtest/gtest.h>

#include "engine/layers/catalogue.h"
#include "engine/selftest/example_model.h"
#include "tests/engine/graph/models.h"
#include "tests/engine/parallel/equality.h"

namespace strata::parallel {
namespace {

using graph::Model;
using layers::LayerDescription;
using layers::LayerExample;
using testing::Course;
using testing::Layout;
using testing::layout;

bool has_parameter(const LayerDescription& description, const std::string& key) {
    return std::any_of(description.spec.params.begin(), description.spec.params.end(),
                       [&](const layers::ParamSpec& param) { return param.key == key; });
}

// Those of batch statistics see other batches where a batch is cut into micro-batches.
bool takes_layout(const LayerDescription& description, const Layout& layout) {
    return !has_parameter(description, "synchronized") || layout.placement.micro_batches == 1;
}

// Replicas see the same batch where they take their statistics together.
LayerExample together(const LayerDescription& description, LayerExample example) {
    if (has_parameter(description, "synchronized")) example.config["synchronized"] = true;
    return example;
}

// The sources, the example, what flattens it and the classifier, over the layout's stages.
Model spread(Model model, const Layout& layout) {
    const int stages = layout.devices * layout.chunks;
    const auto count = static_cast<int>(model.layers.size());
    for (int i = 0; i < count; ++i)
        model.layers[static_cast<std::size_t>(i)].device =
            testing::device_name(std::max(0, i - count + 4) * stages / 4 % layout.devices);
    return model;
}

// Of emulated GPUs, which are slow, replicas and a pipeline of replicas.
std::vector<Layout> layouts() {
    using enum ScheduleKind;
    if (!testing::on_cpus()) return {layout(2, 1, one_f_one_b, 1), layout(2, 2, gpipe, 2)};
    return {layout(2, 1, one_f_one_b, 1), layout(2, 2, gpipe, 1), layout(4, 1, one_f_one_b, 1),
            layout(1, 2, naive, 3),       layout(1, 2, gpipe, 1), layout(1, 4, one_f_one_b, 1),
            layout(1, 4, one_f_one_b, 3), layout(2, 2, gpipe, 2), layout(1, 2, interleaved, 4)};
}

class EachLayerOnManyDevices : public ::testing::TestWithParam<const LayerDescription*> {};

TEST_P(EachLayerOnManyDevices, TrainsAsOnOne) {
    const graph::TrainingSetup setup = graph::testing::setup_of("SGD", {{"momentum", 0.9}});
    for (const LayerExample& plain : GetParam()->examples) {
        const LayerExample example = together(*GetParam(), plain);
        const Model model = selftest::model_around(*GetParam(), example);
        testing::Run run;
        if (!testing::on_cpus()) run.steps = 8;
        graph::Executor one(testing::on_one_device(model), &setup, testing::one_thread(run.batch));
        const Course expected = testing::course_of(one, run);
        for (const Layout& way : layouts()) {
            if (!takes_layout(*GetParam(), way)) continue;
            SCOPED_TRACE(example.name + " " + way.name);
            PlacedExecutor many(spread(model, way), &setup, testing::one_thread(run.batch),
                                way.placement);
            testing::expect_same(testing::course_of(many, run), expected);
            testing::expect_close(many.snapshot(true), one.snapshot(true), 2e-5);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachLayerOnManyDevices,
                         ::testing::ValuesIn(layers::catalogue()),
                         [](const auto& use) { return use.param->spec.type; });

}  // namespace
}  // namespace strata::parallel
