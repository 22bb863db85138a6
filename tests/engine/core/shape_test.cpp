// Shapes, element types, errors and numbers in words.
#include "engine/core/shape.h"

#include <gtest/gtest.h>

#include "engine/core/dtype.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "tests/engine/layers/error_of.h"

namespace strata {
namespace {

using testing::error_of;

TEST(Shapes, CountTheirElements) {
    EXPECT_EQ(Shape{}.elements(), 1);
    EXPECT_EQ((Shape{28, 28, 3}).elements(), 2352);
    EXPECT_EQ((Shape{5, 0, 7}).elements(), 0);
    EXPECT_EQ((Shape{std::int64_t{1} << 62}).elements(), std::int64_t{1} << 62);
}

TEST(Shapes, RefuseOverflow) {
    const std::int64_t half = std::int64_t{1} << 32;
    EXPECT_EQ(error_of([&] {
                  Shape({half, half}).elements();
              }).code(),
              ErrorCode::invalid_argument);
    EXPECT_EQ(error_of([&] {
                  Shape({INT64_MAX, 2}).elements();
              }).code(),
              ErrorCode::invalid_argument);
    EXPECT_EQ(error_of([] {
                  Shape({1, 1, 1, 1, 1, 1, 1, 1, 1});
              }).code(),
              ErrorCode::invalid_argument);
    EXPECT_EQ(error_of([] { Shape({3, -1}); }).code(), ErrorCode::invalid_argument);
    EXPECT_EQ(error_of([] {
                  Shape({1, 1, 1, 1, 1, 1, 1, 1}).with_batch(2);
              }).code(),
              ErrorCode::invalid_argument);
}

TEST(Shapes, ReadAsInKeras) {
    EXPECT_EQ(Shape{}.text(), "()");
    EXPECT_EQ(Shape{10}.text(), "(10,)");
    EXPECT_EQ((Shape{28, 28, 1}).text(), "(28, 28, 1)");
}

TEST(Shapes, TakeAndDropTheBatch) {
    const Shape sample{28, 14, 1};
    EXPECT_EQ(sample.with_batch(64), (Shape{64, 28, 14, 1}));
    EXPECT_EQ(sample.with_batch(64).without_batch(), sample);
    EXPECT_EQ(sample[-1], 1);
    EXPECT_EQ(sample[1], 14);
    EXPECT_NE(sample, (Shape{28, 14}));
    EXPECT_NE((Shape{28, 14}), (Shape{28, 14, 0}));
}

TEST(DTypes, HaveNamesAndSizes) {
    const std::pair<const char*, std::size_t> all[] = {
        {"float32", 4}, {"float16", 2}, {"bfloat16", 2}, {"float64", 8},
        {"int32", 4},   {"int64", 8},   {"uint8", 1}};
    for (const auto& [name, size] : all) {
        EXPECT_STREQ(name_of(dtype_from_name(name)), name);
        EXPECT_EQ(size_of(dtype_from_name(name)), size);
    }
    EXPECT_EQ(error_of([] { dtype_from_name("float31"); }).code(), ErrorCode::invalid_argument);
}

TEST(Errors, SayWhereWhatAndTheWayOut) {
    const Error error(ErrorCode::io, "the disk is full", "run.log", "Free some space");
    EXPECT_STREQ(error.what(), "run.log: the disk is full. Free some space");
    const Error deeper = Error(ErrorCode::io, "bad", "units").at("layer 'a'");
    EXPECT_EQ(deeper.where(), "layer 'a', units");
    EXPECT_EQ(Error(ErrorCode::io, "bad").at("layer 'a'").where(), "layer 'a'");
}

TEST(Text, NumbersReadTheSameEverywhere) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(60000), "60,000");
    EXPECT_EQ(grouped(-1234567), "-1,234,567");
    EXPECT_EQ(grouped(INT64_MIN), "-9,223,372,036,854,775,808");
    EXPECT_EQ(fixed(0.88124, 4), "0.8812");
    EXPECT_EQ(fixed(-0.5, 0).substr(0, 1), "-");
}

}  // namespace
}  // namespace strata
