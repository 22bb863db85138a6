#include "engine/checkpoint/retention.h"

#include <algorithm>
#include <tuple>

#include "engine/checkpoint/training_state.h"
#include "engine/core/error.h"
#include "engine/interop/keras_h5.h"

namespace strata::checkpoint {
namespace fs = std::filesystem;
namespace {

bool is_fixed_name(const std::string& name) {
    return name == "best.h5" || name == "last.h5";
}

}  // namespace

Retention::Retention(fs::path directory, NamePattern pattern, std::int64_t keep_last)
    : directory_(std::move(directory)),
      pattern_(std::move(pattern)),
      keep_last_(static_cast<std::size_t>(std::max<std::int64_t>(keep_last, 1))) {}

void Retention::find_earlier(const std::string& but) {
    looked_ = true;
    std::vector<std::tuple<std::int64_t, fs::file_time_type, std::string>> found;
    std::error_code error;
    for (fs::directory_iterator it(directory_, error), end; !error && it != end;
         it.increment(error)) {
        const std::string name = it->path().filename().string();
        std::error_code unknown;
        if (it->path() == but || is_fixed_name(name) || !pattern_.matches(name) ||
            !fs::is_regular_file(it->symlink_status(unknown)))
            continue;
        try {
            const Json state = interop::read_training_state(it->path().string());
            if (state.is_null()) continue;
            interop::check_keras_h5(it->path().string());
            found.emplace_back(TrainingState::from_json(state).update,
                               fs::last_write_time(it->path(), unknown), it->path().string());
        } catch (const Error&) {
            continue;  // damaged, or of somebody else: neither counted nor removed
        }
    }
    std::sort(found.begin(), found.end());
    for (auto& [update, time, path] : found) kept_.push_back(std::move(path));
}

std::vector<std::string> Retention::written(const std::string& path) {
    if (!looked_) find_earlier(path);
    kept_.erase(std::remove(kept_.begin(), kept_.end(), path), kept_.end());
    kept_.push_back(path);
    std::vector<std::string> removed;
    while (kept_.size() > keep_last_) {
        std::error_code error;
        if (fs::remove(kept_.front(), error)) removed.push_back(kept_.front());
        kept_.erase(kept_.begin());
    }
    return removed;
}

}  // namespace strata::checkpoint
