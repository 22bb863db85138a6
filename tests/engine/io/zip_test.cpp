// Archives as numpy writes them, crafted ones that must not be read, and thousands of damaged ones.
#include "engine/io/zip.h"

#include <gtest/gtest.h>

#include "tests/engine/io/zip_builder.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/memory_growth.h"
#include "tests/support/mutations.h"
#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

using namespace strata::testing;

const std::string references = STRATA_SOURCE_DIR "/tests/references/data/";

ZipFile open(const std::filesystem::path& path, const ZipLimits& limits = {}) {
    return ZipFile(std::make_shared<const InputFile>(path), limits);
}

std::string text_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class Zip : public ::testing::Test {
protected:
    ZipFile made(const std::string& content, const ZipLimits& limits = {}) const {
        put_anew(directory_ / "x.npz", content);
        return open(directory_ / "x.npz", limits);
    }
    // The error of opening the archive and reading all of it.
    Error refusal(const std::string& content, const ZipLimits& limits = {}) const {
        const Error error = error_of([&] {
            const ZipFile zip = made(content, limits);
            for (const ZipMember& member : zip.members()) zip.read(member);
        });
        EXPECT_EQ(error.where().rfind((directory_ / "x.npz").string(), 0), 0U) << error.what();
        EXPECT_FALSE(error.hint().empty());
        return error;
    }
    TemporaryDirectory directory_;
};

TEST_F(Zip, NumpysArchivesAreRead) {
    for (const char* name : {"arrays.npz", "arrays_packed.npz"}) {
        const ZipFile zip = open(references + name);
        EXPECT_EQ(zip.members().size(), 14U);
        const ZipMember* member = zip.find("x_train.npy");
        ASSERT_NE(member, nullptr);
        EXPECT_EQ(member->packed, std::string(name) == "arrays_packed.npz");
        const std::string bytes = text_of(zip.read(*member));
        EXPECT_EQ(bytes.size(), 128U + 6 * 4 * 5);
        EXPECT_EQ(bytes.substr(0, 6), "\x93NUMPY");
        EXPECT_EQ(static_cast<std::uint8_t>(bytes.back()), 5 * 31 + 3 * 7 + 4);
        EXPECT_EQ(zip.find("x_train"), nullptr);
    }
}

TEST_F(Zip, StoredPackedEmptyAndLargeSizesAreRead) {
    const std::string text(100'000, 'x');
    ZipEntry wide{.name = "wide.npy"};
    wide.local_extra = little(1, 2) + little(16, 2) + little(7, 8) + little(7, 8);
    const ZipFile zip = made(zip_of({{.name = "a"},
                                     {.name = "b", .data = text, .packed = true},
                                     {.name = "empty", .data = "", .packed = true},
                                     {.name = "folder/", .data = ""},
                                     {.name = "folder/\xE0\xA6\x95.npy"},
                                     wide},
                                    {.comment = "PK\5\6 is not the end"}));
    EXPECT_EQ(text_of(zip.read(*zip.find("a"))), "content");
    EXPECT_EQ(text_of(zip.read(*zip.find("b"))), text);
    EXPECT_TRUE(zip.read(*zip.find("empty")).empty());
    EXPECT_EQ(zip.find("folder/"), nullptr);
    EXPECT_EQ(text_of(zip.read(*zip.find("folder/\xE0\xA6\x95.npy"))), "content");
    EXPECT_EQ(text_of(zip.read(*zip.find("wide.npy"))), "content");
    EXPECT_NO_THROW(zip.verify(*zip.find("wide.npy")));
    EXPECT_EQ(error_of([&] { zip.read(*zip.find("b"), 99'999); }).code(), ErrorCode::format);
}

struct Crafted {
    const char* says;
    std::vector<ZipEntry> entries;
    ZipEnd end = {};
};

TEST_F(Zip, CraftedArchivesAreRefused) {
    const std::string zeros(2 << 20, '\0');
    const std::string longer = deflated("content and more"), shorter = deflated("con");
    ZipEntry over{.name = "b"};
    over.offset = 0;
    over.local_name = "b";
    const Crafted cases[] = {
        {"stands twice", {{}, {}}},
        {"leads out", {{.name = "../a"}}},
        {"leads out", {{.name = "x/../../a"}}},
        {"leads out", {{.name = "x/.."}}},
        {"absolute", {{.name = "/etc/passwd"}}},
        {"absolute", {{.name = "C:/a"}}},
        {"backslash", {{.name = "..\\a"}}},
        {"control characters", {{.name = std::string("a\0b", 3)}}},
        {"no name", {{.name = ""}}},
        {"link or a device", {{.attributes = 0120777U << 16}}},
        {"link or a device", {{.attributes = 0020666U << 16}}},
        {"encrypted", {{.flags = 1}}},
        {"encrypted", {{.flags = 1 << 13}}},
        {"method 12", {{.method = 12}}},
        {"method 99", {{.method = 99}}},
        {"100 to 1", {{.data = zeros, .packed = true}}},
        {"checksum", {{.crc = 1234}}},
        {"checksum", {{.packed = true, .crc = 1234}}},
        {"another name", {{.local_name = "b.npy"}}},
        {"another size", {{.packed = true, .local_bytes = 8}}},
        {"another size", {{.local_crc = 5}}},
        {"two sizes", {{.bytes = 100}}},
        {"more than its size", {{.packed = true, .stored = longer}}},
        {"less than its size", {{.packed = true, .stored = shorter}}},
        {"follows its packed data", {{.packed = true, .stored = deflated("content") + "x"}}},
        {"bad packed data", {{.packed = true, .stored = "\xff\xff\xff"}}},
        {"folder with content", {{.name = "f/"}}},
        {"another name", {{.name = "a"}, over}},
        {"no header of its own", {{.offset = 3}}},
        {"outside the archive", {{.offset = 1'000'000}}},
        {"not where it should be", {{}}, {.before = "#!/bin/sh\n", .offset = 0}},
        {"not where it should be", {{}}, {.directory_bytes = 4'000'000}},
        {"not a zip archive", {{}}, {.after = "x"}},
        {"cut off", {{}}, {.entries = 2}},
        {"more than its entries", {{}, {.name = "b"}}, {.entries = 1}},
        {"several parts", {{}}, {.disk = 1}},
        {"zip64", {{}}, {.entries = 0xFFFF}},
    };
    for (const Crafted& crafted : cases) {
        const Error error = refusal(zip_of(crafted.entries, crafted.end));
        EXPECT_NE(error.message().find(crafted.says), std::string::npos)
            << crafted.says << ": " << error.what();
    }
}

// Two members that share the same packed bytes: 42.zip's way of being small.
TEST_F(Zip, MembersOverOneAnotherAreRefused) {
    const std::string inner = zip_of({{.name = "b", .data = "hidden"}});
    const std::string local_of_inner = inner.substr(0, 30 + 1 + 6);
    ZipEntry outer{.name = "a", .data = local_of_inner};
    ZipEntry hidden{.name = "b", .data = "hidden"};
    hidden.offset = 30 + 1;  // within the data of the first
    const Error error = refusal(zip_of({outer, hidden}));
    EXPECT_NE(error.message().find("lies over another"), std::string::npos) << error.what();
}

TEST_F(Zip, LimitsHoldBeforeAnythingIsUnpacked) {
    std::vector<ZipEntry> many;
    for (int i = 0; i < 40; ++i) {
        ZipEntry entry{
            .name = "part" + std::to_string(i), .data = std::string(4096, 'x'), .packed = true};
        entry.bytes = 100 << 10;
        entry.stored = std::string(2048, 'y');
        many.push_back(entry);
    }
    const std::string bomb = zip_of(many);
    ZipLimits limits;
    limits.packed_data_bytes = 1 << 20;
    EXPECT_NE(refusal(bomb, limits).message().find("unpacked data"), std::string::npos);
    limits = {};
    limits.members = 39;
    EXPECT_NE(refusal(bomb, limits).message().find("40 members"), std::string::npos);
    ZipEntry huge{.name = "huge", .packed = true};
    huge.bytes = 0xFFFFFFF0;
    const std::int64_t grown = growth_kib([&] { refusal(zip_of({huge})); });
    EXPECT_LT(grown, 8 << 10);
}

TEST_F(Zip, EveryTruncationIsRefused) {
    const std::string file = zip_of({{}, {.name = "b", .packed = true}});
    for (std::size_t n = 0; n < file.size(); ++n)
        EXPECT_EQ(refusal(file.substr(0, n)).code(), ErrorCode::format) << n;
}

TEST_F(Zip, MutatedArchivesNeverDoHarm) {
    int refused = 0;
    for (const char* name : {"arrays.npz", "arrays_packed.npz"}) {
        Mutations mutations(content_of(references + name), 7);
        for (int i = 0; i < 1500; ++i) {
            try {
                const ZipFile zip = made(mutations.next());
                for (const ZipMember& member : zip.members()) zip.read(member, 1 << 20);
            } catch (const Error&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace strata::io
