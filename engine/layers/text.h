// Small texts for messages and cards: numbers, sizes, lists. Independent of the process's locale.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace strata::layers {

std::string number_text(
    double value);  // four significant digits: "0.003922"; whole numbers in full
std::string size_text(std::int64_t a, std::int64_t b);  // "3 × 3"
std::string size_text(std::pair<int, int> size);
std::string joined(const std::vector<std::string>& words, const std::string& separator);
// The non-empty words with " · " between: the form of a layer's summary.
std::string summary_text(std::initializer_list<std::string> words);
std::string lower_first(std::string text);
std::string shortened(const std::string& text);  // at most 60 bytes, cut with "..."

}  // namespace strata::layers
