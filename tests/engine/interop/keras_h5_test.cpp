// Our .h5 files come back as they went, and a changed byte is noticed; refusals of Keras models.
#include "engine/interop/keras_h5.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/interop/keras_config.h"
#include "tests/engine/interop/keras_files.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::interop {
namespace {

using graph::testing::branches;
using graph::testing::layer;
using graph::testing::model_of;
using strata::testing::content_of;
using strata::testing::error_of;
using strata::testing::put;
using strata::testing::TemporaryDirectory;
using testing::filled_file;

void expect_equal(const std::vector<graph::HostTensor>& a,
                  const std::vector<graph::HostTensor>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].layer, b[i].layer);
        EXPECT_EQ(a[i].role, b[i].role);
        EXPECT_EQ(a[i].slot, b[i].slot);
        EXPECT_EQ(a[i].shape, b[i].shape);
        EXPECT_EQ(a[i].values, b[i].values) << a[i].layer << "/" << a[i].role;
    }
}

TEST(KerasH5, EverythingComesBack) {
    const TemporaryDirectory directory;
    const std::string path = (directory / "বাংলা 日本.h5").string();
    for (const KerasFile& file :
         {filled_file(branches()), filled_file(graph::testing::cnn(), "SGD", {{"momentum", 0.5}}),
          filled_file(graph::testing::classic(), "SGD")}) {
        write_keras_h5(path, file);
        const KerasFile read = read_keras_h5(path);
        EXPECT_EQ(read.model.to_json(), file.model.to_json());
        EXPECT_EQ(read.compile, file.compile);
        EXPECT_EQ(read.training_state, file.training_state);
        expect_equal(read.weights, file.weights);
        expect_equal(read.optimizer, file.optimizer);
    }
}

TEST(KerasH5, NamesThatHdf5OrKerasRefuseComeBack) {
    const TemporaryDirectory directory;
    const std::string path = (directory / "a.h5").string();
    const KerasFile file = filled_file(model_of(
        {layer("in/put", "InputLayer", {{"shape", {4}}}), layer("a/b", "Dense", {{"units", 3}}),
         layer("a_b", "Dense", {{"units", 3}}), layer(".", "Dense", {{"units", 3}}),
         layer("top_level_model_weights", "Dense", {{"units", 2}})}));
    write_keras_h5(path, file);
    expect_equal(read_keras_h5(path).weights, file.weights);
}

TEST(KerasH5, AFlippedByteOfAnyTensorIsNoticed) {
    const TemporaryDirectory directory;
    const std::string path = (directory / "a.h5").string();
    const KerasFile file = filled_file(branches());
    write_keras_h5(path, file);
    const std::string good = content_of(path);
    std::vector<graph::HostTensor> all = file.weights;
    all.insert(all.end(), file.optimizer.begin(), file.optimizer.end());
    int flips = 0;
    for (const graph::HostTensor& tensor : all) {
        const std::string payload(reinterpret_cast<const char*>(tensor.values.data()),
                                  tensor.values.size() * sizeof(float));
        const std::size_t at = good.find(payload);
        ASSERT_NE(at, std::string::npos);
        for (std::size_t i = 0; i < payload.size(); i += 1 + payload.size() / 16) {
            std::string bad = good;
            bad[at + i] = static_cast<char>(bad[at + i] ^ (1 << (i % 8)));
            put(path, bad);
            const Error error = error_of([&] { verify_keras_h5(path); });
            EXPECT_NE(error.message().find("checksum"), std::string::npos) << error.what();
            ++flips;
        }
    }
    EXPECT_GT(flips, 300);
}

TEST(KerasH5, ACutOrForeignFileIsRefusedByName) {
    const TemporaryDirectory directory;
    const std::string path = (directory / "a.h5").string();
    EXPECT_EQ(error_of([&] { read_keras_h5(path); }).code(), ErrorCode::not_found);
    write_keras_h5(path, filled_file(graph::testing::cnn()));
    const std::string good = content_of(path);
    for (std::size_t n = 0; n < good.size(); n += good.size() / 97) {
        put(path, good.substr(0, n));
        const Error error = error_of([&] { read_keras_h5(path); });
        EXPECT_EQ(error.code(), ErrorCode::format) << n;
        EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
}

Json dense_model(const std::string& class_name, Json config) {
    config["name"] = "second";
    const Json input = {{"class_name", "InputLayer"},
                        {"config", {{"name", "in"}, {"batch_shape", {nullptr, 4}}}}};
    const Json other = {{"class_name", class_name}, {"config", std::move(config)}};
    return {{"class_name", "Sequential"}, {"config", {{"layers", {input, other}}}}};
}

TEST(KerasConfig, CodeInAFileIsRefusedByName) {
    const Error lambda = error_of([] {
        model_from_keras(dense_model("Lambda", {{"function", {"4wEAAAA=", nullptr, nullptr}}}));
    });
    EXPECT_EQ(lambda.code(), ErrorCode::unsupported);
    EXPECT_NE(lambda.message().find("Lambda"), std::string::npos);
    EXPECT_EQ(lambda.where(), "layer 'second'");
    const Error function = error_of([] {
        model_from_keras(dense_model(
            "Dense",
            {{"units", 2},
             {"activation", {{"class_name", "__lambda__"}, {"config", {{"value", "x"}}}}}}));
    });
    EXPECT_EQ(function.where(), "layer 'second', activation");
    const auto message = [](const Json& model) {
        return error_of([&] { model_from_keras(model); }).message();
    };
    EXPECT_NE(message(dense_model("LSTM", {})).find("LSTM"), std::string::npos);
    EXPECT_NE(message(dense_model("Sequential", {})).find("inside"), std::string::npos);
    EXPECT_NE(message({{"class_name", "MyModel"}}).find("MyModel"), std::string::npos);
}

TEST(KerasConfig, UnknownSettingsAreRefusedUnlessTheySayNothing) {
    const auto model = model_from_keras(dense_model(
        "Dense", {{"units", 3}, {"lora_rank", nullptr}, {"kernel_regularizer", {{"l2", 1}}}}));
    EXPECT_EQ(model.layers[1].config.integer("units"), 3);
    EXPECT_EQ(error_of([] {
                  model_from_keras(dense_model("Dense", {{"units", 3}, {"lora_rank", 4}}));
              }).where(),
              "layer 'second', lora_rank");
    EXPECT_EQ(error_of([] {
                  model_from_keras(dense_model("Flatten", {{"data_format", "channels_first"}}));
              }).where(),
              "layer 'second', data_format");
}

TEST(KerasConfig, BothFormsOfConnectionsAreRead) {
    const auto entry = [](const std::string& name, const std::string& type, Json config,
                          Json nodes) {
        config["name"] = name;
        return Json{
            {"class_name", type}, {"name", name}, {"config", config}, {"inbound_nodes", nodes}};
    };
    const Json input = {{"batch_input_shape", {nullptr, 4}}, {"dtype", "float32"}};
    const Json triple = Json::array({"in", 0, 0});
    const Json node_of_2 = Json::array({"in", 0, 0, Json::object()});
    Json layers = Json::array(
        {entry("in", "InputLayer", input, Json::array()),
         entry("a", "Dense", {{"units", 4}}, Json::array({Json::array({node_of_2})})),
         entry("sum", "Add", Json::object(),
               Json::array({Json::array({node_of_2, Json::array({"a", 0, 0, Json::object()})})}))});
    const auto model_with = [&](const Json& list) {
        Json config = {{"layers", list}};
        config["input_layers"] = Json::array({triple});
        config["output_layers"] = Json::array({"sum", 0, 0});
        return Json{{"class_name", "Model"}, {"config", config}};
    };
    const graph::Model model = model_from_keras(model_with(layers));
    EXPECT_EQ(model.layer("sum").inputs, (std::vector<std::string>{"in", "a"}));
    EXPECT_EQ(model_from_keras(keras_model_config(model)).to_json(), model.to_json());
    Json absent = layers;
    absent[2]["inbound_nodes"][0][1][1] = 1;
    EXPECT_EQ(error_of([&] { model_from_keras(model_with(absent)); }).where(),
              "layer 'sum', model_config");
    // A layer that is called twice: the second call reads the first one's output.
    Json shared = layers;
    shared[1]["inbound_nodes"].push_back(Json::array({Json::array({"a", 0, 0, Json::object()})}));
    shared[2]["inbound_nodes"][0][1][1] = 1;
    const graph::Model twice = model_from_keras(model_with(shared));
    EXPECT_EQ(twice.layer("a").inputs, std::vector<std::string>{"in"});
    EXPECT_EQ(twice.layer("a_2").inputs, std::vector<std::string>{"a"});
    EXPECT_EQ(twice.layer("a_2").shares, "a");
    EXPECT_EQ(twice.layer("sum").inputs, (std::vector<std::string>{"in", "a_2"}));
    EXPECT_EQ(model_from_keras(keras_model_config(twice)).to_json(), twice.to_json());
}

// Keras knows the calls of a layer by their numbers, and a layer is where its farthest call is.
TEST(KerasConfig, TiedWeightsAreCallsOfOneLayer) {
    const graph::Model model = graph::testing::tied();
    const Json config = keras_model_config(model);
    std::map<std::string, std::size_t> calls;
    for (const Json& layer : config["config"]["layers"])
        calls[layer["name"].get<std::string>()] = layer["inbound_nodes"].size();
    EXPECT_EQ(calls, (std::map<std::string, std::size_t>{{"input", 0},
                                                         {"conv", 2},
                                                         {"flatten", 1},
                                                         {"proj", 1},
                                                         {"mid", 3},
                                                         {"gate", 1},
                                                         {"sum", 1},
                                                         {"output", 1}}));
    const graph::Model again = model_from_keras(config);
    const graph::ModelReport report = graph::require_valid(again);
    EXPECT_EQ(report.parameters, graph::require_valid(model).parameters);
    EXPECT_EQ(again.layers.size(), model.layers.size());
    EXPECT_EQ(model_from_keras(keras_model_config(again)).to_json(), again.to_json());
    EXPECT_EQ(again.layer("conv_2").inputs, std::vector<std::string>{"conv"});
    EXPECT_EQ(again.layer("conv_2").shares, "conv");
}

}  // namespace
}  // namespace strata::interop
