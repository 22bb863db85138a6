#include "engine/io/paths.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include "engine/io/file.h"

namespace strata::io {
namespace fs = std::filesystem;
namespace {

constexpr const char* program = "strata-studio";
constexpr std::size_t longest_name = 120;  // bytes

// The XDG rule: a variable that is not an absolute path counts as not set.
fs::path base_directory(const char* variable, const char* below_home) {
    const char* value = std::getenv(variable);
    if (value && value[0] == '/') return value;
    return home_directory() / below_home;
}

// Bytes of the UTF-8 character at the start of `text`, or 0 where there is none.
std::size_t character_bytes(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t n = first < 0x80                     ? 1
                          : first >= 0xC2 && first <= 0xDF ? 2
                          : first >= 0xE0 && first <= 0xEF ? 3
                          : first >= 0xF0 && first <= 0xF4 ? 4
                                                           : 0;
    if (n == 0 || text.size() < n) return 0;
    for (std::size_t i = 1; i < n; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
    const auto second = static_cast<unsigned char>(n > 1 ? text[1] : '\0');
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool beyond = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
    return overlong || beyond ? 0 : n;
}

bool is_kept(char c) {
    constexpr std::string_view refused = "/\\:*?\"'<>|`$&;!(){}[]~#%^=";
    return static_cast<unsigned char>(c) > ' ' && c != 127 &&
           refused.find(c) == std::string_view::npos;
}

}  // namespace

fs::path home_directory() {
    const char* home = std::getenv("HOME");
    if (home && home[0] == '/') return home;
    std::array<char, 4096> buffer{};
    struct passwd entry {};
    struct passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found &&
        found->pw_dir)
        return found->pw_dir;
    return "/";
}

fs::path config_directory() {
    return base_directory("XDG_CONFIG_HOME", ".config") / program;
}
fs::path cache_directory() {
    return base_directory("XDG_CACHE_HOME", ".cache") / program;
}
fs::path data_directory() {
    return base_directory("XDG_DATA_HOME", ".local/share") / program;
}

std::string safe_file_name(std::string_view name) {
    std::string safe;
    while (!name.empty()) {
        const std::size_t n = character_bytes(name);
        const bool control =
            n == 2 && name[0] == '\xC2' && static_cast<unsigned char>(name[1]) < 0xA0;
        const bool kept = n > 1 ? !control : n == 1 && is_kept(name[0]);
        const std::string_view part = kept ? name.substr(0, n) : std::string_view("-");
        name.remove_prefix(std::max<std::size_t>(n, 1));
        if (part == "-" && (safe.empty() || safe.back() == '-')) continue;
        if (part == "." && safe.empty()) continue;
        if (safe.size() + part.size() > longest_name) break;
        safe += part;
    }
    while (!safe.empty() && safe.back() == '-') safe.pop_back();
    return safe.empty() ? "run" : safe;
}

fs::path create_run_directory(const fs::path& runs, std::string_view name,
                              std::chrono::system_clock::time_point time) {
    std::error_code error;
    fs::create_directories(runs, error);
    if (error) throw system_error("make the directory", runs, error.value());
    const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
    std::tm local{};
    ::localtime_r(&seconds, &local);
    std::array<char, 32> stamp{};
    std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &local);
    const std::string base = std::string(stamp.data()) + "-" + safe_file_name(name);
    for (int number = 1;; ++number) {
        fs::path path = runs / (number == 1 ? base : base + "-" + std::to_string(number));
        // mkdir fails where the name exists, so that only one of two callers gets it.
        if (::mkdir(path.c_str(), 0777) == 0) return path;
        if (errno != EEXIST) throw system_error("make the directory", path, errno);
    }
}

}  // namespace strata::io
