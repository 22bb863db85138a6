// The image transforms against Keras (tests/references/augment.json), what they draw, and how the
// layers read their factors.
#include "engine/ops/augment.h"

#include "engine/layers/augmentation.h"
#include "tests/engine/core/reference.h"
#include "tests/engine/layers/error_of.h"

namespace strata::layers {
namespace {

using testing::distance;
using testing::error_of;
using testing::flat;

ops::AugmentImages op_of(const std::string& type, const Json& config) {
    const LayerDescription& layer = find_augmentation(type);
    return augment_op(layer, checked_augmentation(layer, config), 7);
}

// Layer configurations with equal bounds fix the transform; flips and contrasts are set.
ops::ImageTransform transform_of(const Json& entry, const ops::AugmentImages& op,
                                 const ops::ImageSize& size) {
    ops::ImageTransform transform = ops::draw_transform(op, size, 3, 1, 4);
    const Json& drawn = entry.at("drawn");
    if (drawn.is_null()) return transform;
    if (drawn.contains("flips")) {
        transform.flip_columns = op.horizontal && drawn["flips"].get<bool>();
        transform.flip_rows = op.vertical && drawn["flips"].get<bool>();
    } else {
        transform.contrast = drawn.at("contrast_factor").get<float>();
    }
    return transform;
}

// References are float64, the transforms float32: places in an image of 6 pixels are good to 1e-6.
TEST(ImageTransforms, AreKerass) {
    const Json cases = testing::read_reference("augment.json");
    ASSERT_GT(cases.size(), 40U);
    for (const Json& entry : cases) {
        SCOPED_TRACE(entry.at("class_name").get<std::string>() + " " +
                     entry.at("name").get<std::string>());
        const auto op = op_of(entry.at("class_name").get<std::string>(), entry.at("config"));
        const Shape shape = testing::shape_of_list(entry.at("input"));
        const ops::ImageSize size{shape[1], shape[2], shape[3]};
        const ops::ImageTransform transform = transform_of(entry, op, size);
        const auto x = flat<float>(entry.at("input"));
        const auto dy = flat<float>(entry.at("output_gradient"));
        std::vector<float> y(x.size(), NAN), dx(x.size(), NAN);
        ops::transform_image(op, transform, size, x.data(), y.data());
        EXPECT_LE(distance(y, flat<double>(entry.at("output"))), 1e-5);
        ops::transform_image_backward(op, transform, size, dy.data(), x.data(), dx.data());
        EXPECT_LE(distance(dx, flat<double>(entry.at("input_gradient"))), 1e-5);
    }
}

// By hand: each row of 0 1 2, moved right by one pixel of three.
TEST(ImageTransforms, FillWhatIsOutside) {
    const auto shifted = [](const char* mode) {
        const auto op = op_of("RandomTranslation", {{"height_factor", 0},
                                                    {"width_factor", {1.0 / 3, 1.0 / 3}},
                                                    {"fill_mode", mode},
                                                    {"fill_value", 9},
                                                    {"interpolation", "nearest"}});
        const ops::ImageSize size{1, 3, 1};
        const std::vector<float> x{0, 1, 2};
        std::vector<float> y(3);
        ops::transform_image(op, ops::draw_transform(op, size, 1, 0, 0), size, x.data(), y.data());
        return y;
    };
    EXPECT_EQ(shifted("constant"), (std::vector<float>{9, 0, 1}));
    EXPECT_EQ(shifted("nearest"), (std::vector<float>{0, 0, 1}));
    EXPECT_EQ(shifted("reflect"), (std::vector<float>{0, 0, 1}));
    EXPECT_EQ(shifted("wrap"), (std::vector<float>{2, 0, 1}));
}

// Uniform numbers' means: 10000 draws of [-0.2, 0.6] have mean 0.2 with deviation 0.8 / sqrt(12 *
// 10000) = 0.0023.
TEST(ImageTransforms, DrawUniformlyFromTheirRange) {
    const auto op =
        op_of("RandomTranslation", {{"height_factor", {-0.2, 0.6}}, {"width_factor", {0.0, 0.1}}});
    const ops::ImageSize size{10, 20, 1};
    double rows = 0, columns = 0;
    float lowest = 1, highest = -1;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        const ops::ImageTransform drawn = ops::draw_transform(op, size, 5, 2, i);
        const float height = -drawn.matrix[5] / 10;
        rows += static_cast<double>(height);
        columns += static_cast<double>(-drawn.matrix[2] / 20);
        lowest = std::min(lowest, height);
        highest = std::max(highest, height);
    }
    EXPECT_NEAR(rows / 10000, 0.2, 0.01);
    EXPECT_NEAR(columns / 10000, 0.05, 0.0013);
    EXPECT_GE(lowest, -0.2F);
    EXPECT_LE(highest, 0.6F);
    EXPECT_LT(lowest, -0.19F);
    EXPECT_GT(highest, 0.59F);
}

TEST(ImageTransforms, FlipEachAxisByItsOwnDraw) {
    const auto op = op_of("RandomFlip", Json::object());
    int counts[2][2] = {};
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const ops::ImageTransform drawn = ops::draw_transform(op, {4, 4, 1}, 5, 2, i);
        ++counts[drawn.flip_rows ? 1 : 0][drawn.flip_columns ? 1 : 0];
    }
    for (const auto& row : counts)
        for (int count : row) EXPECT_NEAR(count, 1000, 130);  // over 4 deviations
}

TEST(ImageTransforms, DependOnSeedStreamStepAndSample) {
    auto op = op_of("RandomRotation", {{"factor", 0.5}});
    const ops::ImageSize size{4, 4, 1};
    const auto angle = [&](std::uint64_t seed, std::uint32_t step, std::uint64_t sample) {
        return ops::draw_transform(op, size, seed, step, sample).matrix[0];
    };
    const float first = angle(1, 0, 0);
    EXPECT_EQ(angle(1, 0, 0), first);
    EXPECT_NE(angle(2, 0, 0), first);
    EXPECT_NE(angle(1, 1, 0), first);
    EXPECT_NE(angle(1, 0, 1), first);
    op.stream = 8;
    EXPECT_NE(angle(1, 0, 0), first);
}

TEST(Factors, AreANumberOrTwo) {
    const auto first = [](const char* type, const Json& config) {
        return op_of(type, config).first;
    };
    const ops::Range both = first("RandomRotation", {{"factor", -0.25}});
    EXPECT_EQ(both.lower, -0.25F);
    EXPECT_EQ(both.upper, 0.25F);
    const ops::Range sorted = first("RandomRotation", {{"factor", {0.5, 0.25}}});
    EXPECT_EQ(sorted.lower, 0.25F);
    EXPECT_EQ(sorted.upper, 0.5F);
    // Keras: contrast from 1 - lower to 1 + upper.
    const ops::Range contrast = first("RandomContrast", {{"factor", {0.25, 0.5}}});
    EXPECT_EQ(contrast.lower, -0.25F);
    EXPECT_EQ(contrast.upper, 0.5F);
    EXPECT_EQ(error_of([&] {
                  first("RandomRotation", {{"factor", {0.1, 0.2, 0.3}}});
              }).where(),
              "factor");
    EXPECT_EQ(error_of([&] { first("RandomRotation", {{"factor", 1.5}}); }).where(), "factor");
    EXPECT_EQ(error_of([&] {
                  first("RandomZoom", {{"height_factor", -1}});
              }).where(),
              "height_factor");
    EXPECT_EQ(error_of([&] {
                  first("RandomContrast", {{"factor", 0.1}, {"value_range", {1, 0}}});
              }).where(),
              "value_range");
    EXPECT_TRUE(op_of("RandomZoom", {{"height_factor", 0.1}}).one_zoom);
}

TEST(Factors, StandOnTheCard) {
    const auto summary = [](const char* type, const Json& config) {
        const LayerDescription& layer = find_augmentation(type);
        return layer.summary(checked_augmentation(layer, config));
    };
    EXPECT_EQ(summary("RandomRotation", {{"factor", 0.1}}), "± 36°");
    EXPECT_EQ(summary("RandomTranslation", {{"height_factor", 0.1}, {"width_factor", {-0.2, 0.3}}}),
              "± 10 % · −20 to 30 %");
    EXPECT_EQ(summary("RandomContrast", {{"factor", 0.25}}), "× 0.75 to 1.25");
    EXPECT_EQ(summary("RandomFlip", {{"mode", "vertical"}}), "vertical");
}

TEST(Augmentations, AreFiveLayers) {
    const Error error = error_of([] { find_augmentation("Dropout"); });
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_EQ(find_augmentation("RandomZoom").spec.category, LayerCategory::preprocessing);
}

}  // namespace
}  // namespace strata::layers
