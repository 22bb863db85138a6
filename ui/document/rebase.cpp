#include "ui/document/rebase.h"

#include <filesystem>

#include "engine/data/source.h"

namespace strata::ui {
namespace {

namespace fs = std::filesystem;

// Below `base` a relative path: the folder can then be moved or copied as a whole.
std::string seenFrom(const std::string& base, const std::string& absolute) {
    const fs::path way = fs::path(absolute).lexically_normal().lexically_relative(base);
    const bool inside = !way.empty() && *way.begin() != "..";
    return inside ? way.string() : fs::path(absolute).lexically_normal().string();
}

void rebaseSource(Json& source, const std::string& from, const std::string& to) {
    if (!source.is_object()) return;
    const Json absolute = data::with_absolute_paths(source, from);
    for (const auto& [key, value] : absolute.items())
        if (value != source[key]) source[key] = seenFrom(to, value.get<std::string>());
}

}  // namespace

bool rebase(train::RunConfig& config, const std::string& base) {
    if (config.base == base) return false;
    rebaseSource(config.data.source, config.base, base);
    rebaseSource(config.data.test, config.base, base);
    std::string& weights = config.training.initial_weights;
    if (!weights.empty() && fs::path(weights).is_relative())
        weights = seenFrom(base, fs::absolute(fs::path(config.base) / weights).string());
    config.base = base;
    return true;
}

}  // namespace strata::ui
