#include "engine/checkpoint/name_pattern.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/json.h"
#include "engine/core/text.h"

namespace strata::checkpoint {
namespace {

constexpr int widest = 64;
constexpr std::string_view field_characters = "0123456789+-.e ";

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// The length of what a field's text may go on with; 0: nothing.
std::size_t step_of_field(std::string_view rest) {
    if (rest.starts_with("nan") || rest.starts_with("inf")) return 3;
    return !rest.empty() && field_characters.find(rest.front()) != std::string_view::npos ? 1 : 0;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Takes a number of at most two digits from the front of `text`; -1: there is none.
int take_number(std::string_view& text) {
    int value = -1;
    for (int digits = 0; digits < 2 && !text.empty() && is_digit(text.front()); ++digits) {
        value = std::max(value, 0) * 10 + (text.front() - '0');
        text.remove_prefix(1);
    }
    return value;
}

std::string real_text(double value, char type, int precision) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    char buffer[512];
    const std::chars_format format = type == 'e'   ? std::chars_format::scientific
                                     : type == 'f' ? std::chars_format::fixed
                                                   : std::chars_format::general;
    const auto end = type == 0 && precision < 0
                         ? std::to_chars(buffer, buffer + sizeof buffer, value)
                         : std::to_chars(buffer, buffer + sizeof buffer, value, format,
                                         precision < 0 ? 6 : precision);
    return {buffer, end.ptr};
}

std::string padded(std::string text, char fill, int width) {
    const auto wanted = static_cast<std::size_t>(width);
    if (text.size() >= wanted) return text;
    const std::size_t at = fill == '0' && text.starts_with('-') ? 1 : 0;
    text.insert(at, wanted - text.size(), fill);
    return text;
}

}  // namespace

NamePattern::NamePattern(const std::string& text, const std::vector<std::string>& whole,
                         const std::vector<std::string>& real, const std::string& where)
    : text_(text), where_(where) {
    if (const std::string control = control_character(text); !control.empty())
        refuse("the name of a file holds the control character " + control,
               "Use letters, digits and signs that can be read");
    if (!text.ends_with(".h5")) refuse("'" + text + "' does not end in .h5", "Name it ....h5");
    if (text.find('/') != std::string::npos)
        refuse("'" + text + "' is not the name of a file alone",
               "Leave directories out: checkpoints lie in the run's directory");
    std::string literal;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool doubled = i + 1 < text.size() && text[i + 1] == c;
        if (c != '{' && c != '}') {
            literal += c;
        } else if (doubled) {
            literal += c;
            ++i;
        } else if (const std::size_t end = text.find('}', i);
                   c == '{' && end != std::string::npos) {
            Part part = parse_field(std::string_view(text).substr(i + 1, end - i - 1), whole, real);
            part.literal = std::move(literal);
            literal.clear();
            parts_.push_back(std::move(part));
            i = end;
        } else {
            refuse("'" + text + "' has a single '" + c + "'",
                   "Write fields as {epoch}, and a brace itself twice");
        }
    }
    parts_.push_back({literal, "", 0, ' ', 0, -1});
}

NamePattern::Part NamePattern::parse_field(std::string_view inner,
                                           const std::vector<std::string>& whole,
                                           const std::vector<std::string>& real) const {
    Part part;
    const std::size_t colon = inner.find(':');
    part.field = inner.substr(0, colon);
    const bool is_whole = contains(whole, part.field);
    if (!is_whole && !contains(real, part.field)) {
        std::string all;
        for (const auto* names : {&whole, &real})
            for (const std::string& name : *names) all += (all.empty() ? "" : ", ") + name;
        refuse("'" + text_ + "' uses {" + part.field + "}, which this run does not have there",
               "There are: " + all);
    }
    if (colon == std::string_view::npos) return part;
    std::string_view format = inner.substr(colon + 1);
    if (format.starts_with('0')) {
        part.fill = '0';
        format.remove_prefix(1);
    }
    part.width = std::max(take_number(format), 0);
    if (format.starts_with('.')) {
        format.remove_prefix(1);
        part.precision = take_number(format);
        if (part.precision < 0) format = "?";
    }
    const bool has_type = format.size() == 1;
    if (has_type) part.type = format.front();
    const bool known = format.empty() || (has_type && (part.type == 'd' || part.type == 'e' ||
                                                       part.type == 'f' || part.type == 'g'));
    const bool as_whole = is_whole && (part.type == 0 || part.type == 'd');
    if (!known || part.width > widest || (part.type == 'd' && !is_whole) ||
        (as_whole && part.precision >= 0))
        refuse("'" + std::string(inner) + "' is no format for {" + part.field + "}",
               is_whole ? "Write for example {" + part.field + ":03d}"
                        : "Write for example {" + part.field + ":.3f}");
    return part;
}

void NamePattern::refuse(const std::string& what, const std::string& hint) const {
    throw Error(ErrorCode::invalid_argument, what, where_, hint);
}

std::vector<std::string> NamePattern::fields() const {
    std::vector<std::string> names;
    for (const Part& part : parts_)
        if (!part.field.empty()) names.push_back(part.field);
    return names;
}

std::string NamePattern::text_of(const Part& part,
                                 const std::variant<std::int64_t, double>& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    if (whole != nullptr && (part.type == 0 || part.type == 'd'))
        return padded(std::to_string(*whole), part.fill, part.width);
    const double real = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
    return padded(real_text(real, part.type, part.precision), part.fill, part.width);
}

std::string NamePattern::name(const Values& values) const {
    std::string name;
    for (const Part& part : parts_) {
        name += part.literal;
        if (part.field.empty()) continue;
        const auto found = values.find(part.field);
        if (found == values.end())
            throw Error(ErrorCode::internal, "there is no value for {" + part.field + "}", where_);
        name += text_of(part, found->second);
    }
    return name;
}

// Fields may be of any length, so every length is tried: how far the first i parts reach.
bool NamePattern::matches(std::string_view name) const {
    std::vector<std::size_t> reached{0};
    for (const Part& part : parts_) {
        std::vector<std::size_t> next;
        for (std::size_t at : reached) {
            if (name.substr(at, part.literal.size()) != part.literal) continue;
            at += part.literal.size();
            if (part.field.empty()) {
                if (at == name.size()) return true;
                continue;
            }
            while (const std::size_t step = step_of_field(name.substr(at))) {
                at += step;
                if (std::find(next.begin(), next.end(), at) == next.end()) next.push_back(at);
            }
        }
        reached = std::move(next);
    }
    return false;
}

}  // namespace strata::checkpoint
