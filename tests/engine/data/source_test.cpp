// IDX sources: files plain and compressed, the package's data set, and every message for what is
// wrong.
#include "engine/data/source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "engine/data/dataset.h"
#include "engine/data/idx_source.h"
#include "engine/io/idx.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::data {
namespace {

using testing::error_of;
using testing::TemporaryDirectory;

// Pixel (i, y, x) is 10 i + 3 y + x.
void write_images(const std::filesystem::path& path, std::int64_t count) {
    io::Idx idx{io::IdxType::uint8, Shape{count, 2, 3}, {}};
    for (std::int64_t i = 0; i < count; ++i)
        for (int pixel = 0; pixel < 6; ++pixel)
            idx.bytes.push_back(static_cast<std::byte>(10 * i + pixel));
    io::write_idx(path, idx);
}

void write_labels(const std::filesystem::path& path, const std::vector<std::int32_t>& labels) {
    io::Idx idx{io::IdxType::int32, Shape{static_cast<std::int64_t>(labels.size())}, {}};
    idx.bytes.resize(labels.size() * 4);
    std::memcpy(idx.bytes.data(), labels.data(), idx.bytes.size());
    io::write_idx(path, idx);
}

class Sources : public ::testing::Test {
protected:
    Json files() const { return {{"type", "idx"}, {"images", "images"}, {"labels", "labels"}}; }
    std::shared_ptr<Source> open(const Json& config) const {
        return open_source(config, directory_.path().string(), "data.source");
    }
    TemporaryDirectory directory_;
};

TEST_F(Sources, GiveSamplesByIndexInAnyOrder) {
    write_images(directory_ / "images", 4);
    write_labels(directory_ / "labels", {3, 0, 1, 2});
    const auto source = open(files());
    EXPECT_EQ(source->size(), 4);
    EXPECT_EQ(source->sample_shape(), (Shape{2, 3, 1}));
    EXPECT_EQ(source->sample_dtype(), DType::uint8);
    EXPECT_EQ(source->classes(), 4);
    EXPECT_EQ(source->description(), "4 images 2 x 3, 4 classes");
    EXPECT_EQ(source->memory_bytes(), 4U * 6 + 4U * 4);
    const std::int64_t rows[3] = {2, 0, 2};
    std::uint8_t out[18];
    std::int32_t labels[3];
    source->read(rows, 3, out, labels);
    for (int i = 0; i < 3; ++i)
        for (int pixel = 0; pixel < 6; ++pixel) EXPECT_EQ(out[6 * i + pixel], 10 * rows[i] + pixel);
    EXPECT_EQ(labels[0], 1);
    EXPECT_EQ(labels[1], 3);
    EXPECT_EQ(labels[2], 1);
    for (std::int64_t outside : {-1, 4})
        EXPECT_EQ(error_of([&] { source->read(&outside, 1, out, labels); }).code(),
                  ErrorCode::internal);
}

TEST_F(Sources, NameTheFileWhereTheCountsDiffer) {
    write_images(directory_ / "images", 4);
    write_labels(directory_ / "labels", {0, 1, 2});
    const Error error = error_of([&] { open(files()); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_NE(error.message().find("4 images, but 3 labels"), std::string::npos) << error.what();
    EXPECT_NE(error.message().find("labels"), std::string::npos);
    EXPECT_EQ(error.where(), (directory_ / "images").string());
}

TEST_F(Sources, RefuseLabelsOutsideTheClasses) {
    write_images(directory_ / "images", 2);
    for (std::int32_t bad : {-1, 65536}) {
        write_labels(directory_ / "labels", {0, bad});
        const Error error = error_of([&] { open(files()); });
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        EXPECT_NE(error.message().find("label " + std::to_string(bad) + " of sample 1"),
                  std::string::npos)
            << error.what();
        EXPECT_EQ(error.where(), (directory_ / "labels").string());
    }
    write_labels(directory_ / "labels", {0, 2});
    const Error error = error_of([&] {
        IdxSource(directory_ / "images", directory_ / "labels", {"cat", "dog"});
    });
    EXPECT_NE(error.message().find("label 2 is outside the 2 classes"), std::string::npos)
        << error.what();
}

TEST_F(Sources, TellExchangedAndDamagedFilesApart) {
    write_images(directory_ / "images", 2);
    write_labels(directory_ / "labels", {0, 1});
    const Error exchanged = error_of([&] {
        open({{"type", "idx"}, {"images", "labels"}, {"labels", "images"}});
    });
    EXPECT_EQ(exchanged.code(), ErrorCode::format);
    EXPECT_NE(exchanged.hint().find("exchanged"), std::string::npos);
    std::ofstream(directory_ / "labels") << "not idx at all";
    const Error damaged = error_of([&] { open(files()); });
    EXPECT_EQ(damaged.code(), ErrorCode::format);
    EXPECT_NE(std::string(damaged.what()).find("labels"), std::string::npos) << damaged.what();
    std::filesystem::remove(directory_ / "images");
    const Error absent = error_of([&] { open(files()); });
    EXPECT_NE(std::string(absent.what()).find("images"), std::string::npos) << absent.what();
    EXPECT_EQ(absent.code(), ErrorCode::not_found);
}

// Without a cache a sample comes from the file, and a file that was changed is refused by name
// (RELIABILITY 19).
TEST_F(Sources, WithoutACacheSamplesComeFromTheFile) {
    write_images(directory_ / "images", 4);
    write_labels(directory_ / "labels", {3, 0, 1, 2});
    const auto cached = open(files());
    const auto source = open_source(files(), directory_.path().string(), "data.source", false);
    EXPECT_TRUE(cached->in_memory());
    EXPECT_FALSE(source->in_memory());
    EXPECT_EQ(source->memory_bytes(), 4U * 4);
    const std::int64_t rows[3] = {2, 0, 3};
    std::uint8_t out[18], expected[18];
    std::int32_t labels[3], expected_labels[3];
    source->read(rows, 3, out, labels);
    cached->read(rows, 3, expected, expected_labels);
    EXPECT_TRUE(std::equal(out, out + 18, expected));
    EXPECT_EQ(out[0], 20);
    EXPECT_TRUE(std::equal(labels, labels + 3, expected_labels));
    EXPECT_NO_THROW(source->require_unchanged());

    write_images(directory_ / "images", 5);
    const Error changed = error_of([&] { source->require_unchanged(); });
    EXPECT_NE(std::string(changed.what()).find("images"), std::string::npos) << changed.what();
    EXPECT_NO_THROW(cached->require_unchanged());
}

TEST_F(Sources, FloatSamplesOfAFileAreInTheMachinesOrder) {
    const std::vector<float> values{1.5F, -2.0F, 0.25F, 1e20F};
    io::Idx idx{io::IdxType::float32, Shape{2, 1, 2}, std::vector<std::byte>(16)};
    std::memcpy(idx.bytes.data(), values.data(), 16);
    io::write_idx(directory_ / "images", idx);
    write_labels(directory_ / "labels", {0, 1});
    const auto source = open_source(files(), directory_.path().string(), "data.source", false);
    const std::int64_t row = 1;
    float out[2];
    std::int32_t label = -1;
    source->read(&row, 1, out, &label);
    EXPECT_EQ(out[0], 0.25F);
    EXPECT_EQ(out[1], 1e20F);
    EXPECT_EQ(label, 1);
}

TEST_F(Sources, WithoutACacheAFileThatIsTooShortIsRefused) {
    write_images(directory_ / "images", 4);
    write_labels(directory_ / "labels", {3, 0, 1, 2});
    std::filesystem::resize_file(directory_ / "images", 30);
    const Error error =
        error_of([&] { open_source(files(), directory_.path().string(), "data.source", false); });
    EXPECT_EQ(error.code(), ErrorCode::format);
}

TEST_F(Sources, AnAbsentDataSetNamesItsPackage) {
    setenv("STRATA_DATASETS", directory_.path().c_str(), 1);
    const Error error = error_of([&] {
        open({{"type", "idx"}, {"dataset", "fashion-mnist"}, {"split", "test"}});
    });
    unsetenv("STRATA_DATASETS");
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_NE(error.hint().find("sudo apt install dataset-fashion-mnist"), std::string::npos)
        << error.hint();
    EXPECT_EQ(error.where(), "data.source");
}

TEST_F(Sources, TheFashionMnistPackageIsRead) {
    if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist"))
        GTEST_SKIP() << "the package dataset-fashion-mnist is not installed";
    const auto source = open(source_from_text("fashion-mnist", "test"));
    EXPECT_EQ(source->size(), 10000);
    EXPECT_EQ(source->sample_shape(), (Shape{28, 28, 1}));
    EXPECT_EQ(source->classes(), 10);
    ASSERT_EQ(source->class_names().size(), 10U);
    EXPECT_EQ(source->class_names()[9], "Ankle boot");
    EXPECT_EQ(source->description(), "10,000 images 28 x 28, 10 classes");
    std::vector<std::int64_t> rows(10000);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(i);
    std::vector<std::uint8_t> pixels(10000 * 784);
    std::vector<std::int32_t> labels(10000);
    source->read(rows.data(), 10000, pixels.data(), labels.data());
    std::vector<int> counts(10, 0);
    for (std::int32_t label : labels) ++counts[static_cast<std::size_t>(label)];
    EXPECT_EQ(counts, std::vector<int>(10, 1000));
    // The first records' labels, as the data set's paper lists its files.
    EXPECT_EQ(std::vector<std::int32_t>(labels.begin(), labels.begin() + 5),
              (std::vector<std::int32_t>{9, 2, 1, 1, 6}));
}

struct BadSource {
    Json config;
    const char* says;
};

TEST(SourceKeys, WrongOnesAreNamed) {
    const BadSource cases[] = {
        {Json::object(), "'type' is missing"},
        {{{"type", "csv"}}, "unknown type 'csv'"},
        {{{"type", "idx"}, {"image", "a"}}, "unknown key 'image'"},
        {{{"type", "idx"}, {"images", "a"}}, "'labels' is missing"},
        {{{"type", "idx"}, {"images", 3}, {"labels", "b"}}, "images"},
        {{{"type", "idx"}, {"dataset", "fashion"}}, "no data set 'fashion'"},
        {{{"type", "idx"}, {"dataset", "fashion-mnist"}, {"split", "valid"}}, "no split 'valid'"},
        {{{"type", "idx"}, {"dataset", "fashion-mnist"}, {"images", "a"}}, "at once"},
        {{{"type", "idx"}, {"images", "a"}, {"labels", "b"}, {"split", "test"}}, "'split'"}};
    for (const BadSource& bad : cases) {
        const Error error = error_of([&] { check_source(bad.config, "data.source"); });
        EXPECT_NE(std::string(error.what()).find(bad.says), std::string::npos) << error.what();
        EXPECT_EQ(error.where().rfind("data.source", 0), 0U) << error.where();
        EXPECT_FALSE(error.hint().empty()) << bad.config;
    }
    EXPECT_NO_THROW(check_source({{"type", "idx"}, {"dataset", "fashion-mnist"}}, "data.source"));
}

TEST(SourceText, FilesFoldersAndGeneratorsAreTold) {
    const testing::TemporaryDirectory directory;
    EXPECT_EQ(source_from_text("a/x.npz", "test"),
              (Json{{"type", "npz"}, {"file", "a/x.npz"}, {"split", "test"}}));
    EXPECT_EQ(source_from_text("x.h5", "train"),
              (Json{{"type", "hdf5"}, {"file", "x.h5"}, {"split", "train"}}));
    EXPECT_EQ(source_from_text("x.npy,y.npy", "train"),
              (Json{{"type", "npy"}, {"samples", "x.npy"}, {"labels", "y.npy"}}));
    EXPECT_EQ(source_from_text(directory.path().string(), "train"),
              (Json{{"type", "images"}, {"folder", directory.path().string()}}));
    EXPECT_EQ(source_from_text("spirals", "train"), (Json{{"type", "spirals"}, {"seed", 1}}));
    EXPECT_EQ(source_from_text("moons", "test"), (Json{{"type", "moons"}, {"seed", 2}}));
    for (const SourceDescription* source : catalogue()) {
        EXPECT_EQ(find_source(source->type), source);
        EXPECT_FALSE(source->doc.empty());
        for (const layers::ParamSpec& param : source->params) EXPECT_FALSE(param.doc.empty());
    }
    EXPECT_EQ(path_keys({{"type", "npz"}}), std::vector<std::string>{"file"});
    EXPECT_TRUE(path_keys({{"type", "csv"}}).empty());
    EXPECT_EQ(with_absolute_paths({{"type", "npz"}, {"file", "x.npz"}, {"labels", "y"}}, "/base"),
              (Json{{"type", "npz"}, {"file", "/base/x.npz"}, {"labels", "y"}}));
}

TEST_F(Sources, CountOneImageAndOneLabelInTheSingular) {
    write_images(directory_ / "images", 1);
    write_labels(directory_ / "labels", {0, 1});
    EXPECT_EQ(error_of([&] { open(files()); }).message().find("1 image, but 2 labels in "), 0U);
    write_images(directory_ / "images", 2);
    write_labels(directory_ / "labels", {0});
    EXPECT_EQ(error_of([&] { open(files()); }).message().find("2 images, but 1 label in "), 0U);
}

// A path that is missing, and one that is a number: both hints tell what the parameter is.
TEST(SourceCatalogue, HintsHaveOneArticle) {
    for (const SourceDescription* source : catalogue())
        for (const layers::ParamSpec& param : source->params) {
            if (!param.default_value.is_null() || param.optional) continue;
            for (const Json& given : {Json(nullptr), Json(5)}) {
                const Json config = {{"type", source->type}, {param.key, given}};
                const std::string hint =
                    error_of([&] { check_source(config, "data.source"); }).hint();
                EXPECT_NE(hint.find(" the "), std::string::npos) << source->type << ": " << hint;
                EXPECT_EQ(hint.find("the the"), std::string::npos) << source->type << ": " << hint;
            }
        }
}

TEST(SourceText, HasThreeForms) {
    EXPECT_EQ(source_from_text("fashion-mnist:test", "train"),
              (Json{{"type", "idx"}, {"dataset", "fashion-mnist"}, {"split", "test"}}));
    EXPECT_EQ(source_from_text("fashion-mnist", "train")["split"], "train");
    EXPECT_EQ(source_from_text("a.idx,b.idx", "train"),
              (Json{{"type", "idx"}, {"images", "a.idx"}, {"labels", "b.idx"}}));
    EXPECT_EQ(source_from_text(R"({"type":"idx"})", "train"), (Json{{"type", "idx"}}));
    const Json moved = with_absolute_paths(source_from_text("a.idx,/b.idx", ""), "/base");
    EXPECT_EQ(moved["images"], "/base/a.idx");
    EXPECT_EQ(moved["labels"], "/b.idx");
}

}  // namespace
}  // namespace strata::data
