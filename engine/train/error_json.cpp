#include "engine/train/error_json.h"

#include <algorithm>
#include <array>
#include <utility>

namespace strata::train {
namespace {

constexpr const char* where = "error";

constexpr std::array<std::pair<ErrorCode, const char*>, 9> names{{
    {ErrorCode::invalid_argument, "invalid_argument"},
    {ErrorCode::not_found, "not_found"},
    {ErrorCode::io, "io"},
    {ErrorCode::format, "format"},
    {ErrorCode::out_of_memory, "out_of_memory"},
    {ErrorCode::unsupported, "unsupported"},
    {ErrorCode::interrupted, "interrupted"},
    {ErrorCode::numeric, "numeric"},
    {ErrorCode::internal, "internal"},
}};

std::string text(const Json& json, const char* key) {
    return get_string(json, key, "", where);
}

}  // namespace

Json error_json(const Error& error) {
    const auto* name = std::find_if(names.begin(), names.end(),
                                    [&](const auto& entry) { return entry.first == error.code(); });
    return {{"code", name->second},
            {"message", error.message()},
            {"where", error.where()},
            {"hint", error.hint()}};
}

Error error_from(const Json& json, ErrorCode otherwise) {
    const std::string code = text(json, "code");
    const auto* name = std::find_if(names.begin(), names.end(),
                                    [&](const auto& entry) { return entry.second == code; });
    return {name == names.end() ? otherwise : name->first, text(json, "message"),
            text(json, "where"), text(json, "hint")};
}

}  // namespace strata::train
