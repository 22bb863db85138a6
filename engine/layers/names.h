// Look-up by name in a catalogue, the same for layers, losses, metrics and optimizers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata::layers {

bool equal_ignoring_case(std::string_view a, std::string_view b);

// Throws Error{not_found}: "there is no <noun> '<name>'", where = key, with the nearest of `known`
// as the way out, or all of them.
[[noreturn]] void refuse_unknown_name(std::string_view noun, std::string_view name, const char* key,
                                      const std::vector<std::string>& known);

}  // namespace strata::layers
