#include "engine/layers/names.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/json.h"
#include "engine/layers/text.h"

namespace strata::layers {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) { return lower(c); });
    return out;
}

// nearest_word() without regard to case: "dense" is one step from "Dense".
std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
    for (const std::string& candidate : known)
        if (equal_ignoring_case(candidate, name)) return candidate;
    std::vector<std::string> lowered;
    lowered.reserve(known.size());
    for (const std::string& candidate : known) lowered.push_back(lower(candidate));
    const std::string near = nearest_word(lower(name), lowered);
    const auto found = std::find(lowered.begin(), lowered.end(), near);
    return near.empty() ? near : known[static_cast<std::size_t>(found - lowered.begin())];
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return lower(a) == lower(b);
}

void refuse_unknown_name(std::string_view noun, std::string_view name, const char* key,
                         const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known);
    throw Error(ErrorCode::not_found,
                "there is no " + std::string(noun) + " '" + shortened(std::string(name)) + "'", key,
                near.empty() ? "There are " + joined(known, ", ") : "Did you mean '" + near + "'?");
}

}  // namespace strata::layers
