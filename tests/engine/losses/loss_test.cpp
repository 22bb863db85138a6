// Losses: values and gradients against Keras (tests/references/losses.json), and what they refuse.
#include "engine/losses/loss.h"

#include "tests/engine/core/reference.h"
#include "tests/engine/layers/error_of.h"
#include "tests/engine/ops/op_runner.h"

namespace strata::losses {
namespace {

using testing::distance;
using testing::error_of;
using testing::flat;
using testing::OpRunner;

struct LossResult {
    double sum = 0.0;
    std::vector<float> gradient;
};

LossResult run_case(const Json& entry, float loss_scale, bool with_gradient) {
    const LossDescription& loss = find_loss(entry.at("identifier").get<std::string>());
    const bool from_logits = entry.at("config").value("from_logits", false);
    const auto predictions = flat<float>(entry.at("predictions"));
    const std::int64_t columns = testing::shape_of_list(entry.at("predictions"))[-1];
    const Shape shape{static_cast<std::int64_t>(predictions.size()) / columns, columns};
    const bool by_index = loss.target == TargetKind::class_index;
    OpRunner runner;
    const auto p = runner.add(shape);
    const auto t = by_index ? runner.add(Shape{shape[0]}, DType::int32) : runner.add(shape);
    const auto sum = runner.add(Shape{}, DType::float64);
    const auto gradient = runner.add(shape);
    std::vector<ops::ValueId> outputs{sum};
    if (with_gradient) outputs.push_back(gradient);
    runner.compile(from_logits ? loss.from_logits : loss.from_output, {p, t}, outputs);
    runner.set(p, predictions);
    if (by_index)
        runner.set(t, flat<std::int32_t>(entry.at("targets")));
    else
        runner.set(t, flat<float>(entry.at("targets")));
    runner.run({.loss_scale = loss_scale});
    return {runner.get<double>(sum)[0], runner.get<float>(gradient)};
}

TEST(Losses, ValuesAndGradientsAreKerass) {
    const Json cases = testing::read_reference("losses.json");
    ASSERT_GE(cases.size(), 20U);
    for (const Json& entry : cases) {
        SCOPED_TRACE(entry.at("name").get<std::string>());
        const auto expected = flat<double>(entry.at("gradient"));
        const auto rows =
            static_cast<double>(testing::shape_of_list(entry.at("predictions")).elements() /
                                testing::shape_of_list(entry.at("predictions"))[-1]);
        const LossResult result = run_case(entry, 1.0F, true);
        const auto value = entry.at("value").get<double>();
        EXPECT_NEAR(result.sum / rows, value, 2e-6 * std::max(1.0, value));
        std::vector<double> mean_gradient(result.gradient.begin(), result.gradient.end());
        for (double& g : mean_gradient) g /= rows;
        EXPECT_LE(distance(mean_gradient, expected), 2e-6);
        EXPECT_DOUBLE_EQ(run_case(entry, 1.0F, false).sum, result.sum) << "without a gradient";
    }
}

TEST(Losses, TheLossScaleReachesTheGradientAlone) {
    for (const Json& entry : testing::read_reference("losses.json")) {
        SCOPED_TRACE(entry.at("name").get<std::string>());
        const LossResult plain = run_case(entry, 1.0F, true);
        const LossResult scaled = run_case(entry, 1024.0F, true);
        EXPECT_DOUBLE_EQ(scaled.sum, plain.sum);
        std::vector<double> expected(plain.gradient.begin(), plain.gradient.end());
        for (double& g : expected) g *= 1024.0;
        EXPECT_LE(distance(scaled.gradient, expected), 1e-6);
    }
}

TEST(Losses, AreFoundByEachOfTheirNames) {
    for (const LossDescription* loss : catalogue()) {
        EXPECT_EQ(&find_loss(loss->name), loss);
        EXPECT_EQ(&find_loss(loss->keras_class), loss);
        for (const std::string& alias : loss->aliases) EXPECT_EQ(&find_loss(alias), loss);
        EXPECT_GE(loss->doc.size(), 20U) << loss->name;
    }
    const Error error = error_of([] { find_loss("mean_squared_eror"); });
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_NE(error.hint().find("mean_squared_error"), std::string::npos) << error.hint();
}

TEST(Losses, SayWhichOutputFits) {
    for (const char* name : {"sparse_categorical_crossentropy", "categorical_crossentropy"}) {
        const LossDescription& loss = find_loss(name);
        EXPECT_NO_THROW(loss.check(Shape{10}));
        const Error image = error_of([&] { loss.check(Shape{4, 4, 10}); });
        EXPECT_NE(image.message().find("(4, 4, 10)"), std::string::npos) << image.message();
        EXPECT_FALSE(image.hint().empty());
        EXPECT_EQ(error_of([&] { loss.check(Shape{1}); }).code(), ErrorCode::invalid_argument);
    }
    EXPECT_NO_THROW(find_loss("mse").check(Shape{4, 4, 10}));
}

}  // namespace
}  // namespace strata::losses
