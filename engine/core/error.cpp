#include "engine/core/error.h"

namespace strata {
namespace {

std::string compose(const std::string& what, const std::string& where, const std::string& hint) {
    std::string text = where.empty() ? what : where + ": " + what;
    if (!hint.empty()) text += ". " + hint;
    return text;
}

}  // namespace

Error::Error(ErrorCode code, std::string what, std::string where, std::string hint)
    : std::runtime_error(compose(what, where, hint)),
      code_(code),
      message_(std::move(what)),
      where_(std::move(where)),
      hint_(std::move(hint)) {}

Error Error::at(const std::string& where) const {
    return Error(code_, message_, where_.empty() ? where : where + ", " + where_, hint_);
}

}  // namespace strata
