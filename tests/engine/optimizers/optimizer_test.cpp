// Optimizers against Keras (tests/references/optimizers.json), and their parameters.
#include "engine/optimizers/optimizer.h"

#include "tests/engine/core/reference.h"
#include "tests/engine/layers/error_of.h"
#include "tests/engine/ops/op_runner.h"

namespace strata::optimizers {
namespace {

using layers::Config;
using testing::distance;
using testing::error_of;
using testing::flat;
using testing::OpRunner;

// The weights after each update with gradients g / gradient_scale.
std::vector<std::vector<float>> updates(const Json& entry, double gradient_scale) {
    const OptimizerDescription& optimizer =
        find_optimizer(entry.at("class_name").get<std::string>());
    const Config config = Config::checked(optimizer.params, entry.at("config"));
    const auto initial = flat<float>(entry.at("initial"));
    const Shape shape{static_cast<std::int64_t>(initial.size())};
    OpRunner runner;
    const auto weights = runner.add(shape), gradient = runner.add(shape);
    std::vector<ops::ValueId> inputs{weights, gradient}, outputs{weights};
    for (std::size_t i = 0; i < optimizer.slots(config).size(); ++i) {
        inputs.push_back(runner.add(shape));
        outputs.push_back(inputs.back());
    }
    const auto norm = runner.add(Shape{}, DType::float64);
    inputs.push_back(norm);
    runner.compile(optimizer.update(config, ops::ClipKind::none), inputs, outputs);
    runner.set(weights, initial);
    runner.set(norm, std::vector<double>{1.0});
    std::vector<std::vector<float>> all;
    ops::StepScalars scalars;
    scalars.learning_rate = static_cast<float>(config.number("learning_rate"));
    scalars.gradient_scale = gradient_scale;
    scalars.weight_decay = static_cast<float>(weight_decay(config));
    for (const Json& g : entry.at("gradients")) {
        auto values = flat<float>(g);
        for (float& value : values) value /= static_cast<float>(gradient_scale);
        runner.set(gradient, values);
        runner.run(scalars);
        ++scalars.update;
        all.push_back(runner.get<float>(weights));
    }
    return all;
}

TEST(Optimizers, WeightsAreKerassAfterEachUpdate) {
    const Json cases = testing::read_reference("optimizers.json");
    ASSERT_GE(cases.size(), 5U);
    for (const Json& entry : cases) {
        const auto weights = updates(entry, 1.0);
        ASSERT_EQ(weights.size(), entry.at("weights").size());
        for (std::size_t i = 0; i < weights.size(); ++i)
            EXPECT_LE(distance(weights[i], flat<double>(entry.at("weights")[i])), 2e-6)
                << entry.at("name") << ", update " << i + 1;
    }
}

TEST(Optimizers, DivideTheGradientByTheSamples) {
    for (const Json& entry : testing::read_reference("optimizers.json"))
        EXPECT_LE(
            distance(updates(entry, 1.0 / 64).back(), flat<double>(entry.at("weights").back())),
            2e-6)
            << entry.at("name");
}

TEST(Optimizers, SlotsAreKerass) {
    const auto slots = [](const char* type, const Json& given) {
        const OptimizerDescription& optimizer = find_optimizer(type);
        return optimizer.slots(Config::checked(optimizer.params, given));
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(slots("SGD", Json::object()), Names{});
    EXPECT_EQ(slots("sgd", {{"momentum", 0.9}}), Names{"momentum"});
    EXPECT_EQ(slots("Adam", Json::object()), (Names{"momentum", "velocity"}));
    EXPECT_EQ(slots("adamw", Json::object()), (Names{"momentum", "velocity"}));
}

TEST(Optimizers, RefuseBadParametersByName) {
    const auto refused = [](const char* type, const Json& given) {
        return error_of([&] { Config::checked(find_optimizer(type).params, given); });
    };
    EXPECT_EQ(refused("Adam", {{"learning_rate", -0.1}}).where(), "learning_rate");
    EXPECT_EQ(refused("Adam", {{"beta_1", 1.0}}).where(), "beta_1");
    EXPECT_EQ(refused("Adam", {{"epsilon", 0}}).where(), "epsilon");
    EXPECT_EQ(refused("AdamW", {{"weight_decay", -1}}).where(), "weight_decay");
    EXPECT_EQ(refused("SGD", {{"momentum", 1.5}}).where(), "momentum");
    EXPECT_EQ(refused("SGD", {{"nesterov", 1}}).where(), "nesterov");
    EXPECT_NE(refused("SGD", {{"momentun", 0.9}}).hint().find("momentum"), std::string::npos);
    EXPECT_EQ(error_of([] { find_optimizer("Adamm"); }).code(), ErrorCode::not_found);
    for (const OptimizerDescription* optimizer : catalogue())
        for (const layers::ParamSpec& param : optimizer->params)
            EXPECT_GE(param.doc.size(), 10U) << optimizer->type << " " << param.key;
}

// The sum keeps what float32 would lose.
TEST(Optimizers, TheNormIsSummedInFloat64) {
    const auto norm = [](const std::vector<float>& values) {
        OpRunner runner;
        const auto x = runner.add(Shape{static_cast<std::int64_t>(values.size())});
        const auto sum = runner.add(Shape{}, DType::float64);
        runner.compile(ops::SumOfSquares{}, {x}, {sum});
        runner.set(x, values);
        runner.run();
        return std::sqrt(runner.get<double>(sum)[0]);
    };
    EXPECT_DOUBLE_EQ(norm({3.0F, -4.0F}), 5.0);
    EXPECT_NEAR(norm(std::vector<float>(128, 1e19F)) / 1.131370849898476e20, 1.0, 1e-6);
    std::vector<float> many(1 << 20, 1e-4F);
    many[0] = 1.0F;
    EXPECT_NEAR(norm(many), std::sqrt(1.0 + ((1 << 20) - 1) * 1e-8), 1e-8);
    many[77] = HUGE_VALF;
    EXPECT_TRUE(std::isinf(norm(many)));
    many[77] = NAN;
    EXPECT_TRUE(std::isnan(norm(many)));
}

}  // namespace
}  // namespace strata::optimizers
