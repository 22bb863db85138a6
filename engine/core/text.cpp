#include "engine/core/text.h"

#include <array>
#include <charconv>

namespace strata {

std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t place = text.size(); place > first + 3;) {
        place -= 3;
        text.insert(place, ",");
    }
    return text;
}

std::string counted(std::int64_t n, std::string_view noun, std::string_view plural) {
    std::string text = grouped(n) + " ";
    if (n == 1) return text.append(noun);
    return plural.empty() ? text.append(noun) + "s" : text.append(plural);
}

std::string fixed(double number, int decimals) {
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                   std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

std::string control_character(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto code = static_cast<unsigned char>(text[i]);
        // U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
        const bool second = code == 0xC2 && i + 1 < text.size() &&
                            (static_cast<unsigned char>(text[i + 1]) & 0xE0) == 0x80;
        if (second) code = static_cast<unsigned char>(text[i + 1]);
        if (code < 0x20 || code == 0x7F || second)
            return std::string("U+00") + digits[code >> 4] + digits[code & 15];
    }
    return {};
}

}  // namespace strata
