// A flipped bit anywhere in the numbers of a checkpoint is noticed, in large tensors and small
// ones.
#include <gtest/gtest.h>

#include <random>

#include "tests/engine/layers/error_of.h"
#include "tests/faults/synthetic_snapshot.h"
#include "tests/support/temporary_directory.h"

namespace strata::faults {
namespace {

using strata::testing::content_of;
using strata::testing::error_of;

TEST(Corruption, EachOfAThousandFlippedBytesIsDetected) {
    const strata::testing::TemporaryDirectory directory;
    const std::string path = (directory / "last.h5").string();
    checkpoint::Snapshot snapshot = synthetic_snapshot(3, 150);
    checkpoint::write(snapshot, path);
    const std::string good = content_of(path);
    std::vector<std::size_t> places;  // of every payload byte
    for (const graph::HostTensor& tensor : snapshot.tensors) {
        const std::string payload(reinterpret_cast<const char*>(tensor.values.data()),
                                  tensor.values.size() * sizeof(float));
        const std::size_t at = good.find(payload);
        ASSERT_NE(at, std::string::npos) << tensor.layer << "/" << tensor.role;
        for (std::size_t i = 0; i < payload.size(); ++i) places.push_back(at + i);
    }
    std::mt19937 random(5);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto put = [&](std::size_t at, char byte) {
        file.seekp(static_cast<std::streamoff>(at));
        file.put(byte).flush();
    };
    for (int i = 0; i < 1000; ++i) {
        const std::size_t at = places[random() % places.size()];
        put(at, static_cast<char>(good[at] ^ (1 << (random() % 8))));
        const Error error = error_of([&] { interop::verify_keras_h5(path); });
        ASSERT_NE(error.message().find("checksum"), std::string::npos) << at << error.what();
        if (i % 50 == 0) {
            EXPECT_EQ(error_of([&] { interop::read_keras_h5(path); }).code(), ErrorCode::format);
            EXPECT_EQ(error_of([&] { interop::check_keras_h5(path); }).code(), ErrorCode::format);
        }
        put(at, good[at]);
    }
    EXPECT_NO_THROW(interop::verify_keras_h5(path));
}

}  // namespace
}  // namespace strata::faults
