// Data sets that Debian packages install: where their files are, their class names, their package.
// Called by open_source; reads nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::data {

struct Dataset {
    std::string name;     // "fashion-mnist": in projects, and the directory's name
    std::string title;    // "Fashion-MNIST"
    std::string package;  // "dataset-fashion-mnist"
    std::vector<std::string> class_names;
};

struct DatasetFiles {
    std::filesystem::path images, labels;
};

const std::vector<Dataset>& datasets();
// Throws Error{not_found} with the names that there are.
const Dataset& find_dataset(const std::string& name, const std::string& where);

// split: "train" or "test"; else Error{invalid_argument}.
DatasetFiles dataset_files(const Dataset& dataset, const std::string& split,
                           const std::string& where);

// Throws Error{not_found} naming the package and how it is installed.
void require_installed(const Dataset& dataset, const DatasetFiles& files, const std::string& where);

}  // namespace strata::data
