// Which checkpoints of one name pattern stay in a run's directory: the last few. Used by the writer
// after each file that it has written and verified.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/checkpoint/name_pattern.h"

namespace strata::checkpoint {

class Retention {
public:
    Retention(std::filesystem::path directory, NamePattern pattern, std::int64_t keep_last);

    // Notes that `path` was written and verified, and removes the oldest of the pattern's files
    // until keep_last are left; returns those removed. Only files that were verified, here or when
    // they were written, are counted and removed; never best.h5 nor last.h5. What an earlier
    // process left is looked for at the first call.
    std::vector<std::string> written(const std::string& path);

private:
    void find_earlier(const std::string& but);

    std::filesystem::path directory_;
    NamePattern pattern_;
    std::size_t keep_last_;
    bool looked_ = false;
    std::vector<std::string> kept_;  // verified, oldest first
};

}  // namespace strata::checkpoint
