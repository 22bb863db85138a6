// Names of checkpoint files with fields: "checkpoint-{epoch:02d}-{val_loss:.3f}.h5", as Python
// formats them. Used by the checkpoint keeper and by Retention.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace strata::checkpoint {

class NamePattern {
public:
    using Values = std::map<std::string, std::variant<std::int64_t, double>>;

    // Fields are whole numbers where `whole` has their name, real ones where `real` has it. Throws
    // Error{invalid_argument} for an unknown field (with the list), a format that does not fit the
    // field, and a text that is no file name ending in ".h5".
    NamePattern(const std::string& text, const std::vector<std::string>& whole,
                const std::vector<std::string>& real, const std::string& where);

    const std::string& text() const { return text_; }
    std::vector<std::string> fields() const;

    // Throws Error{internal} where a field has no value.
    std::string name(const Values& values) const;
    // Whether `name` may have come from this pattern.
    bool matches(std::string_view name) const;

private:
    struct Part {
        std::string literal;  // in front of the field
        std::string field;    // "": the end
        char type = 0;        // d, e, f, g; 0: the shortest text
        char fill = ' ';      // or '0'
        int width = 0;
        int precision = -1;
    };
    static std::string text_of(const Part& part, const std::variant<std::int64_t, double>& value);
    Part parse_field(std::string_view inner, const std::vector<std::string>& whole,
                     const std::vector<std::string>& real) const;
    [[noreturn]] void refuse(const std::string& what, const std::string& hint) const;

    std::string text_, where_;
    std::vector<Part> parts_;
};

}  // namespace strata::checkpoint
