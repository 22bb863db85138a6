// Whole files into memory under a byte budget, plain or gzip. For data files that others made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/io/file.h"

namespace strata::io {

inline constexpr std::uint64_t default_byte_budget = std::uint64_t{8} << 30;

// The bytes of `path` as they are. Throws Error{not_found, io}; Error{format} if more than
// max_bytes.
std::vector<std::byte> read_file(const std::filesystem::path& path,
                                 std::uint64_t max_bytes = default_byte_budget);
std::string read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes = 64 << 20);

// The same, inflated where the content (not the name) begins with gzip's 1f 8b. max_bytes bounds
// the result; above 16 MiB, an expansion of more than 250 to 1 is refused. Concatenated members are
// joined (RFC 1952). Throws Error{format} that names the file for a truncated or damaged stream, a
// wrong checksum, or bytes after the end.
std::vector<std::byte> read_maybe_gzip(const std::filesystem::path& path,
                                       std::uint64_t max_bytes = default_byte_budget);

bool is_gzip(const InputFile& file);  // by its first two bytes

// A gzip stream of `bytes` (level 1 to 9), with no name and no time in it: equal input, equal
// output.
std::vector<std::byte> gzip(std::span<const std::byte> bytes, int level = 6);

}  // namespace strata::io
