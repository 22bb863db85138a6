// Every project that the product brings along trains on many devices as on one, on images of 12 x
// 12 that its layers are cut down to.
#include <gtest/gtest.h>

#include "engine/train/evaluation.h"
#include "engine/train/run_config.h"
#include "tests/engine/parallel/equality.h"
#include "tests/engine/train/product_projects.h"

namespace strata::train {
namespace {

namespace same = parallel::testing;

graph::Model small(const graph::Model& model) {
    Json json = model.to_json();
    for (Json& layer : json["layers"])
        if (layer["type"] == "InputLayer" && layer["config"]["shape"].size() == 3) {
            layer["config"]["shape"][0] = 12;
            layer["config"]["shape"][1] = 12;
        }
    return graph::Model::from_json(json);
}

class PlacedTemplate : public ::testing::TestWithParam<std::string> {};

TEST_P(PlacedTemplate, TrainsAsOnOneDevice) {
    const RunConfig config = testing::product_projects().at(GetParam());
    const graph::TrainingSetup setup = make_setup(config.training);
    const graph::Model model = small(config.model);
    const same::Run run{20, 12, 0.001F, DType::uint8};
    graph::Executor one(same::on_one_device(model), &setup, same::one_thread(run.batch, run.input));
    const same::Course expected = same::course_of(one, run);
    EXPECT_LT(expected.losses.back(), expected.losses[3]) << "it learns";
    for (const same::Layout& way : same::all_layouts()) {
        SCOPED_TRACE(way.name);
        parallel::PlacedExecutor many(same::placed(model, way), &setup,
                                      same::one_thread(run.batch, run.input), way.placement);
        const same::Course course = same::course_of(many, run);
        same::expect_same(course, expected);
        EXPECT_EQ(course.metrics, expected.metrics);
    }
}

INSTANTIATE_TEST_SUITE_P(Projects, PlacedTemplate,
                         ::testing::ValuesIn(testing::product_project_names()), testing::test_name);

}  // namespace
}  // namespace strata::train
