// Where the program keeps its files (XDG base directories) and how a run's directory is named.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace strata::io {

std::filesystem::path home_directory();    // $HOME, else the user database
std::filesystem::path config_directory();  // $XDG_CONFIG_HOME or ~/.config, + "/strata-studio"
std::filesystem::path cache_directory();   // $XDG_CACHE_HOME or ~/.cache, + "/strata-studio"
std::filesystem::path data_directory();    // $XDG_DATA_HOME or ~/.local/share, + "/strata-studio"

// `name` as one component of a path: Unicode is kept; blanks, separators, control and shell
// characters become
// '-'; no leading dot or '-'; at most 120 bytes, cut between characters; never empty ("run").
std::string safe_file_name(std::string_view name);

// Makes and returns `<runs>/<YYYYmmdd-HHMMSS>-<safe name>` (local time), with "-2", "-3", ... where
// it exists: two callers never get the same one. Throws Error{io}.
std::filesystem::path create_run_directory(
    const std::filesystem::path& runs, std::string_view name,
    std::chrono::system_clock::time_point time = std::chrono::system_clock::now());

}  // namespace strata::io
