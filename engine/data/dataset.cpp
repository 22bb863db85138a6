#include "engine/data/dataset.h"

#include <cstdlib>

#include "engine/core/error.h"
#include "engine/core/json.h"

namespace strata::data {
namespace {

std::filesystem::path datasets_directory() {
    const char* given = std::getenv("STRATA_DATASETS");
    return given != nullptr && *given != '\0' ? given : "/usr/share/datasets";
}

}  // namespace

const std::vector<Dataset>& datasets() {
    static const std::vector<Dataset> all{{"fashion-mnist",
                                           "Fashion-MNIST",
                                           "dataset-fashion-mnist",
                                           {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                                            "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"}}};
    return all;
}

const Dataset& find_dataset(const std::string& name, const std::string& where) {
    std::string names;
    for (const Dataset& dataset : datasets()) {
        if (dataset.name == name) return dataset;
        names += (names.empty() ? "" : ", ") + dataset.name;
    }
    throw Error(ErrorCode::not_found, "there is no data set '" + name + "'", where,
                "Known data sets: " + names +
                    ". For files of your own give their paths as 'images' and 'labels'");
}

DatasetFiles dataset_files(const Dataset& dataset, const std::string& split,
                           const std::string& where) {
    if (split != "train" && split != "test")
        throw Error(ErrorCode::invalid_argument, dataset.title + " has no split '" + split + "'",
                    where, "Its splits are 'train' and 'test'");
    const std::string prefix = split == "train" ? "train" : "t10k";
    const auto directory = datasets_directory() / dataset.name;
    return {directory / (prefix + "-images-idx3-ubyte.gz"),
            directory / (prefix + "-labels-idx1-ubyte.gz")};
}

void require_installed(const Dataset& dataset, const DatasetFiles& files,
                       const std::string& where) {
    for (const auto& file : {files.images, files.labels}) {
        std::error_code error;
        if (std::filesystem::exists(file, error)) continue;
        throw Error(
            ErrorCode::not_found,
            "the data set " + dataset.title + " is not installed (there is no " + file.string() +
                ")",
            where,
            "Install the package " + dataset.package + ": sudo apt install " + dataset.package);
    }
}

}  // namespace strata::data
