// What every entry of the catalogue must have; derived, so that a new layer is covered by its one
// line there.
#include "engine/layers/catalogue.h"

#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "tests/engine/layers/error_of.h"

namespace strata::layers {
namespace {

using ::testing::Contains;
using testing::error_of;
using ::testing::HasSubstr;

class EachLayer : public ::testing::TestWithParam<const LayerDescription*> {
protected:
    const LayerDescription& layer() const { return *GetParam(); }
    const LayerSpec& spec() const { return layer().spec; }
};

TEST_P(EachLayer, SaysWhatItIs) {
    EXPECT_TRUE(std::regex_match(spec().type, std::regex("[A-Z][A-Za-z0-9]+")));
    EXPECT_TRUE(std::regex_match(spec().icon, std::regex("[a-z0-9_]+")));
    EXPECT_TRUE(std::regex_match(spec().doc, std::regex("[A-Z][^\n]{15,110}\\."))) << spec().doc;
    EXPECT_TRUE(layer().infer && layer().forward && layer().backward && layer().summary);
    EXPECT_TRUE(spec().max_inputs == -1 || spec().max_inputs >= spec().min_inputs);
    EXPECT_STRNE(name_of(spec().category), "");
}

TEST_P(EachLayer, ExplainsEveryParameter) {
    std::set<std::string> keys;
    for (const ParamSpec& param : spec().params) {
        EXPECT_TRUE(std::regex_match(param.key, std::regex("[a-z][a-z0-9_]*"))) << param.key;
        EXPECT_TRUE(keys.insert(param.key).second) << param.key << " is there twice";
        EXPECT_TRUE(std::regex_match(param.doc, std::regex("[A-Z][^\n]{5,110}[^.]")))
            << param.key << ": " << param.doc;
        EXPECT_EQ(param.type == layers::ParamType::choice, !param.choices.empty()) << param.key;
        EXPECT_LT(param.minimum, param.maximum) << param.key;
        for (const auto& [word, choice] : param.synonyms)
            EXPECT_THAT(param.choices, Contains(choice)) << word;
    }
}

TEST_P(EachLayer, HasExamplesThatInfer) {
    EXPECT_GE(layer().examples.size(), 3U);
    std::set<std::string> names;
    for (const LayerExample& example : layer().examples) {
        SCOPED_TRACE(example.name);
        EXPECT_TRUE(names.insert(example.name).second) << "two examples of this name";
        const Config config = Config::checked(spec().params, example.config);
        const Inference inference = layer().infer(config, example.inputs);
        EXPECT_GE(inference.output.rank(), 1);
        EXPECT_GE(inference.output.elements(), 1);
        EXPECT_GE(inference.flops, 0);
        bool still_trainable = true;
        for (const VariableSpec& variable : inference.variables) {
            EXPECT_GE(variable.shape.elements(), 1) << variable.role;
            EXPECT_TRUE(still_trainable || !variable.trainable)
                << "trainable ones come first in Keras's files";
            still_trainable = variable.trainable;
            if (variable.initializer == Initializer::glorot_uniform) {
                EXPECT_GT(variable.fan_in + variable.fan_out, 0) << variable.role;
            }
        }
        const std::string summary = layer().summary(config);
        EXPECT_LT(summary.size(), 64U);
    }
}

TEST_P(EachLayer, ReadsBackTheConfigurationOfEachExample) {
    for (const LayerExample& example : layer().examples) {
        const Config config = Config::checked(spec().params, example.config);
        const Json changed = parse_json(config.changed(spec().params).dump(), example.name);
        EXPECT_EQ(Config::checked(spec().params, changed).json(), config.json()) << example.name;
        const Json whole = parse_json(config.json().dump(), example.name);
        EXPECT_EQ(Config::checked(spec().params, whole).json(), config.json()) << example.name;
    }
}

// Values that no parameter of the type may have.
std::vector<Json> bad_values(const ParamSpec& param) {
    std::vector<Json> bad{Json::object({{"a", 1}})};
    const bool listed =
        param.type == layers::ParamType::shape || param.type == layers::ParamType::number_list;
    const auto wrap = [&](Json value) { return listed ? Json::array({std::move(value)}) : value; };
    if (std::isfinite(param.minimum))
        bad.push_back(wrap(static_cast<std::int64_t>(param.minimum) - 1));
    if (std::isfinite(param.maximum))
        bad.push_back(wrap(static_cast<std::int64_t>(param.maximum) + 1));
    if (param.exclusive_minimum) bad.push_back(wrap(param.minimum));
    if (param.exclusive_maximum) bad.push_back(wrap(param.maximum));
    bad.push_back(param.type == layers::ParamType::choice ? Json("no such choice") : wrap("text"));
    if (param.type == layers::ParamType::integer || param.type == layers::ParamType::pair)
        bad.push_back(1.5);
    if (param.type == layers::ParamType::pair) bad.push_back(Json::array({1, 2, 3}));
    return bad;
}

TEST_P(EachLayer, RefusesBadParametersByName) {
    const LayerExample& example = layer().examples.front();
    for (const ParamSpec& param : spec().params) {
        for (const Json& value : bad_values(param)) {
            SCOPED_TRACE(param.key + " = " + value.dump());
            Json given = example.config;
            given[param.key] = value;
            const Error error = error_of([&] { Config::checked(spec().params, given); });
            EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
            EXPECT_EQ(error.where(), param.key);
            EXPECT_FALSE(error.hint().empty());
        }
        if (!param.default_value.is_null() || param.optional) continue;
        Json given = example.config;
        given.erase(param.key);
        EXPECT_EQ(error_of([&] { Config::checked(spec().params, given); }).where(), param.key);
    }
}

TEST_P(EachLayer, RefusesAWrongNumberOfInputs) {
    const LayerExample& example = layer().examples.front();
    const Config config = Config::checked(spec().params, example.config);
    std::vector<Shape> inputs = example.inputs;
    if (spec().max_inputs >= 0) {
        inputs.resize(static_cast<std::size_t>(spec().max_inputs) + 1, Shape{4, 4, 2});
        EXPECT_EQ(error_of([&] { layer().infer(config, inputs); }).code(),
                  ErrorCode::invalid_argument);
    }
    if (spec().min_inputs > 0) {
        inputs.resize(static_cast<std::size_t>(spec().min_inputs) - 1);
        EXPECT_EQ(error_of([&] { layer().infer(config, inputs); }).code(),
                  ErrorCode::invalid_argument);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EachLayer, ::testing::ValuesIn(catalogue()),
                         [](const auto& use) { return use.param->spec.type; });

TEST(Catalogue, NamesAreUnique) {
    std::set<std::string> names, icons;
    for (const LayerDescription* layer : catalogue()) {
        EXPECT_TRUE(names.insert(layer->spec.type).second) << layer->spec.type;
        EXPECT_TRUE(icons.insert(layer->spec.icon).second) << layer->spec.icon;
        for (const std::string& alias : layer->spec.aliases)
            EXPECT_TRUE(names.insert(alias).second) << alias;
    }
}

TEST(Catalogue, FindsByTypeAndAlias) {
    EXPECT_EQ(find_layer("Conv2D").spec.type, "Conv2D");
    EXPECT_EQ(find_layer("Convolution2D").spec.type, "Conv2D");
    EXPECT_EQ(find_layer("MaxPool2D").spec.type, "MaxPooling2D");
    EXPECT_EQ(find_layer("AvgPool2D").spec.type, "AveragePooling2D");
}

TEST(Catalogue, NamesTheNearestLayer) {
    const Error error = error_of([] { find_layer("Desne"); });
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_EQ(error.hint(), "Did you mean 'Dense'?");
    EXPECT_EQ(error_of([] { find_layer("conv2d"); }).hint(), "Did you mean 'Conv2D'?");
}

TEST(Catalogue, RefusesLambdaInWordsOfItsOwn) {
    EXPECT_THAT(error_of([] { find_layer("Lambda"); }).message(), HasSubstr("Python code"));
}

}  // namespace
}  // namespace strata::layers
