// Conversions between float32 and the 16-bit floats: all patterns, and PyTorch's results.
#include "engine/core/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference.h"

namespace strata {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <typename T>
T pattern(std::uint32_t bits) {
    return T{static_cast<std::uint16_t>(bits)};
}

template <typename T>
class Half : public ::testing::Test {};
using HalfTypes = ::testing::Types<BFloat16, Float16>;
TYPED_TEST_SUITE(Half, HalfTypes);

TYPED_TEST(Half, EveryPatternComesBack) {
    const std::uint32_t quiet = dtype_of_float<TypeParam>() == DType::bfloat16 ? 0x40U : 0x200U;
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        const float wide = to_float(pattern<TypeParam>(bits));
        const std::uint32_t expected = std::isnan(wide) ? bits | quiet : bits;
        ASSERT_EQ(from_float<TypeParam>(wide).bits, expected) << bits;
    }
}

// Between two neighbours the float32 numbers round to the nearer one, and halfway to the even one.
TYPED_TEST(Half, RoundsToNearestEven) {
    const std::uint32_t last = dtype_of_float<TypeParam>() == DType::bfloat16 ? 0x7F7FU : 0x7BFFU;
    for (std::uint32_t bits = 0; bits < last; ++bits) {
        const double low = static_cast<double>(to_float(pattern<TypeParam>(bits)));
        const double high = static_cast<double>(to_float(pattern<TypeParam>(bits + 1)));
        const auto middle = static_cast<float>((low + high) / 2);  // exact
        const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
        for (const std::uint32_t sign : {0U, 0x8000U}) {
            const float factor = sign == 0 ? 1.0F : -1.0F;
            const auto rounded = [&](float x) { return from_float<TypeParam>(factor * x).bits; };
            ASSERT_EQ(rounded(middle), even | sign) << bits;
            ASSERT_EQ(rounded(std::nextafter(middle, 0.0F)), bits | sign) << bits;
            ASSERT_EQ(rounded(std::nextafter(middle, infinity)), (bits + 1) | sign) << bits;
        }
    }
}

TYPED_TEST(Half, NansAndInfinitiesStay) {
    for (const std::uint32_t bits : {0x7F800001U, 0x7FC00000U, 0x7FFFFFFFU, 0xFF800001U}) {
        const float x = std::bit_cast<float>(bits);
        const float back = to_float(from_float<TypeParam>(x));
        EXPECT_TRUE(std::isnan(back)) << bits;
        EXPECT_EQ(std::signbit(back), bits > 0x80000000U);
    }
    EXPECT_EQ(to_float(from_float<TypeParam>(infinity)), infinity);
    EXPECT_EQ(to_float(from_float<TypeParam>(-infinity)), -infinity);
    EXPECT_TRUE(std::signbit(to_float(from_float<TypeParam>(-0.0F))));
}

TYPED_TEST(Half, ConvertsAsPyTorch) {
    const Json cases = testing::read_reference("halves.json").at("conversions");
    const char* name = name_of(dtype_of_float<TypeParam>());
    const auto wide = testing::flat<std::uint32_t>(cases.at("float32"));
    const auto narrow = testing::flat<std::uint32_t>(cases.at(name));
    ASSERT_EQ(wide.size(), narrow.size());
    ASSERT_GT(wide.size(), 300U);
    for (std::size_t i = 0; i < wide.size(); ++i)
        EXPECT_EQ(from_float<TypeParam>(std::bit_cast<float>(wide[i])).bits, narrow[i]) << wide[i];
}

TEST(Float16Limits, SmallAndLargeNumbers) {
    const auto rounded = [](float x) { return to_float(to_float16(x)); };
    EXPECT_EQ(rounded(1e-8F), 0.0F);
    EXPECT_NEAR(static_cast<double>(rounded(1e-8F * 65536.0F)), 6.5517e-4, 1e-8);
    EXPECT_EQ(rounded(65519.0F), 65504.0F);
    EXPECT_EQ(rounded(65520.0F), infinity);
    EXPECT_EQ(rounded(-65520.0F), -infinity);
    EXPECT_EQ(rounded(0x1p-24F), 0x1p-24F);          // the smallest subnormal number
    EXPECT_EQ(rounded(0x1p-25F), 0.0F);              // halfway to it: the even one is 0
    EXPECT_EQ(rounded(0x1.8p-24F), 0x1p-23F);        // halfway again
    EXPECT_EQ(rounded(0x1.FF8p-15F), 0x1.FF8p-15F);  // the largest one
    EXPECT_EQ(rounded_to(DType::float16, 65519.0F), 65504.0F);
}

TEST(BFloat16Limits, KeepFloat32sRange) {
    EXPECT_EQ(to_float(to_bfloat16(1.0F + 0x1p-8F)), 1.0F);  // halfway to the next
    EXPECT_EQ(to_float(to_bfloat16(1.0F + 0x1.8p-7F)), 1.0F + 0x1p-6F);
    EXPECT_EQ(to_float(to_bfloat16(std::numeric_limits<float>::max())), infinity);
    EXPECT_EQ(to_float(to_bfloat16(0x1p-133F)), 0x1p-133F);  // its smallest subnormal number
    EXPECT_EQ(rounded_to(DType::bfloat16, 1.0F + 0x1p-8F), 1.0F);
    EXPECT_EQ(rounded_to(DType::float32, 1.0F + 0x1p-8F), 1.0F + 0x1p-8F);
}

TEST(ComputeTypes, AreThreeFloats) {
    for (const DType type : {DType::float32, DType::float16, DType::bfloat16})
        EXPECT_TRUE(is_compute_type(type)) << name_of(type);
    for (const DType type : {DType::float64, DType::int32, DType::int64, DType::uint8})
        EXPECT_FALSE(is_compute_type(type)) << name_of(type);
    EXPECT_FALSE(is_16_bit_float(DType::float32));
}

}  // namespace
}  // namespace strata
