// The folded checksum gives zlib's numbers for every length, place and beginning.
#include "engine/io/crc32.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

namespace strata::io {
namespace {

std::uint32_t zlib_crc(std::uint32_t crc, std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(
        ::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

TEST(Crc32, IsZlibsForEveryLengthAndPlace) {
    std::mt19937 random(3);
    std::vector<std::byte> bytes(5000);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    const std::span<const std::byte> all(bytes);
    for (std::size_t size = 0; size < 1200; ++size) {
        const auto part = all.subspan(size % 17, size);
        const auto begin = static_cast<std::uint32_t>(size % 3 == 0 ? 0 : random());
        ASSERT_EQ(crc32(begin, part), zlib_crc(begin, part)) << size;
    }
    EXPECT_EQ(crc32(0, all), zlib_crc(0, all));
    EXPECT_EQ(crc32(crc32(0, all.first(333)), all.subspan(333)), zlib_crc(0, all));
}

TEST(Crc32, HasTheCheckValueOfTheStandard) {
    const std::string_view text = "123456789";
    EXPECT_EQ(crc32(0, std::as_bytes(std::span(text))), 0xCBF43926U);
}

}  // namespace
}  // namespace strata::io
