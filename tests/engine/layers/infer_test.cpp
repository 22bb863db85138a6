// Shapes, variables and costs by hand, and the errors that users will meet.
#include <gmock/gmock.h>

#include "engine/layers/catalogue.h"
#include "tests/engine/layers/error_of.h"

namespace strata::layers {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

Inference infer(const char* type, const Json& config, const std::vector<Shape>& inputs) {
    const LayerDescription& layer = find_layer(type);
    return layer.infer(Config::checked(layer.spec.params, config), inputs);
}

std::string summary(const char* type, const Json& config) {
    const LayerDescription& layer = find_layer(type);
    return layer.summary(Config::checked(layer.spec.params, config));
}

TEST(Infer, Dense) {
    const Inference dense = infer("Dense", {{"units", 128}, {"activation", "relu"}}, {{784}});
    EXPECT_EQ(dense.output, Shape{128});
    ASSERT_EQ(dense.variables.size(), 2U);
    EXPECT_EQ(dense.variables[0].role, "kernel");
    EXPECT_EQ(dense.variables[0].shape, (Shape{784, 128}));
    EXPECT_EQ(dense.variables[0].initializer, Initializer::glorot_uniform);
    EXPECT_EQ(dense.variables[0].fan_in, 784);
    EXPECT_EQ(dense.variables[0].fan_out, 128);
    EXPECT_EQ(dense.variables[1].role, "bias");
    EXPECT_EQ(dense.variables[1].shape, Shape{128});
    EXPECT_EQ(dense.variables[1].initializer, Initializer::zeros);
    EXPECT_EQ(dense.flops, 2 * 784 * 128 + 128 + 128);  // product, bias, relu
    EXPECT_EQ(infer("Dense", {{"units", 5}}, {{3, 4}}).output, (Shape{3, 5}));
}

TEST(Infer, Conv2D) {
    const Inference conv = infer("Conv2D", {{"filters", 32}, {"kernel_size", 3}}, {{28, 28, 1}});
    EXPECT_EQ(conv.output, (Shape{26, 26, 32}));
    ASSERT_EQ(conv.variables.size(), 2U);
    EXPECT_EQ(conv.variables[0].shape, (Shape{3, 3, 1, 32}));
    EXPECT_EQ(conv.variables[0].fan_in, 9);
    EXPECT_EQ(conv.variables[0].fan_out, 288);
    EXPECT_EQ(conv.flops, 26 * 26 * 32 * (2 * 9 + 1));
    const Inference grouped = infer(
        "Conv2D", {{"filters", 6}, {"kernel_size", {3, 2}}, {"groups", 2}, {"use_bias", false}},
        {{5, 5, 4}});
    EXPECT_EQ(grouped.output, (Shape{3, 4, 6}));
    ASSERT_EQ(grouped.variables.size(), 1U);
    EXPECT_EQ(grouped.variables[0].shape, (Shape{3, 2, 2, 6}));
    EXPECT_EQ(grouped.variables[0].fan_in, 12);
    EXPECT_EQ(grouped.variables[0].fan_out, 36);
}

TEST(Infer, PaddingAndStrides) {
    const auto conv = [](const Json& more, const Shape& input) {
        Json config{{"filters", 1}, {"kernel_size", 3}};
        config.update(more);
        return infer("Conv2D", config, {input}).output;
    };
    EXPECT_EQ(conv({{"padding", "same"}, {"strides", 2}}, {7, 8, 1}), (Shape{4, 4, 1}));
    EXPECT_EQ(conv({{"strides", {2, 3}}}, {7, 8, 1}), (Shape{3, 2, 1}));
    EXPECT_EQ(conv({{"dilation_rate", {2, 3}}}, {7, 8, 1}), (Shape{3, 2, 1}));
    EXPECT_EQ(conv({{"padding", "same"}}, {1, 2, 1}), (Shape{1, 2, 1}));
    EXPECT_EQ(infer("MaxPooling2D", {}, {{5, 7, 2}}).output, (Shape{2, 3, 2}));
    EXPECT_EQ(infer("MaxPooling2D", {{"padding", "same"}}, {{5, 7, 2}}).output, (Shape{3, 4, 2}));
    EXPECT_EQ(infer("AveragePooling2D", {{"pool_size", 3}, {"strides", 1}}, {{5, 7, 2}}).output,
              (Shape{3, 5, 2}));
}

TEST(Infer, BatchNormalization) {
    const Inference all = infer("BatchNormalization", {}, {{4, 4, 3}});
    std::vector<std::string> roles;
    for (const VariableSpec& variable : all.variables) {
        roles.push_back(variable.role);
        EXPECT_EQ(variable.shape, Shape{3});
    }
    EXPECT_THAT(roles, ::testing::ElementsAre("gamma", "beta", "moving_mean", "moving_variance"));
    EXPECT_EQ(all.variables[0].initializer, Initializer::ones);
    EXPECT_EQ(all.variables[2].initializer, Initializer::zeros);
    EXPECT_EQ(all.variables[3].initializer, Initializer::ones);
    EXPECT_TRUE(all.variables[1].trainable);
    EXPECT_FALSE(all.variables[2].trainable);
    EXPECT_EQ(infer("BatchNormalization", {{"axis", 3}}, {{4, 4, 3}}).output, (Shape{4, 4, 3}));
    const Error error = error_of([] { infer("BatchNormalization", {{"axis", 1}}, {{4, 4, 3}}); });
    EXPECT_EQ(error.where(), "axis");
    EXPECT_THAT(error.what(), HasSubstr("only the last axis"));
}

TEST(Infer, ViewsAndMerges) {
    EXPECT_EQ(infer("Flatten", {}, {{3, 4, 2}}).output, Shape{24});
    EXPECT_EQ(infer("Reshape", {{"target_shape", {-1, 4}}}, {{3, 4, 2}}).output, (Shape{6, 4}));
    EXPECT_EQ(infer("GlobalAveragePooling2D", {}, {{3, 4, 2}}).output, Shape{2});
    EXPECT_EQ(infer("GlobalAveragePooling2D", {{"keepdims", true}}, {{3, 4, 2}}).output,
              (Shape{1, 1, 2}));
    EXPECT_EQ(infer("Concatenate", {}, {{3, 4, 2}, {3, 4, 5}}).output, (Shape{3, 4, 7}));
    EXPECT_EQ(infer("Concatenate", {{"axis", 1}}, {{3, 4, 2}, {2, 4, 2}}).output, (Shape{5, 4, 2}));
    EXPECT_EQ(infer("Concatenate", {{"axis", -3}}, {{3, 4, 2}, {2, 4, 2}}).output,
              (Shape{5, 4, 2}));
    EXPECT_EQ(infer("InputLayer", {{"shape", {28, 28, 1}}, {"dtype", "uint8"}}, {}).output_dtype,
              DType::uint8);
}

TEST(Summary, IsShort) {
    EXPECT_EQ(summary("Conv2D", {{"filters", 32}, {"kernel_size", 3}, {"activation", "relu"}}),
              "32 filters · 3 × 3 · relu");
    EXPECT_EQ(summary("Conv2D", {{"filters", 1}, {"kernel_size", 3}, {"strides", 2}}),
              "1 filter · 3 × 3 · stride 2");
    EXPECT_EQ(summary("Dense", {{"units", 128}, {"activation", "relu"}}), "128 units · relu");
    EXPECT_EQ(summary("Dropout", {{"rate", 0.25}}), "rate 0.25");
    EXPECT_EQ(summary("MaxPooling2D", {}), "2 × 2");
    EXPECT_EQ(summary("MaxPooling2D", {{"strides", {2, 2}}}), "2 × 2");
    EXPECT_EQ(summary("MaxPooling2D", {{"pool_size", 3}, {"strides", 2}}), "3 × 3 · stride 2");
    EXPECT_EQ(summary("Rescaling", {}), "× 0.003922");
    EXPECT_EQ(summary("Rescaling", {{"scale", 2}, {"offset", -1}}), "× 2 − 1");
    EXPECT_EQ(summary("InputLayer", {{"shape", {28, 28, 1}}}), "(28, 28, 1)");
    EXPECT_EQ(summary("Reshape", {{"target_shape", {-1, 4}}}), "(-1, 4)");
}

struct BadUse {
    const char* type;
    Json config;
    std::vector<Shape> inputs;
    const char* where;
    const char* says;
};

class InferRefuses : public ::testing::TestWithParam<BadUse> {};

TEST_P(InferRefuses, AndSaysTheWayOut) {
    const BadUse& use = GetParam();
    const Error error = error_of([&] { infer(use.type, use.config, use.inputs); });
    EXPECT_EQ(error.where(), use.where);
    EXPECT_THAT(error.what(), HasSubstr(use.says));
    EXPECT_FALSE(error.hint().empty());
}

Json conv(const Json& more) {
    Json config{{"filters", 4}, {"kernel_size", 3}};
    config.update(more);
    return config;
}

INSTANTIATE_TEST_SUITE_P(
    Uses, InferRefuses,
    ::testing::Values(
        BadUse{
            "Conv2D",
            conv({{"kernel_size", 5}}),
            {{3, 3, 1}},
            "kernel_size",
            "5 × 5 does not fit into the 3 × 3 input. Use padding same or a smaller kernel_size"},
        BadUse{"Conv2D",
               conv({{"dilation_rate", 2}}),
               {{4, 6, 1}},
               "kernel_size",
               "with dilation_rate 2 × 2 covers 5 × 5"},
        BadUse{"Conv2D",
               conv({{"groups", 3}}),
               {{5, 5, 4}},
               "groups",
               "does not divide the 4 input channels"},
        BadUse{"Conv2D",
               conv({{"groups", 3}}),
               {{5, 5, 3}},
               "groups",
               "does not divide the 4 filters"},
        BadUse{"Conv2D",
               conv({{"strides", 2}, {"dilation_rate", 2}}),
               {{9, 9, 3}},
               "dilation_rate",
               "together with strides"},
        BadUse{"Conv2D",
               conv(Json::object()),
               {{10}},
               "",
               "needs an image (height, width, channels), got (10,). Insert it before Flatten"},
        BadUse{
            "MaxPooling2D", {}, {{10}}, "", "needs an image (height, width, channels), got (10,)"},
        BadUse{"MaxPooling2D",
               {{"pool_size", 3}},
               {{2, 5, 1}},
               "pool_size",
               "3 × 3 does not fit into the 2 × 5 input"},
        BadUse{"MaxPooling2D", {{"pool_size", {16, 16}}}, {{20, 20, 1}}, "pool_size", "256 cells"},
        BadUse{"GlobalAveragePooling2D", {}, {{3, 4}}, "", "needs an image"},
        BadUse{"Reshape",
               {{"target_shape", {4, 5}}},
               {{3, 4, 2}},
               "target_shape",
               "(4, 5) holds 20 values, the input (3, 4, 2) has 24"},
        BadUse{"Reshape", {{"target_shape", {-1, 5}}}, {{3, 4, 2}}, "target_shape", "24"},
        BadUse{"Reshape",
               {{"target_shape", {-1, -1}}},
               {{3, 4, 2}},
               "target_shape",
               "more than one -1"},
        BadUse{"Reshape", {{"target_shape", {0, 24}}}, {{3, 4, 2}}, "target_shape", "size 0"},
        BadUse{"Reshape", {{"target_shape", Json::array()}}, {{24}}, "target_shape", "no axis"},
        BadUse{"Add", {}, {{3}, {4}}, "", "(3,) and (4,)"},
        BadUse{"Concatenate", {}, {{3, 4, 2}, {2, 4, 2}}, "", "(3, 4, 2) and (2, 4, 2)"},
        BadUse{"Concatenate", {}, {{8}, {2, 4}}, "", "(8,) and (2, 4)"},
        BadUse{"Concatenate", {{"axis", 0}}, {{3}, {4}}, "axis", "the batch"},
        BadUse{"Concatenate", {{"axis", 2}}, {{3}, {4}}, "axis", "does not exist"},
        BadUse{"InputLayer", {{"shape", Json::array()}}, {}, "shape", "no axis"},
        BadUse{"Dense", {{"units", 3}}, {}, "", "takes one input, found 0"}));

}  // namespace
}  // namespace strata::layers
