// Reads tests/references and compares with it: for every test of numbers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/core/json.h"
#include "engine/core/random.h"
#include "engine/core/shape.h"

namespace strata::testing {

inline std::filesystem::path reference_path(const std::string& name) {
    return std::filesystem::path(STRATA_SOURCE_DIR) / "tests/references" / name;
}

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return text.str();
}

// A file of tests/references: "losses.json".
inline Json read_reference(const std::string& name) {
    return parse_json(read_text(reference_path(name)), name);
}

inline Shape shape_of_list(const Json& list) {
    std::vector<std::int64_t> dims;
    for (const Json* at = &list; at->is_array(); at = &at->front())
        dims.push_back(static_cast<std::int64_t>(at->size()));
    return Shape(dims);
}

// A nested list in row-major order.
template <typename T>
std::vector<T> flat(const Json& list) {
    if (!list.is_array()) return {list.get<T>()};
    std::vector<T> values;
    for (const Json& item : list) {
        const std::vector<T> part = flat<T>(item);
        values.insert(values.end(), part.begin(), part.end());
    }
    return values;
}

// The numbers of an .npy file of format 1.0, little-endian; T must be its type.
template <typename T>
std::vector<T> read_npy_values(const std::filesystem::path& path) {
    const std::string text = read_text(path);
    const std::string wanted = sizeof(T) == 8 ? "'<f8'" : "'<f4'";
    const auto header = static_cast<std::size_t>(static_cast<unsigned char>(text.at(8))) +
                        256 * static_cast<std::size_t>(static_cast<unsigned char>(text.at(9)));
    if (text.substr(0, 10 + header).find(wanted) == std::string::npos)
        throw std::runtime_error(path.string() + " is not of type " + wanted);
    std::vector<T> values((text.size() - 10 - header) / sizeof(T));
    std::memcpy(values.data(), text.data() + 10 + header, values.size() * sizeof(T));
    return values;
}

// The largest |actual - expected| / max(1, |expected|), infinite where a number is not finite or
// the sizes differ.
template <typename A, typename B>
double distance(const std::vector<A>& actual, const std::vector<B>& expected) {
    if (actual.size() != expected.size()) return HUGE_VAL;
    double largest = 0.0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const auto a = static_cast<double>(actual[i]), e = static_cast<double>(expected[i]);
        const double d = std::abs(a - e) / std::max(1.0, std::abs(e));
        if (!(d <= largest)) largest = std::isfinite(d) ? d : HUGE_VAL;
    }
    return largest;
}

// Uniform in [low, high), the same in every run.
inline std::vector<float> random_values(std::int64_t count, std::uint64_t seed, float low = -1.5F,
                                        float high = 1.5F) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = low + (high - low) * random::uniform(random::draw(seed, 99, 0, i)[0]);
    return values;
}

}  // namespace strata::testing
