#include "engine/core/json.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/error.h"

namespace strata {
namespace {

constexpr int max_depth = 64;
constexpr std::size_t most_edits = 3;  // that a suggestion is away

[[noreturn]] void wrong_type(const char* key, const char* expected, const Json& value,
                             const std::string& where) {
    const std::string path = where.empty() ? key : where + "." + key;
    throw Error(ErrorCode::invalid_argument,
                "expected " + std::string(expected) + ", found " + value.dump(), path);
}

std::string line_and_column(std::string_view text, std::size_t byte) {
    byte = std::min(byte, text.size());
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n') + 1;
    const std::size_t start = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
    const std::size_t column = start == std::string_view::npos ? byte : byte - start - 1;
    return "line " + std::to_string(line) + ", column " +
           std::to_string(std::max<std::size_t>(column, 1));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] =
                std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

// Whether `part`, long enough to mean something, stands in `whole`: "bfloat16", "mixed_bfloat16".
bool is_part_of(std::string_view part, std::string_view whole) {
    constexpr std::size_t shortest = 4;
    return part.size() >= shortest && 3 * part.size() >= whole.size() &&
           whole.find(part) != std::string_view::npos;
}

std::string one_line(const Json& value) {
    if (value.is_object()) {
        std::string text;
        for (const auto& item : value.items())
            text += (text.empty() ? "" : ", ") + Json(item.key()).dump() + ": " +
                    one_line(item.value());
        return "{" + text + "}";
    }
    if (value.is_array()) {
        std::string text;
        for (const Json& entry : value) text += (text.empty() ? "" : ", ") + one_line(entry);
        return "[" + text + "]";
    }
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// prefix: bytes before the value on its line, the indentation included.
void append_pretty(std::string& out, const Json& value, std::size_t indent, std::size_t prefix) {
    constexpr std::size_t columns = 100;
    std::string line = one_line(value);
    if (!value.is_structured() || value.empty() || prefix + line.size() < columns) {
        out += line;
        return;
    }
    const std::string blanks(indent + 2, ' ');
    bool first = true;
    out += value.is_object() ? "{" : "[";
    for (const auto& item : value.items()) {
        out += (first ? "\n" : ",\n") + blanks;
        first = false;
        std::string key;
        if (value.is_object()) key = Json(item.key()).dump() + ": ";
        out += key;
        append_pretty(out, item.value(), indent + 2, indent + 2 + key.size());
    }
    out += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

std::string pretty_json(const Json& value) {
    std::string text;
    append_pretty(text, value, 0, 0);
    return text + "\n";
}

Json parse_json(std::string_view text, const std::string& where) {
    std::vector<std::set<std::string>> keys;  // of the objects that are open
    const auto guard = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(parsed).second)
            throw Error(ErrorCode::format,
                        "the key " + parsed.dump() + " stands twice in one object", where,
                        "Keep one of the two");
        if (depth > max_depth)
            throw Error(ErrorCode::format,
                        "JSON nested deeper than " + std::to_string(max_depth) + " levels", where);
        return true;
    };
    try {
        return Json::parse(text.begin(), text.end(), guard);
    } catch (const Json::parse_error& error) {
        throw Error(ErrorCode::format, "not valid JSON at " + line_and_column(text, error.byte),
                    where, "Open the file in a text editor and mend that place");
    } catch (const Json::exception& error) {  // a number that no double can hold
        throw Error(ErrorCode::format, std::string("not usable JSON: ") + error.what(), where,
                    "Open the file in a text editor and mend that place");
    }
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    std::pair<std::size_t, std::size_t> best_distance{most_edits + 1, 0};
    for (const std::string& candidate : known) {
        const std::size_t edits = edit_distance(word, candidate);
        // A part of the word or a longer form of it is as near as one typing error.
        const bool alike = is_part_of(word, candidate) || is_part_of(candidate, word);
        const std::pair distance{alike ? std::size_t{1} : edits, edits};
        if (distance < best_distance && (alike || edits < candidate.size())) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

void refuse_unknown_keys(const Json& object, const std::vector<std::string>& known,
                         const std::string& where) {
    if (!object.is_object())
        throw Error(ErrorCode::invalid_argument, "expected an object, found " + object.dump(),
                    where);
    for (const auto& item : object.items()) {
        if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
        const std::string near = nearest_word(item.key(), known);
        std::string all;
        for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
        throw Error(ErrorCode::invalid_argument, "unknown key '" + item.key() + "'", where,
                    near.empty() ? (known.empty() ? "It takes no keys" : "Known keys: " + all)
                                 : "Did you mean '" + near + "'?");
    }
}

void refuse_unknown_keys(const Json& object, std::initializer_list<std::string_view> known,
                         const std::string& where) {
    refuse_unknown_keys(object, std::vector<std::string>(known.begin(), known.end()), where);
}

std::optional<std::int64_t> whole_number(const Json& value) {
    constexpr double exact = 9007199254740992.0;  // 2^53: up to it each whole number is a double
    if (value.is_number_float()) {                // 1e9
        const auto number = value.get<double>();
        if (std::abs(number) > exact || number != std::floor(number)) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
    if (!value.is_number_integer() || too_large) return std::nullopt;
    return value.get<std::int64_t>();
}

std::int64_t get_integer(const Json& object, const char* key, std::int64_t fallback,
                         const std::string& where) {
    const auto it = object.find(key);
    if (it == object.end()) return fallback;
    const std::optional<std::int64_t> value = whole_number(*it);
    if (!value) wrong_type(key, "an integer", *it, where);
    return *value;
}

double get_number(const Json& object, const char* key, double fallback, const std::string& where) {
    const auto it = object.find(key);
    if (it == object.end()) return fallback;
    if (!it->is_number()) wrong_type(key, "a number", *it, where);
    return it->get<double>();
}

bool get_bool(const Json& object, const char* key, bool fallback, const std::string& where) {
    const auto it = object.find(key);
    if (it == object.end()) return fallback;
    if (!it->is_boolean()) wrong_type(key, "true or false", *it, where);
    return it->get<bool>();
}

std::string get_string(const Json& object, const char* key, const std::string& fallback,
                       const std::string& where) {
    const auto it = object.find(key);
    if (it == object.end()) return fallback;
    if (!it->is_string()) wrong_type(key, "a text", *it, where);
    return it->get<std::string>();
}

}  // namespace strata
