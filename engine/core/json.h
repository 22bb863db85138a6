// JSON as the engine uses it: ordered keys, bounded depth, and getters whose errors name the key.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

using Json = nlohmann::ordered_json;

// Parses UTF-8 text. Throws Error{format} with line and column; refuses depth above 64 and a key
// that an object has twice: one of the two would be lost. `where` names the file in the message.
Json parse_json(std::string_view text, const std::string& where);

// The text of a file that people read and compare: what fits into 100 columns stands on one line,
// everything else is indented by two blanks. Ends with a newline.
std::string pretty_json(const Json& value);

// Throws Error{invalid_argument} that names each key of `object` not in `known`, and the nearest
// known one.
void refuse_unknown_keys(const Json& object, std::initializer_list<std::string_view> known,
                         const std::string& where);
void refuse_unknown_keys(const Json& object, const std::vector<std::string>& known,
                         const std::string& where);

// The word of `known` that is nearest to `word`, or "": by edit distance (at most 3 edits), where
// one that holds the other ("bfloat16", "mixed_bfloat16") counts as one edit.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

// A whole number however it is written, also as 1e9 or 2.0; nothing else is one.
std::optional<std::int64_t> whole_number(const Json& value);

// object[key] as a T, or `fallback` where the key is absent. Throws Error{invalid_argument} naming
// where.key and the expected type where the value has another type (an integer is a number, too).
std::int64_t get_integer(const Json& object, const char* key, std::int64_t fallback,
                         const std::string& where);
double get_number(const Json& object, const char* key, double fallback, const std::string& where);
bool get_bool(const Json& object, const char* key, bool fallback, const std::string& where);
std::string get_string(const Json& object, const char* key, const std::string& fallback,
                       const std::string& where);

}  // namespace strata
