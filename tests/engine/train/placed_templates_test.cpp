// Every project that the product brings along trains on many devices as on one, on images of 12 x
// 12 that its layers are cut down to.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "engine/train/evaluation.h"
#include "engine/train/run_config.h"
#include "tests/engine/parallel/equality.h"

namespace strata::train {
namespace {

namespace same = parallel::testing;

std::map<std::string, RunConfig> projects() {
    std::map<std::string, RunConfig> all;
    for (const Template& entry : templates()) all[entry.name] = make_template(entry.name);
    for (const auto& file :
         std::filesystem::directory_iterator(STRATA_SOURCE_DIR "/resources/examples"))
        if (file.path().extension() == ".strata")
            all[file.path().filename().string()] = load_project(file.path().string());
    return all;
}

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
    const RunConfig config = projects().at(GetParam());
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

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& [name, config] : projects()) all.push_back(name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(Projects, PlacedTemplate, ::testing::ValuesIn(names()),
                         [](const auto& test) {
                             std::string name = test.param;
                             for (char& c : name)
                                 if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                             return name;
                         });

}  // namespace
}  // namespace strata::train
