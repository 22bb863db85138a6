// JSON: depth, places of faults, keys and types.
#include "engine/core/json.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/engine/layers/error_of.h"

namespace strata {
namespace {

using testing::error_of;

std::string nested(int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
}

TEST(Json, KeepsTheOrderOfKeys) {
    EXPECT_EQ(parse_json(R"({"b":1,"a":2})", "x").dump(), R"({"b":1,"a":2})");
}

TEST(Json, BoundsTheDepth) {
    EXPECT_NO_THROW(parse_json(nested(64), "x"));
    for (int depth : {70, 1000000}) {
        const Error error = error_of([&] { parse_json(nested(depth), "deep.json"); });
        EXPECT_EQ(error.code(), ErrorCode::format);
        EXPECT_EQ(error.where(), "deep.json");
        EXPECT_NE(error.message().find("64"), std::string::npos);
    }
}

TEST(Json, SaysWhereAFaultIs) {
    const Error error = error_of([] { parse_json("{\n  \"a\": 1,\n  \"b\": }\n", "p.strata"); });
    EXPECT_EQ(error.code(), ErrorCode::format);
    EXPECT_NE(error.message().find("line 3, column 8"), std::string::npos) << error.message();
    EXPECT_EQ(error.where(), "p.strata");
    for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "\xff", "\"\xc3\x28\"", "1e999", "nul"})
        EXPECT_EQ(error_of([&] { parse_json(text, "x"); }).code(), ErrorCode::format) << text;
}

TEST(Json, NamesAnUnknownKeyAndTheNearest) {
    const Json object = parse_json(R"({"epochs":1,"bacth_size":2})", "x");
    const Error error = error_of([&] {
        refuse_unknown_keys(object, {"epochs", "batch_size"}, "training");
    });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error.where(), "training");
    EXPECT_NE(error.message().find("'bacth_size'"), std::string::npos);
    EXPECT_EQ(error.hint(), "Did you mean 'batch_size'?");
    EXPECT_NO_THROW(refuse_unknown_keys(object, {"epochs", "bacth_size"}, "training"));
    const Error far = error_of([&] { refuse_unknown_keys(object, {"epochs", "x"}, "training"); });
    EXPECT_EQ(far.hint(), "Known keys: epochs, x");
    EXPECT_EQ(error_of([] { refuse_unknown_keys(Json::array(), {"a"}, "training"); }).where(),
              "training");
}

TEST(Json, TheNearestWordIsAtMostThreeEditsAway) {
    const std::vector<std::string> words{"Dense", "Conv2D", "Add"};
    EXPECT_EQ(nearest_word("Dnese", words), "Dense");
    EXPECT_EQ(nearest_word("Conv", words), "Conv2D");
    EXPECT_EQ(nearest_word("xyz", words), "") << "every letter would change";
    EXPECT_EQ(nearest_word("Convolution", words), "");
    const std::vector<std::string> policies{"float32", "mixed_bfloat16", "mixed_float16"};
    EXPECT_EQ(nearest_word("bfloat16", policies), "mixed_bfloat16");
    EXPECT_EQ(nearest_word("float16", policies), "mixed_float16");
    EXPECT_EQ(nearest_word("float3", policies), "float32");
    EXPECT_EQ(nearest_word("entropy", {"mean_squared_error", "binary_crossentropy"}),
              "binary_crossentropy");
    EXPECT_EQ(nearest_word("global_clipnorm_value", {"clipnorm", "value"}), "clipnorm");
    EXPECT_EQ(nearest_word("", {}), "");
}

TEST(Json, GettersNameTheKeyAndTheType) {
    const Json object = parse_json(
        R"({"i":3,"n":0.5,"b":true,"s":"x","huge":18446744073709551615,"null":null})", "x");
    EXPECT_EQ(get_integer(object, "i", 7, "w"), 3);
    EXPECT_EQ(get_integer(object, "absent", 7, "w"), 7);
    EXPECT_EQ(get_number(object, "i", 0, "w"), 3.0);
    EXPECT_EQ(get_number(object, "n", 0, "w"), 0.5);
    EXPECT_TRUE(get_bool(object, "b", false, "w"));
    EXPECT_EQ(get_string(object, "s", "", "w"), "x");
    const auto where = [](const auto& call) { return error_of(call).where(); };
    EXPECT_EQ(get_integer({{"e", 1e9}}, "e", 0, "w"), 1000000000) << "as people write it";
    EXPECT_EQ(where([&] { get_integer({{"e", 1e300}}, "e", 0, "w"); }), "w.e");
    EXPECT_EQ(where([&] { get_integer(object, "n", 0, "w"); }), "w.n");
    EXPECT_EQ(where([&] { get_integer(object, "huge", 0, "w"); }), "w.huge");
    EXPECT_EQ(where([&] { get_integer(object, "b", 0, "w"); }), "w.b");
    EXPECT_EQ(where([&] { get_number(object, "s", 0, "w"); }), "w.s");
    EXPECT_EQ(where([&] { get_bool(object, "i", false, ""); }), "i");
    EXPECT_EQ(where([&] { get_string(object, "null", "", "w"); }), "w.null");
    EXPECT_NE(error_of([&] { get_string(object, "i", "", "w"); }).message().find("a text, found 3"),
              std::string::npos);
}

}  // namespace
}  // namespace strata
