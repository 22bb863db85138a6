// NPY against the bytes that numpy 2 writes, and files that lie about themselves.
#include "engine/io/npy.h"

#include <gtest/gtest.h>

#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

using strata::testing::error_of;
using strata::testing::from_hex;
using strata::testing::put;
using strata::testing::TemporaryDirectory;

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

// A file of version 1 as numpy.save lays it out.
std::string npy(const std::string& dict, const std::string& data_hex) {
    std::string head = dict + std::string(117 - dict.size(), ' ') + "\n";
    return from_hex("934e554d505901007600") + head + from_hex(data_hex);
}

const std::string two_by_three = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
const std::string zero_to_five = "000000000000803f0000004000004040000080400000a040";

TEST(Npy, ReadsAndWritesNumpysOwnBytes) {
    const std::string file = npy(two_by_three, zero_to_five);
    const Npy read = parse_npy(bytes_of(file), "x");
    EXPECT_EQ(read.dtype, DType::float32);
    EXPECT_EQ(read.shape, (Shape{2, 3}));
    const std::vector<float> expected{0, 1, 2, 3, 4, 5};
    EXPECT_EQ(std::vector<float>(read.as<float>().begin(), read.as<float>().end()), expected);
    const auto written = npy_bytes(read.dtype, read.shape, read.bytes);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(written.data()), written.size()), file);
    const std::string scalar =
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "0000000000001e40");
    EXPECT_EQ(parse_npy(bytes_of(scalar), "x").as<double>()[0], 7.5);
}

TEST(Npy, FortranOrderAndBigEndianAreConverted) {
    const std::string fortran = npy("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }",
                                    "000000000300000001000000040000000200000005000000");
    const Npy a = parse_npy(bytes_of(fortran), "x");
    EXPECT_EQ(std::vector<std::int32_t>(a.as<std::int32_t>().begin(), a.as<std::int32_t>().end()),
              (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
    const std::string big = npy("{'descr': '>i8', 'fortran_order': False, 'shape': (3,), }",
                                "000000000000000000000000000000010000000000000002");
    const Npy b = parse_npy(bytes_of(big), "x");
    EXPECT_EQ(std::vector<std::int64_t>(b.as<std::int64_t>().begin(), b.as<std::int64_t>().end()),
              (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(Npy, RefusesWhatIsNoPlainArray) {
    const auto refused = [](const std::string& dict, const std::string& data) {
        const std::string file = npy(dict, data);
        return error_of([&] { parse_npy(bytes_of(file), "weights.npy"); });
    };
    const Error objects = refused("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "00");
    EXPECT_EQ(objects.code(), ErrorCode::unsupported);
    EXPECT_NE(objects.message().find("Python objects"), std::string::npos);
    EXPECT_EQ(objects.message().find("which"), objects.message().rfind("which"));
    EXPECT_NE(objects.hint().find("never loaded"), std::string::npos);
    EXPECT_EQ(objects.where(), "weights.npy");
    const std::string one_short =
        refused("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "00").message();
    EXPECT_NE(one_short.find("= 2 bytes, but 1 byte follows"), std::string::npos) << one_short;
    EXPECT_EQ(
        refused("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "").code(),
        ErrorCode::unsupported);
    EXPECT_NE(refused("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "")
                  .message()
                  .find("<c8"),
              std::string::npos);
    for (const char* dict :
         {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 8), }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }",
          "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }",
          "{'descr': '<f4', 'fortran_order': False, }",
          "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}", "__import__('os')"})
        EXPECT_EQ(refused(dict, "00000000").code(), ErrorCode::format) << dict;
}

TEST(Npy, RefusesATwelveByteFileThatDeclaresFourGibibytes) {
    const TemporaryDirectory directory;
    put(directory / "a.npy", from_hex("934e554d50590200ffffffff"));
    const Error error = error_of([&] { read_npy(directory / "a.npy"); });
    EXPECT_EQ(error.code(), ErrorCode::format);
    EXPECT_NE(error.message().find("4294967295"), std::string::npos);
}

TEST(Npy, EveryTruncationIsRefused) {
    const TemporaryDirectory directory;
    const std::string file = npy(two_by_three, zero_to_five);
    for (std::size_t n = 0; n < file.size(); ++n) {
        put(directory / "a.npy", file.substr(0, n));
        EXPECT_EQ(error_of([&] { read_npy(directory / "a.npy"); }).code(), ErrorCode::format) << n;
    }
    put(directory / "a.npy", file + "x");
    EXPECT_EQ(error_of([&] { read_npy(directory / "a.npy"); }).code(), ErrorCode::format);
    write_npy(directory / "b.npy", DType::uint8, {3}, bytes_of("abc"));
    EXPECT_EQ(read_npy(directory / "b.npy").as<std::uint8_t>()[2], 'c');
}

}  // namespace
}  // namespace strata::io
