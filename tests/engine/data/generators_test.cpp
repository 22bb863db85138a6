// The teaching generators against points that numpy computed in float64, and what holds of many.
#include "engine/data/generators.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/json.h"
#include "engine/io/bounded_reader.h"
#include "tests/engine/data/read_all.h"
#include "tests/engine/layers/error_of.h"

namespace strata::data {
namespace {

using namespace strata::testing;

std::shared_ptr<Source> open(const Json& config) {
    return open_source(config, "", "data.source");
}

TEST(Generators, PointsAreThoseOfNumpy) {
    const std::string path = STRATA_SOURCE_DIR "/tests/references/data/points.json";
    const Json cases = parse_json(io::read_text_file(path), path);
    ASSERT_EQ(cases.size(), 5U);
    for (const Json& entry : cases) {
        const auto source = open(entry["config"]);
        const AllSamples all = read_all(*source);
        const auto n = static_cast<std::size_t>(source->size());
        ASSERT_EQ(n, entry["x"].size());
        for (std::size_t i = 0; i < n; ++i) {
            const bool values = !source->has_labels();
            const float x = values ? all.values[i] : all.values[2 * i];
            const float y = values ? all.targets[i] : all.values[2 * i + 1];
            EXPECT_NEAR(x, entry["x"][i].get<double>(), 3e-7) << entry["config"] << i;
            EXPECT_NEAR(y, entry["y"][i].get<double>(), 3e-7) << entry["config"] << i;
            if (!values) {
                EXPECT_EQ(all.labels[i], entry["labels"][i].get<int>());
            }
        }
    }
}

TEST(Generators, ClassesAreBalancedAndNoiseIsAsWideAsAsked) {
    const auto source = open({{"type", "circles"}, {"count", 20001}, {"noise", 0.1}, {"seed", 3}});
    EXPECT_EQ(source->description(), "20,001 points (x, y), 2 classes");
    EXPECT_EQ(source->class_names(), (std::vector<std::string>{"outer circle", "inner circle"}));
    EXPECT_EQ(source->memory_bytes(), 0U);
    const AllSamples all = read_all(*source);
    EXPECT_EQ(std::count(all.labels.begin(), all.labels.end(), 0), 10001);
    double sum = 0, square = 0, quadrants[4] = {};
    for (std::size_t i = 0; i < 20001; i += 2) {
        const double x = all.values[2 * i], y = all.values[2 * i + 1];
        // Across the circle the noise is normal with the asked width, to first order.
        const double off = std::hypot(x, y) - 1.0;
        sum += off;
        square += off * off;
        quadrants[(x < 0 ? 1 : 0) + (y < 0 ? 2 : 0)] += 1;
    }
    const double mean = sum / 10001, deviation = std::sqrt(square / 10001 - mean * mean);
    EXPECT_NEAR(mean, 0.1 * 0.1 / 2, 0.004);  // the curvature's share, four standard errors wide
    EXPECT_NEAR(deviation, 0.1, 0.004);
    for (const double count : quadrants) EXPECT_NEAR(count, 2500, 175);
}

TEST(Generators, SamplesDependOnSeedAndIndexAlone) {
    const auto large = open({{"type", "spirals"}, {"count", 100'000'000}, {"seed", 9}});
    const auto small = open({{"type", "spirals"}, {"count", 10}, {"seed", 9}});
    EXPECT_EQ(read_rows(*large, {7, 3}).values, read_rows(*small, {7, 3}).values);
    const auto other = open({{"type", "spirals"}, {"count", 10}, {"seed", 10}});
    EXPECT_NE(read_rows(*other, {7}).values, read_rows(*small, {7}).values);
    EXPECT_EQ(read_rows(*large, {99'999'999}).labels[0], 99'999'999 % 3);
    EXPECT_EQ(error_of([&] { read_rows(*small, {10}); }).code(), ErrorCode::internal);
}

TEST(Generators, ASineIsForRegression) {
    const auto source = open({{"type", "noisy_sine"}, {"count", 5}, {"noise", 0}});
    ASSERT_FALSE(source->has_labels());
    EXPECT_EQ(*source->target_shape(), (Shape{1}));
    EXPECT_EQ(source->sample_shape(), (Shape{1}));
    EXPECT_EQ(source->classes(), 0);
    const AllSamples all = read_all(*source);
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_NEAR(all.targets[i], -std::sin(M_PI * all.values[i]), 1e-6);
}

TEST(Generators, ParametersAreChecked) {
    const auto refused = [](const Json& config) {
        return error_of([&] { check_source(config, "data.source"); });
    };
    EXPECT_EQ(refused({{"type", "spirals"}, {"classes", 1}}).where(), "data.source, classes");
    EXPECT_EQ(refused({{"type", "moons"}, {"noise", -1}}).where(), "data.source, noise");
    EXPECT_EQ(refused({{"type", "moons"}, {"count", 0}}).where(), "data.source, count");
    EXPECT_NE(refused({{"type", "spiral"}}).hint().find("spirals"), std::string::npos);
}

}  // namespace
}  // namespace strata::data
