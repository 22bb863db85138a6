// Datasets of h5py row by row, files that reach for other files, and damaged ones.
#include "engine/io/hdf5_reader.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <map>
#include <thread>

#include "tests/engine/layers/error_of.h"
#include "tests/support/memory_growth.h"
#include "tests/support/mutations.h"
#include "tests/support/temporary_directory.h"

namespace strata::io {
namespace {

using namespace strata::testing;

const std::string reference = STRATA_SOURCE_DIR "/tests/references/data/arrays.h5";

std::size_t index_of(const Hdf5Reader& reader, const std::string& name) {
    for (std::size_t i = 0; i < reader.datasets().size(); ++i)
        if (reader.datasets()[i].name == name) return i;
    ADD_FAILURE() << name;
    return 0;
}

std::vector<std::uint8_t> rows_of(Hdf5Reader& reader, const std::string& name,
                                  const std::vector<std::int64_t>& rows) {
    const std::size_t index = index_of(reader, name);
    const Hdf5Dataset& dataset = reader.datasets()[index];
    const auto row = static_cast<std::size_t>(dataset.shape.elements() / dataset.shape[0]);
    std::vector<std::uint8_t> out(rows.size() * row * dataset.format.bytes);
    reader.read_rows(index, rows.data(), static_cast<std::int64_t>(rows.size()),
                     reinterpret_cast<std::byte*>(out.data()));
    return out;
}

TEST(Hdf5Reader, ListsArraysOfNumbers) {
    const Hdf5Reader reader(reference);
    EXPECT_EQ(reader.datasets().size(), 20U);  // the texts are not among them
    const Hdf5Dataset& packed = reader.datasets()[index_of(reader, "train/x")];
    EXPECT_EQ(packed.shape, (Shape{6, 4, 5}));
    EXPECT_FALSE(packed.offset);
    const Hdf5Dataset& big = reader.datasets()[index_of(reader, "big")];
    EXPECT_EQ(big.format, (NumberFormat{NumberKind::floating, 4, std::endian::big}));
    EXPECT_TRUE(big.offset);
    EXPECT_EQ(reader.datasets()[index_of(reader, "half")].format.bytes, 2);
    EXPECT_EQ(reader.datasets()[index_of(reader, "chunked/half")].format.bytes, 4);
    EXPECT_EQ(name_of(reader.datasets()[index_of(reader, "flags")].format), "int8");
}

TEST(Hdf5Reader, RowsOfChunksComeInAnyOrder) {
    Hdf5Reader reader(reference);
    const auto rows = rows_of(reader, "train/x", {5, 0, 1, 2, 0});
    ASSERT_EQ(rows.size(), 100U);
    const std::int64_t order[] = {5, 0, 1, 2, 0};
    for (std::size_t i = 0; i < rows.size(); ++i)
        EXPECT_EQ(rows[i], (31 * order[i / 20] + 7 * static_cast<std::int64_t>(i % 20 / 5) +
                            static_cast<std::int64_t>(i % 5)) %
                               256);
}

TEST(Hdf5Reader, ThreadsAndReadersDoNotDisturbOneAnother) {
    Hdf5Reader first(reference), second(reference);
    const auto wanted = rows_of(first, "train/x", {3, 1});
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int k = 0; k < 50; ++k)
                if (rows_of(i % 2 == 0 ? first : second, "train/x", {3, 1}) != wanted) ++wrong;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

// A file with what `add` puts into it.
class HostileData : public ::testing::Test {
protected:
    template <typename Add>
    Error refusal(const Add& add) {
        path_ = (directory_ / ("probe" + std::to_string(count_++) + ".h5")).string();
        const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        add(file);
        EXPECT_GE(H5Fclose(file), 0);
        const Error error = error_of([&] { const Hdf5Reader reader(path_); });
        EXPECT_EQ(error.code(), ErrorCode::format);
        EXPECT_EQ(error.where(), path_);
        return error;
    }
    static void add_dataset(hid_t file, const char* name, std::vector<hsize_t> dims, hid_t list) {
        const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
        H5Dclose(H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
        H5Sclose(space);
    }
    TemporaryDirectory directory_;
    std::string path_;
    int count_ = 0;
};

bool says(const Error& error, const char* text) {
    if (error.message().find(text) != std::string::npos) return true;
    ADD_FAILURE() << error.what();
    return false;
}

TEST_F(HostileData, ReachingForOtherFilesIsRefused) {
    says(refusal([](hid_t f) {
             H5Lcreate_external("/etc/secret.h5", "/x", f, "x", H5P_DEFAULT, H5P_DEFAULT);
         }),
         "link into another file");
    says(refusal([](hid_t f) { H5Lcreate_soft("/y", f, "x", H5P_DEFAULT, H5P_DEFAULT); }),
         "soft or user-defined link");
    says(refusal([](hid_t f) {
             const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
             H5Pset_external(list, "/etc/passwd", 0, 64);
             add_dataset(f, "x", {4, 4}, list);
             H5Pclose(list);
         }),
         "in other files");
    says(refusal([](hid_t f) {
             const hsize_t dims = 4;
             const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
             const hid_t space = H5Screate_simple(1, &dims, nullptr);
             H5Pset_virtual(list, space, "/etc/other.h5", "/x", space);
             add_dataset(f, "x", {4}, list);
             H5Sclose(space);
             H5Pclose(list);
         }),
         "virtual layout");
    says(refusal([](hid_t f) {
             const hid_t space = H5Screate(H5S_SCALAR);
             H5Dclose(H5Dcreate2(f, "ref", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT,
                                 H5P_DEFAULT));
             H5Sclose(space);
         }),
         "other than plain numbers");
    says(refusal([](hid_t f) {
             const hid_t type = H5Tcopy(H5T_NATIVE_FLOAT);
             H5Tcommit2(f, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
             H5Tclose(type);
         }),
         "named type");
}

TEST_F(HostileData, BombsAreRefusedWithoutTheirMemory) {
    const auto packed = [](hid_t file, const char* name, std::vector<hsize_t> dims) {
        const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[] = {1000, 32};
        H5Pset_chunk(list, 2, chunk);
        H5Pset_deflate(list, 9);
        add_dataset(file, name, std::move(dims), list);
        H5Pclose(list);
    };
    const std::int64_t grown = growth_kib([&] {
        says(refusal([&](hid_t f) {
                 packed(f, "x", {1 << 30, 32});
             }),
             "brings the data to 128.0 GiB");
        EXPECT_LT(std::filesystem::file_size(path_), 14'000U);
        says(refusal([&](hid_t f) {
                 for (int i = 0; i < 1000; ++i)
                     packed(f, ("x" + std::to_string(i)).c_str(), {1 << 20, 1000});
             }),
             "brings the data to");
    });
    EXPECT_LT(grown, 64 << 10);
}

TEST_F(HostileData, WhatIsNoHdf5IsSaidSo) {
    put(directory_ / "x.h5", "this is no HDF5 file");
    EXPECT_NE(error_of([&] { const Hdf5Reader reader(directory_ / "x.h5"); })
                  .message()
                  .find("not an HDF5 file"),
              std::string::npos);
    EXPECT_EQ(error_of([&] { const Hdf5Reader reader(directory_ / "absent.h5"); }).code(),
              ErrorCode::not_found);
}

TEST_F(HostileData, MutatedFilesMayEndTheChildButNotTheProgram) {
    Mutations mutations(content_of(reference), 3);
    int refused = 0;
    for (int i = 0; i < 250; ++i) {
        put_anew(directory_ / "x.h5", mutations.next());
        try {
            Hdf5Reader reader(directory_ / "x.h5");
            for (const Hdf5Dataset& dataset : reader.datasets())
                if (dataset.shape.elements() < 1000) rows_of(reader, dataset.name, {0});
        } catch (const Error& error) {
            EXPECT_EQ(error.where().rfind((directory_ / "x.h5").string(), 0), 0U) << error.what();
            ++refused;
        }
    }
    EXPECT_GT(refused, 60);
}

TEST_F(HostileData, AReaderWhoseChildIsGoneSaysSoAndStays) {
    std::filesystem::copy_file(reference, directory_ / "x.h5");
    Hdf5Reader reader(directory_ / "x.h5");
    std::filesystem::resize_file(directory_ / "x.h5", 3000);
    const Error error = error_of([&] { rows_of(reader, "train/x", {0, 1, 2, 3, 4, 5}); });
    EXPECT_EQ(error.where(), (directory_ / "x.h5").string());
    EXPECT_EQ(error_of([&] { reader.file()->require_unchanged(); }).code(), ErrorCode::io);
}

}  // namespace
}  // namespace strata::io
