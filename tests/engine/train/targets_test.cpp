// What a loss is given from labels and from values, and data that do not fit it.
#include "engine/train/targets.h"

#include <gtest/gtest.h>

#include "engine/data/generators.h"
#include "tests/engine/layers/error_of.h"

namespace strata::train {
namespace {

using strata::testing::error_of;

std::shared_ptr<data::Source> open(const Json& config) {
    return data::open_source(config, "", "data.source");
}

TEST(Targets, ValuesGoToTheLossAsTheyAre) {
    const auto sine = open({{"type", "noisy_sine"}});
    TargetEncoder encoder(losses::find_loss("mean_squared_error"), {1}, *sine, "data.source");
    data::Batch batch;
    batch.size = 2;
    batch.targets = {0.25F, -3.0F};
    const auto* given = static_cast<const float*>(encoder.encode(batch));
    EXPECT_EQ(given[0], 0.25F);
    EXPECT_EQ(given[1], -3.0F);
}

TEST(Targets, ValuesThatDoNotFitAreRefused) {
    const auto sine = open({{"type", "noisy_sine"}});
    const auto refusal = [&](const char* loss, const Shape& output) {
        return error_of(
            [&] { TargetEncoder(losses::find_loss(loss), output, *sine, "data.source"); });
    };
    const Error classes = refusal("sparse_categorical_crossentropy", {3});
    EXPECT_EQ(classes.where(), "data.source");
    EXPECT_NE(classes.message().find("class numbers"), std::string::npos) << classes.what();
    const Error shape = refusal("mean_squared_error", {3});
    EXPECT_NE(shape.message().find("(1,)"), std::string::npos) << shape.what();
    EXPECT_NE(shape.hint().find("1 unit,"), std::string::npos) << shape.hint();
}

TEST(Targets, LabelsBecomeRowsWhereTheLossComparesRows) {
    const auto arms = open({{"type", "spirals"}});
    data::Batch batch;
    batch.size = 2;
    batch.labels = {2, 0};
    TargetEncoder rows(losses::find_loss("categorical_crossentropy"), {3}, *arms, "data.source");
    const auto* row = static_cast<const float*>(rows.encode(batch));
    EXPECT_EQ(std::vector<float>(row, row + 6), (std::vector<float>{0, 0, 1, 1, 0, 0}));
    TargetEncoder numbers(losses::find_loss("sparse_categorical_crossentropy"), {3}, *arms, "");
    EXPECT_EQ(static_cast<const std::int32_t*>(numbers.encode(batch))[0], 2);
    const Error few = error_of([&] {
        TargetEncoder(losses::find_loss("sparse_categorical_crossentropy"), {2}, *arms,
                      "data.test");
    });
    EXPECT_NE(few.message().find("outside the model's 2 classes"), std::string::npos) << few.what();
}

}  // namespace
}  // namespace strata::train
