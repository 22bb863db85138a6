// Models from and to JSON, and every fault named by its layer.
#include "engine/graph/model.h"

#include <gtest/gtest.h>

#include "tests/engine/graph/models.h"
#include "tests/engine/layers/error_of.h"

namespace strata::graph {
namespace {

using strata::testing::error_of;
using testing::branches;
using testing::layer;
using testing::model_of;

TEST(Models, ReadBackWhatTheyWrite) {
    for (const Model& model : {testing::classic(), testing::cnn(), branches()}) {
        const Json json = model.to_json();
        const Model again = Model::from_json(parse_json(json.dump(), "x"));
        EXPECT_EQ(again.to_json(), json);
        ASSERT_EQ(again.layers.size(), model.layers.size());
        for (std::size_t i = 0; i < model.layers.size(); ++i) {
            EXPECT_EQ(again.layers[i].type, model.layers[i].type);
            EXPECT_EQ(again.layers[i].config.json(), model.layers[i].config.json());
            EXPECT_EQ(again.layers[i].inputs, model.layers[i].inputs);
        }
    }
    const Json device = {
        {"layers",
         {{{"name", "a"}, {"type", "Flatten"}, {"inputs", Json::array()}, {"device", "cuda:1"}}}}};
    EXPECT_EQ(Model::from_json(device).to_json(), device);
}

TEST(Models, AreCountedAsKerasCounts) {
    const ModelReport report = require_valid(testing::classic());
    EXPECT_EQ(report.parameters, 784 * 128 + 128 + 128 * 10 + 10);
    EXPECT_EQ(report.trainable_parameters, report.parameters);
    EXPECT_EQ(*report.layers[2].output, Shape{784});
    EXPECT_EQ(report.input, 0);
    EXPECT_EQ(report.output, 4);
    const ModelReport other = require_valid(branches());
    EXPECT_EQ(other.parameters - other.trainable_parameters, 8) << "the moving statistics";
    EXPECT_EQ(require_valid(testing::cnn()).parameters, 9 * 8 + 8 + 9 * 8 * 16 + 16 + 4010);
}

TEST(Models, TheOrderOfTheFileIsFree) {
    Model model = branches();
    std::reverse(model.layers.begin(), model.layers.end());
    const ModelReport report = require_valid(model);
    std::vector<int> place(model.layers.size(), -1);
    for (std::size_t i = 0; i < report.order.size(); ++i)
        place[static_cast<std::size_t>(report.order[i])] = static_cast<int>(i);
    for (std::size_t i = 0; i < model.layers.size(); ++i)
        for (const std::string& input : model.layers[i].inputs)
            EXPECT_LT(place[static_cast<std::size_t>(model.index_of(input))], place[i]);
    EXPECT_EQ(report.parameters, require_valid(branches()).parameters);
}

struct BadJson {
    Json layers;
    const char* where;
    const char* says;
};

TEST(Models, FaultsOfTheFileAreNamed) {
    const Json input = layer("in", "InputLayer", {{"shape", {4}}});
    const BadJson cases[] = {
        {{input, layer("a", "Desne")}, "layer 'a', type", "'Dense'"},
        {{input, layer("a", "Dense", {{"unit", 3}})}, "layer 'a'", "'units'"},
        {{input, layer("a", "Dense", {{"units", 0}})}, "layer 'a', units", "at least 1"},
        {{input, layer("a", "Dense")}, "layer 'a', units", "no value"},
        {{input, layer("a", "Flatten"), layer("a", "Flatten")}, "model.layers", "'a'"},
        {{input, layer("a", "Flatten", {}, {"b"})}, "layer 'a', inputs", "no layer 'b'"},
        {{input, {{"name", "a"}, {"type", "Flatten"}, {"input", "in"}}},
         "model.layers[1]",
         "'inputs'"},
        {{input, {{"name", "a"}, {"type", "Flatten"}, {"inputs", "in"}}},
         "layer 'a', inputs",
         "list"},
        {{input, {{"name", "a"}, {"type", "Flatten"}, {"inputs", {1}}}},
         "layer 'a', inputs",
         "found 1"},
        {{{{"type", "Flatten"}}}, "model.layers[0].name", "needs a name"},
        {{input, {{"name", 3}, {"type", "Flatten"}}}, "model.layers[1].name", "a text"},
        {{3}, "model.layers[0]", "an object"}};
    for (const BadJson& bad : cases) {
        const Error error = error_of([&] { Model::from_json({{"layers", bad.layers}}); });
        EXPECT_EQ(error.where(), bad.where) << error.what();
        EXPECT_NE(std::string(error.what()).find(bad.says), std::string::npos) << error.what();
    }
    EXPECT_EQ(error_of([] { Model::from_json({{"layers", 3}}); }).where(), "model.layers");
    EXPECT_EQ(error_of([] { Model::from_json({{"layer", 3}}); }).where(), "model");
}

struct BadGraph {
    std::vector<Json> layers;
    const char* where;
    const char* says;
};

TEST(Models, FaultsOfTheGraphAreNamed) {
    const Json in = layer("in", "InputLayer", {{"shape", {4}}});
    const Json in_2 = layer("in_2", "InputLayer", {{"shape", {4}}});
    const Json none = Json::object();
    const BadGraph cases[] = {
        {{}, "model", "no layers"},
        {{layer("a", "Flatten", none, std::vector<std::string>{})}, "layer 'a', inputs", "takes 1"},
        {{in, layer("a", "Add", none, {"in", "b"}), layer("b", "Flatten", none, {"a"})},
         "layer 'a', inputs",
         "itself"},
        {{in, layer("a", "Flatten", none, {"in"}), layer("b", "Flatten", none, {"in"})},
         "model",
         "several outputs: 'a' and 'b'"},
        {{in, in_2, layer("a", "Add", none, {"in", "in_2"})}, "model", "'in' and 'in_2'"},
        {{in, layer("a", "Conv2D", {{"filters", 2}, {"kernel_size", 3}})},
         "layer 'a'",
         "needs an image"},
        {{in, layer("a", "Dense", {{"units", 3}}, {"in"}), layer("b", "Add", none, {"a", "in"})},
         "layer 'b'",
         "(3,) and (4,)"},
        {{in, layer("a", "Flatten", none, {"in", "in"})}, "layer 'a', inputs", "takes 1 input"},
        {{in, layer("a", "Reshape", {{"target_shape", {3}}})}, "layer 'a', target_shape", "4"}};
    for (const BadGraph& bad : cases) {
        const Model model = model_of(bad.layers);
        const Error error = error_of([&] { require_valid(model); });
        EXPECT_EQ(error.where(), bad.where) << error.what();
        EXPECT_NE(error.message().find(bad.says), std::string::npos) << error.what();
        EXPECT_FALSE(error.hint().empty()) << error.what();
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    }
}

TEST(Models, OnlyLayersOnTheCycleAreBlamedForIt) {
    const Json none = Json::object();
    const Model model = model_of(
        {layer("in", "InputLayer", {{"shape", {4}}}), layer("a", "Add", none, {"in", "b"}),
         layer("b", "Flatten", none, {"a"}), layer("behind", "Flatten", none, {"b"}),
         layer("last", "Flatten", none, {"behind"}), layer("self", "Add", none, {"in", "self"})});
    const ModelReport report = analyze(model);
    for (const char* name : {"a", "b", "self"})
        EXPECT_TRUE(report.layers[static_cast<std::size_t>(model.index_of(name))].error) << name;
    for (const char* name : {"in", "behind", "last"})
        EXPECT_FALSE(report.layers[static_cast<std::size_t>(model.index_of(name))].error) << name;
    EXPECT_FALSE(report.layers[3].output);
}

TEST(Models, AFaultHidesNoOtherLayer) {
    const Model model = model_of({layer("in", "InputLayer", {{"shape", {4}}}),
                                  layer("a", "Reshape", {{"target_shape", {3}}}),
                                  layer("b", "Dense", {{"units", 3}}, {"a"}),
                                  layer("c", "Dense", {{"units", 3}}, {"in"}),
                                  layer("d", "Add", Json::object(), {"b", "c"})});
    const ModelReport report = analyze(model);
    EXPECT_TRUE(report.layers[1].error);
    EXPECT_FALSE(report.layers[2].error) << "not its own fault";
    EXPECT_FALSE(report.layers[2].output);
    EXPECT_EQ(*report.layers[3].output, Shape{3});
    EXPECT_FALSE(report.layers[4].error);
    EXPECT_EQ(report.layers[3].parameters, 15);
}

}  // namespace
}  // namespace strata::graph
