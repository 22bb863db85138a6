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

std::string fixed(double number, int decimals) {
    std::array<char, 400> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                   std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

}  // namespace strata
