// Config: what a specification accepts, what it fills in and how it says no.
#include "engine/layers/spec.h"

#include <gmock/gmock.h>

#include "tests/engine/layers/error_of.h"

namespace strata::layers {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

const std::vector<ParamSpec>& params() {
    static const std::vector<ParamSpec> all{
        {.key = "units",
         .type = ParamType::integer,
         .default_value = nullptr,
         .doc = "Number of units",
         .minimum = 1,
         .maximum = 100},
        {.key = "rate",
         .type = ParamType::number,
         .default_value = 0.5,
         .doc = "Share",
         .minimum = 0,
         .maximum = 1,
         .exclusive_maximum = true},
        {.key = "center", .type = ParamType::boolean, .default_value = true, .doc = "Whether"},
        {.key = "padding",
         .type = ParamType::choice,
         .default_value = "valid",
         .doc = "Border",
         .choices = {"valid", "same"},
         .synonyms = {{"VALID", "valid"}}},
        {.key = "size", .type = ParamType::pair, .default_value = 2, .doc = "Size", .minimum = 1},
        {.key = "strides",
         .type = ParamType::pair,
         .default_value = nullptr,
         .doc = "Steps",
         .minimum = 1,
         .optional = true},
        {.key = "shape",
         .type = ParamType::shape,
         .default_value = {4, 5},
         .doc = "Shape",
         .minimum = -1},
        {.key = "scale", .type = ParamType::number_list, .default_value = 1.0, .doc = "Factors"}};
    return all;
}

Config checked(const Json& given) {
    return Config::checked(params(), given);
}

TEST(Config, FillsInDefaultsInTheOrderOfTheSpec) {
    const Config config = checked({{"units", 3}});
    std::vector<std::string> keys;
    for (const auto& item : config.json().items()) keys.push_back(item.key());
    EXPECT_THAT(keys, ElementsAre("units", "rate", "center", "padding", "size", "strides", "shape",
                                  "scale"));
    EXPECT_EQ(config.integer("units"), 3);
    EXPECT_EQ(config.number("rate"), 0.5);
    EXPECT_TRUE(config.boolean("center"));
    EXPECT_EQ(config.text("padding"), "valid");
    EXPECT_EQ(config.pair("size"), std::pair(2, 2));
    EXPECT_TRUE(config.is_null("strides"));
    EXPECT_THAT(config.shape("shape"), ElementsAre(4, 5));
    EXPECT_THAT(config.numbers("scale"), ElementsAre(1.0));
}

TEST(Config, KeepsOnlyWhatDiffersFromTheDefaults) {
    EXPECT_EQ(checked({{"units", 3}, {"size", 2}, {"rate", 0.5}}).changed(params()),
              (Json{{"units", 3}}));
    const Json given{
        {"units", 3}, {"rate", 0.25}, {"size", {2, 3}}, {"strides", {1, 1}}, {"scale", {1.0, 2.0}}};
    EXPECT_EQ(checked(given).changed(params()), given);
}

TEST(Config, ReadsBackWhatItWrites) {
    const Config config =
        checked({{"units", 7}, {"padding", "same"}, {"size", 3}, {"shape", {-1, 2}}});
    EXPECT_EQ(checked(config.json()).json(), config.json());
    EXPECT_EQ(checked(config.changed(params())).json(), config.json());
}

TEST(Config, AcceptsOneNumberForAPairAndAWholeNumberForANumber) {
    const Config config = checked({{"units", 1}, {"size", 3}, {"rate", 0}, {"scale", 2}});
    EXPECT_EQ(config.json()["size"], (Json{3, 3}));
    EXPECT_TRUE(config.json()["rate"].is_number_float());
    EXPECT_THAT(config.numbers("scale"), ElementsAre(2.0));
}

TEST(Config, TreatsNullAsNotGiven) {
    const Config config = checked({{"units", 1}, {"rate", nullptr}, {"strides", nullptr}});
    EXPECT_EQ(config.number("rate"), 0.5);
    EXPECT_TRUE(config.is_null("strides"));
    EXPECT_EQ(error_of([] { checked({{"units", nullptr}}); }).where(), "units");
}

TEST(Config, ReplacesSynonyms) {
    EXPECT_EQ(checked({{"units", 1}, {"padding", "VALID"}}).text("padding"), "valid");
}

TEST(Config, NamesAMissingParameter) {
    const Error error = error_of([] { checked(Json::object()); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error.where(), "units");
    EXPECT_STREQ(error.what(),
                 "units: no value is given. Give a whole number: the number of units");
}

TEST(Config, NamesTheNearestKey) {
    const Error error = error_of([] { checked({{"unit", 3}}); });
    EXPECT_THAT(error.message(), HasSubstr("'unit'"));
    EXPECT_THAT(error.hint(), HasSubstr("'units'"));
}

TEST(Config, RefusesWhatIsNoObject) {
    EXPECT_EQ(error_of([] { checked(Json::array({1})); }).code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error_of([] { checked("units"); }).code(), ErrorCode::invalid_argument);
}

struct BadValue {
    const char* key;
    Json value;
    const char* says;
};

class ConfigRefuses : public ::testing::TestWithParam<BadValue> {};

TEST_P(ConfigRefuses, AndNamesTheParameter) {
    const auto& [key, value, says] = GetParam();
    Json given{{"units", 1}};
    given[key] = value;
    const Error error = error_of([&] { checked(given); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error.where(), key);
    EXPECT_THAT(error.message() + " | " + error.hint(), HasSubstr(says));
}

INSTANTIATE_TEST_SUITE_P(
    Values, ConfigRefuses,
    ::testing::Values(BadValue{"units", 0, "must be at least 1 and at most 100, found 0"},
                      BadValue{"units", 101, "found 101"}, BadValue{"units", -3, "found -3"},
                      BadValue{"units", UINT64_MAX, "found 18446744073709551615"},
                      BadValue{"units", 2.5, "must be a whole number, found 2.5"},
                      BadValue{"units", "3", "must be a whole number, found \"3\""},
                      BadValue{"units", true, "must be a whole number, found true"},
                      BadValue{"rate", 1.0, "must be at least 0 and below 1, found 1.0"},
                      BadValue{"rate", -0.1, "The default is 0.5"},
                      BadValue{"rate", "half", "must be a number"},
                      BadValue{"center", 1, "must be true or false, found 1"},
                      BadValue{"padding", "sam", "Did you mean 'same'?"},
                      BadValue{"padding", "circular", "Choose one of valid, same"},
                      BadValue{"padding", 1, "must be a text"},
                      BadValue{"size", 0, "must be at least 1, found 0"},
                      BadValue{"size", Json::array({3}), "found [3]"},
                      BadValue{"size", Json::array({1, 2, 3}), "two of them (height, width)"},
                      BadValue{"size", Json::array({3, 0}), "found 0"},
                      BadValue{"size", Json::array({3, "x"}), "found [3,\"x\"]"},
                      BadValue{"strides", 0, "It may also stay unset"},
                      BadValue{"shape", 3, "must be a list of whole numbers"},
                      BadValue{"shape", Json::array({4, -2}), "must be at least -1, found -2"},
                      BadValue{"shape", Json::array({4, nullptr}), "found [4,null]"},
                      BadValue{"shape", Json::array({1, 1, 1, 1, 1, 1, 1, 1}), "has 8 axes"},
                      BadValue{"scale", Json::array({1, "a"}), "a number or a list of numbers"}));

TEST(Config, ShortensLongValuesInMessages) {
    const Error error = error_of([] { checked({{"units", std::string(100000, 'x')}}); });
    EXPECT_LT(error.message().size(), 200U);
}

}  // namespace
}  // namespace strata::layers
