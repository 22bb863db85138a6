// HDF5 files made to read the host, to load code or to fill the memory: refused before use.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <functional>

#include "engine/core/random.h"
#include "engine/interop/keras_h5.h"
#include "engine/io/hdf5_handle.h"
#include "tests/engine/interop/keras_files.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::interop {
namespace {

using strata::testing::content_of;
using strata::testing::error_of;
using strata::testing::put;
using strata::testing::TemporaryDirectory;

class HostileH5 : public ::testing::Test {
protected:
    // A good file to which `spoil` adds something; the error of reading it, in this process, whose
    // memory is measured.
    Error refusal(const std::function<void(hid_t)>& spoil) {
        write_keras_h5(path_, testing::filled_file(graph::testing::cnn()));
        const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        EXPECT_GE(file, 0);
        spoil(file);
        EXPECT_GE(H5Fclose(file), 0);
        const Error error = error_of([&] { verify_keras_h5(path_); });
        EXPECT_EQ(error.code(), ErrorCode::format) << error.what();
        return error;
    }

    static void add(hid_t file, const char* name, std::vector<hsize_t> dims,
                    const std::function<void(hid_t)>& plan = {}) {
        const hid_t space = H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
        const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
        if (plan) plan(list);
        const hid_t set =
            H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
        EXPECT_GE(set, 0) << name;
        H5Dclose(set);
        H5Pclose(list);
        H5Sclose(space);
    }

    TemporaryDirectory directory_;
    const std::string path_ = (directory_ / "a.h5").string();
};

bool says(const Error& error, const std::string& part) {
    return std::string(error.what()).find(part) != std::string::npos;
}

TEST_F(HostileH5, LinksOutOfTheFileAreNotFollowed) {
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         H5Lcreate_external("/etc/secret.h5", "/x", f, "model_weights/evil",
                                            H5P_DEFAULT, H5P_DEFAULT);
                     }),
                     "'/model_weights/evil' is a link into another file"));
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         H5Lcreate_soft("/model_weights", f, "s", H5P_DEFAULT, H5P_DEFAULT);
                     }),
                     "'/s' is a soft or user-defined link"));
}

TEST_F(HostileH5, StorageOutsideIsNotRead) {
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         add(f, "passwords", {16},
                             [](hid_t list) { H5Pset_external(list, "/etc/passwd", 0, 64); });
                     }),
                     "'/passwords' keeps its data in other files"));
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         add(f, "virtual", {4}, [](hid_t list) {
                             const hsize_t dims = 4;
                             const hid_t space = H5Screate_simple(1, &dims, nullptr);
                             H5Pset_virtual(list, space, "/etc/other.h5", "/x", space);
                             H5Sclose(space);
                         });
                     }),
                     "'/virtual' is put together from other datasets"));
}

TEST_F(HostileH5, ReferencesAndNamedTypesAreRefused) {
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         const hid_t type = H5Tcopy(H5T_NATIVE_FLOAT);
                         H5Tcommit2(f, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
                         H5Tclose(type);
                     }),
                     "'/type' is a named type"));
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         const hid_t space = H5Screate(H5S_SCALAR);
                         H5Dclose(H5Dcreate2(f, "ref", H5T_STD_REF_OBJ, space, H5P_DEFAULT,
                                             H5P_DEFAULT, H5P_DEFAULT));
                         H5Sclose(space);
                     }),
                     "'/ref' holds something other than plain numbers"));
}

TEST_F(HostileH5, UnknownFiltersAreRefusedAndNoPlugInIsLoaded) {
    setenv("HDF5_PLUGIN_PATH", directory_.path().c_str(), 1);
    put(directory_ / "libplanted.so", "not even a library");
    const H5Z_class2_t blosc{
        H5Z_CLASS_T_VERS,
        32001,
        1,
        1,
        "planted",
        nullptr,
        nullptr,
        [](unsigned, size_t, const unsigned*, size_t n, size_t*, void**) { return n; }};
    const Error error = refusal([&](hid_t f) {
        H5Zregister(&blosc);
        add(f, "packed", {16}, [](hid_t list) {
            const hsize_t chunk = 16;
            H5Pset_chunk(list, 1, &chunk);
            H5Pset_filter(list, 32001, H5Z_FLAG_OPTIONAL, 0, nullptr);
        });
        H5Zunregister(32001);
    });
    EXPECT_TRUE(says(error, "filter 32001")) << error.what();
    EXPECT_EQ(content_of("/proc/self/maps").find("planted"), std::string::npos);
}

TEST_F(HostileH5, BombsAreRefusedWithoutTheirMemory) {
    EXPECT_TRUE(says(refusal([](hid_t f) { add(f, "huge", {1ULL << 30, 32}); }), "'/huge'"));
    EXPECT_TRUE(says(refusal([](hid_t f) { add(f, "long", {1ULL << 40}); }), "impossibly large"));
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         add(f, "deep", {1, 1, 1, 1, 1, 1, 1, 1, 1});
                     }),
                     "9 axes"));
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         for (int i = 0; i < 1000; ++i)
                             add(f, ("part" + std::to_string(i)).c_str(), {1 << 20, 1000},
                                 [](hid_t list) {
                                     const hsize_t chunk[] = {1000, 1000};
                                     H5Pset_chunk(list, 2, chunk);
                                     H5Pset_deflate(list, 9);
                                 });
                     }),
                     "brings the data to"));
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         add(f, "chunks", {1 << 26}, [](hid_t list) {
                             const hsize_t chunk = 1 << 26;
                             H5Pset_chunk(list, 1, &chunk);
                         });
                     }),
                     "chunks above 64.0 MiB"));
    // Making the files takes 160 MiB; what they declare would take 128 GiB and more.
    struct rusage usage {};
    getrusage(RUSAGE_SELF, &usage);
    EXPECT_LT(usage.ru_maxrss, 512 << 10);  // KiB
}

TEST_F(HostileH5, DepthAndRingsOfGroupsEnd) {
    EXPECT_TRUE(
        says(refusal([](hid_t f) {
                 std::string path;
                 for (int i = 0; i < 40; ++i) {
                     path += "/g";
                     H5Gclose(H5Gcreate2(f, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
                 }
             }),
             "groups deep"));
    EXPECT_TRUE(says(refusal([](hid_t f) {
                         H5Lcreate_hard(f, "/", f, "model_weights/again", H5P_DEFAULT, H5P_DEFAULT);
                     }),
                     "groups deep"));
}

TEST_F(HostileH5, DeepJsonIsRefused) {
    const Error error = refusal([](hid_t f) {
        H5Ldelete(f, "strata", H5P_DEFAULT);
        H5Adelete(f, "model_config");
        const std::string text = std::string(100, '[') + std::string(100, ']');
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, text.size());
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t attribute =
            H5Acreate2(f, "model_config", type, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, type, text.data());
        H5Aclose(attribute);
        H5Sclose(space);
        H5Tclose(type);
    });
    EXPECT_TRUE(says(error, "64")) << error.what();
}

TEST_F(HostileH5, MutatedFilesMayEndTheChildButNotTheProgram) {
    write_keras_h5(path_, testing::filled_file(graph::testing::cnn()));
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "strata", H5P_DEFAULT);  // a foreign file: nothing is checked by checksums
    H5Fclose(file);
    const std::string good = content_of(path_);
    int refused = 0;
    for (std::uint64_t round = 0; round < 150; ++round) {
        std::string bad = good;
        for (std::uint64_t i = 0; i <= round % 4; ++i) {
            const auto words = random::draw(17, 0, static_cast<std::uint32_t>(i), round);
            bad[words[0] % bad.size()] = static_cast<char>(words[1]);
        }
        put(path_, bad);
        try {
            read_keras_h5(path_);
        } catch (const Error& error) {
            ++refused;
            EXPECT_TRUE(says(error, path_)) << error.what();
        }
    }
    EXPECT_GT(refused, 10);
    put(path_, good);
    EXPECT_EQ(read_keras_h5(path_).weights.size(), 6U);
}

}  // namespace
}  // namespace strata::interop
