// Every project that the product brings along: templates and examples, by name. For tests over all
// of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/train/run_config.h"

namespace strata::train::testing {

inline std::map<std::string, RunConfig> product_projects() {
    std::map<std::string, RunConfig> all;
    for (const Template& entry : templates()) all[entry.name] = make_template(entry.name);
    for (const auto& file :
         std::filesystem::directory_iterator(STRATA_SOURCE_DIR "/resources/examples"))
        if (file.path().extension() == ".strata")
            all[file.path().filename().string()] = load_project(file.path().string());
    return all;
}

inline std::vector<std::string> product_project_names() {
    std::vector<std::string> all;
    for (const auto& [name, config] : product_projects()) all.push_back(name);
    return all;
}

// For INSTANTIATE_TEST_SUITE_P.
inline std::string test_name(const ::testing::TestParamInfo<std::string>& test) {
    std::string name = test.param;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return name;
}

}  // namespace strata::train::testing
