// What the product knows of a layer, loss, optimizer or data source without running it: names,
// parameters, help. From these follow palette, inspector, project file, Keras exchange and the
// reference documentation.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/json.h"
#include "engine/core/shape.h"

namespace strata::layers {

enum class ParamType : std::uint8_t {
    integer,  // JSON integer
    number,   // JSON number
    boolean,
    choice,       // a text of `choices`
    pair,         // two integers (height, width); a single integer in a file means both
    shape,        // a list of integers, no batch
    number_list,  // a number or a list of numbers
    text,         // any text
    file,         // a text: the path of a file
    folder        // a text: the path of a folder
};

struct ParamSpec {
    std::string key;  // Keras's name: "units"
    ParamType type = ParamType::integer;
    Json default_value;  // null: the user must give it, or (optional = true) it may stay unset
    std::string doc;     // one line with units
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    std::vector<std::string> choices = {};
    bool optional = false;  // null is a value
    bool exclusive_minimum = false, exclusive_maximum = false;
    std::string visible_when = {};  // "key=value" of another parameter, empty = always
    // Other words for a choice, replaced by it when read: {"swish", "silu"}.
    std::vector<std::pair<std::string, std::string>> synonyms = {};
};

enum class LayerCategory : std::uint8_t {
    core,
    convolution,
    pooling,
    normalization,
    regularization,
    input,
    merging,
    preprocessing
};
const char* name_of(
    LayerCategory category);  // "Core", "Convolution", ... in English; the studio translates

// The parameters of one use of a spec, complete and checked: every key of the spec is there.
class Config {
public:
    Config() = default;

    // Fills in defaults and checks types, ranges, choices and unknown keys. A null counts as not
    // given; a pair becomes a list of two, a number a double. Throws Error{invalid_argument}, where
    // = the key (empty for an unknown one).
    static Config checked(const std::vector<ParamSpec>& params, const Json& given);

    std::int64_t integer(const char* key) const;
    double number(const char* key) const;
    bool boolean(const char* key) const;
    const std::string& text(const char* key) const;
    std::pair<int, int> pair(const char* key) const;
    std::vector<std::int64_t> shape(const char* key) const;
    std::vector<double> numbers(const char* key) const;
    bool is_null(const char* key) const;
    const Json& json() const { return values_; }  // all keys, in the spec's order
    // Only what differs from the defaults: what a project file holds.
    Json changed(const std::vector<ParamSpec>& params) const;

private:
    const Json& at(const char* key) const;
    Json values_ = Json::object();
};

}  // namespace strata::layers
