// IDX files and the gzip around them: right, cut, foreign, damaged.
#include "engine/io/idx.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

using strata::testing::error_of;
using strata::testing::from_hex;
using strata::testing::put;
using strata::testing::TemporaryDirectory;

std::vector<std::byte> bytes_of(const std::string& text) {
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
}

std::string packed(const std::string& content) {
    const auto bytes = gzip(bytes_of(content));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Two images of 2 x 3 bytes; and int32 labels 1 and -2, big-endian.
const std::string images = from_hex("00000803000000020000000200000003000102030405060708090a0b");
const std::string labels = from_hex("00000c010000000200000001fffffffe");

TEST(Idx, ReadsPlainAndGzip) {
    const TemporaryDirectory directory;
    put(directory / "plain", images);
    put(directory / "packed", packed(images));
    for (const char* name : {"plain", "packed"}) {
        const Idx idx = read_idx(directory / name);
        EXPECT_EQ(idx.type, IdxType::uint8);
        EXPECT_EQ(idx.shape, (Shape{2, 2, 3}));
        EXPECT_EQ(idx.bytes[11], std::byte{11});
        EXPECT_EQ(idx_bytes(idx), bytes_of(images));
    }
    const Idx words = parse_idx(bytes_of(labels), "labels");
    const auto* values = reinterpret_cast<const std::int32_t*>(words.bytes.data());
    EXPECT_EQ(values[0], 1);
    EXPECT_EQ(values[1], -2);
    EXPECT_EQ(idx_bytes(words), bytes_of(labels));
}

TEST(Idx, EveryTruncationNamesTheFile) {
    for (const std::string& whole : {images, labels})
        for (std::size_t n = 0; n < whole.size(); ++n) {
            const Error error = error_of([&] { parse_idx(bytes_of(whole.substr(0, n)), "train"); });
            EXPECT_EQ(error.code(), ErrorCode::format) << n;
            EXPECT_EQ(error.where(), "train");
        }
    EXPECT_EQ(error_of([&] { parse_idx(bytes_of(images + "x"), "train"); }).code(),
              ErrorCode::format);
}

TEST(Idx, RefusesForeignAndImpossibleFiles) {
    const auto hint = [](const std::string& content) {
        return error_of([&] { parse_idx(bytes_of(content), "x"); });
    };
    EXPECT_NE(hint("<!DOCTYPE html>").hint().find("web page"), std::string::npos);
    EXPECT_NE(hint(from_hex("00000a0100000000")).message().find("0x0A"), std::string::npos);
    EXPECT_NE(hint(from_hex("00000803ffffffffffffffffffffffff")).message().find("large"),
              std::string::npos);
}

TEST(Gzip, RefusesCutDamagedAndTrailingBytes) {
    const TemporaryDirectory directory;
    const std::string good = packed(images);
    const auto read = [&](const std::string& content) {
        put(directory / "x.gz", content);
        return error_of([&] { read_maybe_gzip(directory / "x.gz"); });
    };
    for (std::size_t n = 2; n < good.size(); ++n)
        EXPECT_EQ(read(good.substr(0, n)).code(), ErrorCode::format) << n;
    EXPECT_NE(read(good + "rest").message().find("after the end"), std::string::npos);
    std::string wrong = good;
    wrong[wrong.size() - 8] = static_cast<char>(wrong[wrong.size() - 8] ^ 1);
    EXPECT_NE(read(wrong).message().find("checksum"), std::string::npos);
    put(directory / "two.gz", good + packed("!"));
    EXPECT_EQ(read_maybe_gzip(directory / "two.gz"), bytes_of(images + "!"));
}

TEST(Gzip, RefusesBombsAndTheBudget) {
    const TemporaryDirectory directory;
    const auto bomb = gzip(std::vector<std::byte>(std::size_t{48} << 20));
    put(directory / "bomb.gz",
        std::string_view(reinterpret_cast<const char*>(bomb.data()), bomb.size()));
    EXPECT_NE(error_of([&] { read_maybe_gzip(directory / "bomb.gz"); }).message().find("250"),
              std::string::npos);
    put(directory / "small.gz", packed(images));
    EXPECT_EQ(error_of([&] { read_maybe_gzip(directory / "small.gz", 27); }).code(),
              ErrorCode::format);
    EXPECT_EQ(read_maybe_gzip(directory / "small.gz", 28).size(), 28U);
}

}  // namespace
}  // namespace strata::io
