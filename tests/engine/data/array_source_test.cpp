// NPY, NPZ and HDF5 as data: files of numpy and h5py in every form, with and without a cache.
#include "engine/data/array_source.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "engine/io/npy.h"
#include "tests/engine/data/read_all.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/memory_growth.h"
#include "tests/support/temporary_directory.h"

namespace strata::data {
namespace {

using namespace strata::testing;

const std::string references = STRATA_SOURCE_DIR "/tests/references/data/";

std::shared_ptr<Source> open(const Json& config, bool cache = true) {
    return open_source(config, references, "data.source", cache);
}

Error refusal(const Json& config) {
    return error_of([&] { open(config); });
}

const Json files_of_both[] = {
    {{"type", "npz"}, {"file", "arrays.npz"}},
    {{"type", "npz"}, {"file", "arrays_packed.npz"}},
    {{"type", "hdf5"}, {"file", "arrays.h5"}},
};

TEST(ArraySources, UsualNamesAreFound) {
    for (const Json& config : files_of_both)
        for (const bool cache : {true, false}) {
            const auto source = open(config, cache);
            EXPECT_EQ(source->size(), 6);
            EXPECT_EQ(source->sample_shape(), (Shape{4, 5, 1}));
            EXPECT_EQ(source->sample_dtype(), DType::uint8);
            EXPECT_EQ(source->classes(), 3);
            EXPECT_TRUE(source->has_labels());
            EXPECT_EQ(source->description(), "6 images 4 x 5, 3 classes");
            EXPECT_EQ(source->in_memory(), cache || config["file"] == "arrays_packed.npz");
            EXPECT_EQ(source->value_range()->largest, 255.0F);
            const AllSamples all = read_rows(*source, {4, 0, 1, 2, 4});
            EXPECT_EQ(all.labels, (std::vector<std::int32_t>{1, 0, 1, 2, 1}));
            const std::int64_t order[] = {4, 0, 1, 2, 4};
            for (std::size_t i = 0; i < all.pixels.size(); ++i)
                EXPECT_EQ(all.pixels[i],
                          (31 * order[i / 20] + 7 * static_cast<std::int64_t>(i % 20 / 5) +
                           static_cast<std::int64_t>(i % 5)) %
                              256)
                    << config << i;
            EXPECT_NO_THROW(source->require_unchanged());
            Json test = config;
            test["split"] = "test";
            EXPECT_EQ(open(test, cache)->size(), 2);
        }
}

// values[i, k] = (3 i + k) / 8 - 1, in every type that a file may have.
TEST(ArraySources, AllFormsOfNumbersBecomeTheSameFloats) {
    const char* npz_names[] = {"half", "double", "fortran", "big", "single"};
    const char* hdf5_names[] = {"half",         "double",         "big",         "single",
                                "chunked/half", "chunked/double", "chunked/big", "/chunked/single"};
    std::vector<Json> configs;
    for (const char* name : npz_names)
        for (const char* file : {"arrays.npz", "arrays_packed.npz"})
            configs.push_back({{"type", "npz"}, {"file", file}, {"samples", name}});
    for (const char* name : hdf5_names)
        configs.push_back({{"type", "hdf5"}, {"file", "arrays.h5"}, {"samples", name}});
    for (Json& config : configs)
        for (const bool cache : {true, false}) {
            config["labels"] = "wide";
            const auto source = open(config, cache);
            EXPECT_EQ(source->sample_dtype(), DType::float32) << config;
            const AllSamples all = read_all(*source);
            ASSERT_EQ(all.values.size(), 18U);
            for (std::size_t i = 0; i < 18; ++i)
                EXPECT_EQ(all.values[i], static_cast<float>(i) * 0.125F - 1.0F) << config << i;
            EXPECT_EQ(all.labels, (std::vector<std::int32_t>{0, 1, 2, 0, 1, 2}));
            if (!cache) continue;
            EXPECT_EQ(source->description(), "6 samples (3,), 3 classes");
            EXPECT_EQ(source->value_range()->least, -1.0F) << config;
            EXPECT_EQ(source->value_range()->largest, 1.125F) << config;
        }
}

TEST(ArraySources, LabelsAreClassesOrValues) {
    const auto with = [](const char* file, const char* type, const char* labels, const char* kind) {
        return open({{"type", type},
                     {"file", file},
                     {"samples", "single"},
                     {"labels", labels},
                     {"label_kind", kind}});
    };
    for (const auto& [file, type] :
         {std::pair("arrays.npz", "npz"), std::pair("arrays.h5", "hdf5")}) {
        EXPECT_EQ(with(file, type, "flags", "auto")->classes(), 2);
        EXPECT_EQ(with(file, type, "column", "auto")->classes(), 3);
        const auto values = with(file, type, "double", "auto");
        ASSERT_FALSE(values->has_labels());
        EXPECT_EQ(*values->target_shape(), (Shape{3}));
        EXPECT_EQ(values->classes(), 0);
        EXPECT_EQ(values->description(), "6 samples (3,), values (3,)");
        EXPECT_EQ(read_rows(*values, {1}).targets, (std::vector<float>{-0.625F, -0.5F, -0.375F}));
        const auto numbers = with(file, type, "wide", "values");
        ASSERT_FALSE(numbers->has_labels());
        EXPECT_EQ(*numbers->target_shape(), (Shape{1}));
        EXPECT_EQ(read_all(*numbers).targets, (std::vector<float>{0, 1, 2, 0, 1, 2}));
        const Error error = error_of([&] { with(file, type, "double", "classes"); });
        EXPECT_NE(error.message().find("float64 of shape (6, 3)"), std::string::npos)
            << error.what();
        EXPECT_NE(error.where().find("double"), std::string::npos);
    }
}

TEST(ArraySources, SamplesTakeAShape) {
    const Json config = {{"type", "npz"},
                         {"file", "arrays.npz"},
                         {"samples", "flat"},
                         {"labels", "y_train"},
                         {"shape", {4, 5, 1}}};
    EXPECT_EQ(open(config)->sample_shape(), (Shape{4, 5, 1}));
    Json wrong = config;
    wrong["shape"] = {4, 6};
    EXPECT_NE(refusal(wrong).message().find("(4, 6)"), std::string::npos);
}

TEST(ArraySources, WrongNamesAndCountsAreNamed) {
    const Error none = refusal({{"type", "npz"}, {"file", "arrays.npz"}, {"samples", "x"}});
    EXPECT_NE(none.message().find("no array 'x'"), std::string::npos) << none.what();
    EXPECT_NE(none.hint().find("x_train, y_train"), std::string::npos) << none.hint();
    const Error unusual = refusal({{"type", "npz"}, {"file", "images.npz"}});
    EXPECT_NE(unusual.message().find("usual name for samples"), std::string::npos);
    const Error counts = refusal(
        {{"type", "hdf5"}, {"file", "arrays.h5"}, {"samples", "test/x"}, {"labels", "wide"}});
    EXPECT_EQ(counts.code(), ErrorCode::invalid_argument);
    EXPECT_NE(counts.message().find("2 samples, but 6 labels"), std::string::npos) << counts.what();
    EXPECT_NE(counts.where().find("test/x"), std::string::npos);
    const Error negative = refusal({{"type", "npz"},
                                    {"file", "arrays.npz"},
                                    {"samples", "short"},
                                    {"labels", "short"},
                                    {"label_kind", "classes"}});
    EXPECT_NE(negative.where().find("short"), std::string::npos) << negative.what();
}

class NpyFiles : public ::testing::Test {
protected:
    template <typename T>
    void write(const char* name, DType dtype, const Shape& shape, const std::vector<T>& values) {
        io::write_npy(directory_ / name, dtype, shape, std::as_bytes(std::span(values)));
    }
    std::shared_ptr<Source> open_pair(const char* samples, const char* labels, bool cache) {
        return open_source({{"type", "npy"}, {"samples", samples}, {"labels", labels}},
                           directory_.path().string(), "data.source", cache);
    }
    TemporaryDirectory directory_;
};

TEST_F(NpyFiles, AreReadByPositionAndNoticed) {
    write<float>("x.npy", DType::float32, {3, 2}, {1, 2, 3, 4, 5, 6});
    write<std::int64_t>("y.npy", DType::int64, {3}, {2, 0, 1});
    const auto source = open_pair("x.npy", "y.npy", false);
    EXPECT_FALSE(source->in_memory());
    EXPECT_EQ(source->memory_bytes(), 3U * 4);
    const AllSamples some = read_rows(*source, {2, 0});
    EXPECT_EQ(some.values, (std::vector<float>{5, 6, 1, 2}));
    EXPECT_EQ(some.labels, (std::vector<std::int32_t>{1, 2}));
    const std::int64_t outside = 3;
    float out[2];
    std::int32_t label = 0;
    EXPECT_EQ(error_of([&] { source->read(&outside, 1, out, &label); }).code(),
              ErrorCode::internal);
    const auto cached = open_pair("x.npy", "y.npy", true);
    EXPECT_TRUE(cached->in_memory());
    EXPECT_EQ(cached->value_range()->least, 1.0F);

    std::filesystem::resize_file(directory_ / "x.npy", 140);
    const Error changed = error_of([&] { source->require_unchanged(); });
    EXPECT_EQ(changed.where(), (directory_ / "x.npy").string());
    const Error cut = error_of([&] { read_rows(*source, {2}); });
    EXPECT_EQ(cut.where(), (directory_ / "x.npy").string());
    EXPECT_NO_THROW(cached->require_unchanged());
}

TEST_F(NpyFiles, NamesOfAnyScriptAreOpened) {
    const char* name =
        "\xE0\xA6\xA4\xE0\xA6\xA5\xE0\xA7\x8D\xE0\xA6\xAF \xE6\x95\xB0 \xF0\x9F\x98\x80.npy";
    write<float>(name, DType::float32, {2, 1}, {7, 8});
    write<float>("y.npy", DType::float32, {2}, {0.5F, 0.25F});
    const auto source = open_pair(name, "y.npy", true);
    EXPECT_EQ(read_all(*source).values, (std::vector<float>{7, 8}));
    EXPECT_EQ(read_all(*source).targets, (std::vector<float>{0.5F, 0.25F}));
    EXPECT_EQ(*source->target_shape(), (Shape{1}));
}

TEST_F(NpyFiles, AHugeHeaderTakesNoMemory) {
    put(directory_ / "x.npy", from_hex("934e554d50590200ffffffff"));
    write<float>("y.npy", DType::float32, {2}, {1, 2});
    const std::int64_t grown = growth_kib([&] {
        EXPECT_EQ(error_of([&] { open_pair("x.npy", "y.npy", true); }).code(), ErrorCode::format);
    });
    EXPECT_LT(grown, 1 << 10);
}

TEST_F(NpyFiles, AScalarIsNoData) {
    write<float>("x.npy", DType::float32, {}, {1});
    write<float>("y.npy", DType::float32, {0, 3}, {});
    EXPECT_NE(error_of([&] { open_pair("x.npy", "x.npy", true); }).message().find("single number"),
              std::string::npos);
    EXPECT_NE(error_of([&] { open_pair("y.npy", "y.npy", true); }).message().find("no samples"),
              std::string::npos);
}

TEST(ArraySources, ManyThreadsReadTheSame) {
    for (const Json& config : files_of_both) {
        const auto source = open(config, false);
        const AllSamples wanted = read_all(*source);
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int k = 0; k < 20; ++k) {
                    const AllSamples all = read_all(*source);
                    if (all.pixels != wanted.pixels || all.labels != wanted.labels) ++wrong;
                }
            });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(wrong, 0) << config;
    }
}

}  // namespace
}  // namespace strata::data
