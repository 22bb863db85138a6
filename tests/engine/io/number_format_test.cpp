// Numbers of every stored form, against values worked out by hand.
#include "engine/io/number_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

constexpr auto big = std::endian::big, low = std::endian::little;

template <typename Call>
auto with_bytes(const std::string& hex, Call&& call) {
    const std::string bytes = testing::from_hex(hex);
    return call(std::as_bytes(std::span(bytes)));
}

std::vector<float> floats(const std::string& hex, const NumberFormat& format) {
    return with_bytes(hex, [&](std::span<const std::byte> bytes) {
        std::vector<float> out(bytes.size() / format.bytes);
        to_float32(bytes, format, out.data());
        return out;
    });
}

std::vector<std::int64_t> wholes(const std::string& hex, const NumberFormat& format) {
    return with_bytes(hex, [&](std::span<const std::byte> bytes) {
        std::vector<std::int64_t> out(bytes.size() / format.bytes);
        to_int64(bytes, format, out.data());
        return out;
    });
}

TEST(NumberFormat, HalvesBecomeTheirExactValues) {
    // 1, -2, the largest, the smallest normal, the smallest and a middle subnormal, -0.
    const auto values = floats("003c00c0ff7b0004010000020080", {NumberKind::floating, 2, low});
    EXPECT_EQ(values,
              (std::vector<float>{1.0F, -2.0F, 65504.0F, 0x1p-14F, 0x1p-24F, 0x1p-15F, -0.0F}));
    const auto special = floats("7c00fc007e01", {NumberKind::floating, 2, big});
    EXPECT_EQ(special[0], INFINITY);
    EXPECT_EQ(special[1], -INFINITY);
    EXPECT_TRUE(std::isnan(special[2]));
}

TEST(NumberFormat, BothByteOrdersAndAllSizesAreRead) {
    EXPECT_EQ(floats("3fc00000c0000000", {NumberKind::floating, 4, big}),
              (std::vector<float>{1.5F, -2.0F}));
    EXPECT_EQ(floats("000000000000f83f", {NumberKind::floating, 8, low}), std::vector<float>{1.5F});
    EXPECT_EQ(floats("fe7f", {NumberKind::integer, 1, low}), (std::vector<float>{-2.0F, 127.0F}));
    EXPECT_EQ(wholes("fffe0102", {NumberKind::integer, 2, big}),
              (std::vector<std::int64_t>{-2, 258}));
    EXPECT_EQ(wholes("fffe0102", {NumberKind::unsigned_integer, 2, low}),
              (std::vector<std::int64_t>{0xFEFF, 0x0201}));
    EXPECT_EQ(wholes("feffffff", {NumberKind::integer, 4, low}), std::vector<std::int64_t>{-2});
    EXPECT_EQ(wholes("feffffff", {NumberKind::unsigned_integer, 4, low}),
              std::vector<std::int64_t>{4294967294});
    EXPECT_EQ(wholes("fffffffffffffffe", {NumberKind::integer, 8, big}),
              std::vector<std::int64_t>{-2});
    EXPECT_EQ(wholes("ffffffffffffffff", {NumberKind::unsigned_integer, 8, big}),
              std::vector<std::int64_t>{INT64_MAX});
}

TEST(NumberFormat, EnginesTypesAreKnown) {
    EXPECT_EQ(dtype_of({NumberKind::unsigned_integer, 1, low}), DType::uint8);
    EXPECT_EQ(dtype_of({NumberKind::floating, 2, big}), DType::float16);
    EXPECT_EQ(dtype_of({NumberKind::integer, 2, low}), std::nullopt);
    EXPECT_EQ(name_of(NumberFormat{NumberKind::unsigned_integer, 2, low}), "uint16");
    EXPECT_EQ(format_of(DType::int64), (NumberFormat{NumberKind::integer, 8}));
}

}  // namespace
}  // namespace strata::io
