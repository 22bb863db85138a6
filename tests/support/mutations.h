// Damaged copies of a file: bytes changed, runs removed or doubled, ends cut off. The same seed
// makes the same copies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

namespace strata::testing {

// A new file each time: a file system may flush one that is written over.
inline void put_anew(const std::filesystem::path& path, std::string_view content) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << content;
}

class Mutations {
public:
    Mutations(std::string original, unsigned seed)
        : original_(std::move(original)), random_(seed) {}

    std::string next() {
        std::string copy = original_;
        const std::size_t changes = 1 + below(8);
        for (std::size_t i = 0; i < changes && !copy.empty(); ++i) change(copy);
        return copy;
    }

private:
    std::size_t below(std::size_t bound) { return random_() % bound; }

    void change(std::string& copy) {
        // Heads and ends hold the numbers that readers trust.
        const std::size_t reach =
            below(3) == 0 ? copy.size() : std::min<std::size_t>(copy.size(), 160);
        const std::size_t from = below(2) == 0 ? below(reach) : copy.size() - 1 - below(reach);
        switch (below(6)) {
            case 0:
                copy.resize(from);
                return;
            case 1:
                copy.erase(from, 1 + below(16));
                return;
            case 2:
                copy.insert(from, copy.substr(below(copy.size()), 1 + below(16)));
                return;
            case 3:
                copy[from] = static_cast<char>(below(2) == 0 ? 0xFF : 0);
                return;
            default:
                copy[from] = static_cast<char>(copy[from] ^ (1 << below(8)));
        }
    }

    std::string original_;
    std::mt19937 random_;
};

}  // namespace strata::testing
