// The generator against the published vectors of its authors (Random123, kat_vectors), and what is
// made of its words.
#include "engine/core/random.h"

#include <gtest/gtest.h>

#include <set>

namespace strata::random {
namespace {

TEST(Philox, KnownAnswers) {
    EXPECT_EQ(philox4x32({0, 0}, {0, 0, 0, 0}),
              (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    constexpr std::uint32_t ones = 0xffffffff;
    EXPECT_EQ(philox4x32({ones, ones}, {ones, ones, ones, ones}),
              (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(
        philox4x32({0xa4093822, 0x299f31d0}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
        (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Draw, PutsEachNumberIntoItsOwnPlace) {
    // (index low, index high, step, stream) is the counter, (seed low, seed high) the key.
    EXPECT_EQ(draw(0x299f31d0a4093822, 0x03707344, 0x13198a2e, 0x85a308d3243f6a88),
              (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    const std::set<Block> different{draw(1, 0, 0, 0),
                                    draw(0, 1, 0, 0),
                                    draw(0, 0, 1, 0),
                                    draw(0, 0, 0, 1),
                                    draw(0, 0, 0, std::uint64_t{1} << 32),
                                    draw(std::uint64_t{1} << 32, 0, 0, 0)};
    EXPECT_EQ(different.size(), 6U);
}

TEST(Uniform, CoversZeroToBelowOne) {
    EXPECT_EQ(uniform(0), 0.0F);
    EXPECT_EQ(uniform(0xffffffff), 1.0F - 0x1p-24F);
    EXPECT_EQ(uniform(0x80000000), 0.5F);
    EXPECT_EQ(uniform(0x000000ff), 0.0F);
}

TEST(Below, MapsTheWholeRangeEvenly) {
    EXPECT_EQ(below(0, 10), 0U);
    EXPECT_EQ(below(~std::uint64_t{0}, 10), 9U);
    EXPECT_EQ(below(std::uint64_t{1} << 63, 10), 5U);
    EXPECT_EQ(below(~std::uint64_t{0}, 1), 0U);
}

}  // namespace
}  // namespace strata::random
