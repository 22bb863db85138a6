#include "engine/layers/text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace strata::layers {

std::string number_text(double value) {
    std::array<char, 64> buffer{};
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    const auto result = whole ? std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                              static_cast<std::int64_t>(value))
                              : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                              std::chars_format::general, 4);
    return {buffer.data(), result.ptr};
}

std::string size_text(std::int64_t a, std::int64_t b) {
    return std::to_string(a) + " × " + std::to_string(b);
}

std::string size_text(std::pair<int, int> size) {
    return size_text(size.first, size.second);
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

std::string summary_text(std::initializer_list<std::string> words) {
    std::vector<std::string> kept;
    for (const std::string& word : words)
        if (!word.empty()) kept.push_back(word);
    return joined(kept, " · ");
}

std::string lower_first(std::string text) {
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return text;
}

std::string shortened(const std::string& text) {
    constexpr std::size_t longest = 60;
    if (text.size() <= longest) return text;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;  // not inside a character
    return text.substr(0, end) + "...";
}

}  // namespace strata::layers
