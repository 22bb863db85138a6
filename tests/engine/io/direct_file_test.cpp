// Blocks past the page cache: any size and offset, with and without the file system's help.
#include "engine/io/direct_file.h"

#include <gtest/gtest.h>

#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

using strata::testing::content_of;
using strata::testing::error_of;
using strata::testing::put;
using strata::testing::TemporaryDirectory;

std::string pattern(std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7 + i / 251);
    return text;
}

std::string read(DirectFile& file, std::uint64_t offset, std::uint64_t size) {
    std::string text;
    file.read_at(offset, size, [&](std::span<const std::byte> bytes) {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    return text;
}

void write_and_read(const TemporaryDirectory& directory) {
    const std::string path = (directory / "ছবি.bin").string();
    for (const std::size_t size : {0UL, 1UL, 4096UL, 4097UL, 65536UL, 100'001UL, 5'000'000UL}) {
        for (const std::uint64_t offset : {0UL, 4096UL, 8192UL, 100UL}) {
            put(path, std::string(offset, 'x'));
            const std::string text = pattern(size);
            DirectFile(path, DirectFile::Access::write)
                .write_at(offset, std::as_bytes(std::span(text)));
            ASSERT_EQ(content_of(path), std::string(offset, 'x') + text) << size << " " << offset;
            DirectFile file(path, DirectFile::Access::read);
            ASSERT_EQ(read(file, offset, size), text);
            if (size < 10) continue;
            ASSERT_EQ(read(file, offset + 5, size - 9), text.substr(5, size - 9));
            ASSERT_EQ(error_of([&] { read(file, offset, size + 1); }).code(), ErrorCode::format);
        }
    }
}

TEST(DirectFile, WritesAndReadsAnySizeAtAnyOffset) {
    write_and_read(TemporaryDirectory());
}

TEST(DirectFile, AlsoInMemory) {
    TemporaryDirectory directory;
    if (!directory.limit_to_kib(20 << 10)) GTEST_SKIP() << "no tmpfs can be mounted here";
    write_and_read(directory);
}

TEST(DirectFile, AFullDiskIsAnError) {
    TemporaryDirectory directory;
    if (!directory.limit_to_kib(256)) GTEST_SKIP() << "no tmpfs can be mounted here";
    const std::string path = (directory / "a").string(), text = pattern(1 << 20);
    put(path, "");
    DirectFile file(path, DirectFile::Access::write);
    const Error error = error_of([&] { file.write_at(0, std::as_bytes(std::span(text))); });
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(error.message().find("No space left"), std::string::npos) << error.what();
    EXPECT_EQ(error_of([&] { DirectFile(path + "b", DirectFile::Access::read); }).code(),
              ErrorCode::not_found);
}

}  // namespace
}  // namespace strata::io
