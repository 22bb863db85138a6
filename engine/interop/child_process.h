// Runs a piece of work on a foreign file in a child process, so that a fault in a library that
// parses it ends the child and not the program. Used for HDF5, whose library has such faults.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::interop {

struct ChildLimits {
    std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // above what the process has now
    int cpu_seconds = 120;
    int silent_seconds = 60;  // without a byte from the child
    std::uint64_t answer_bytes = std::uint64_t{9} << 30;
};

// Takes part of the answer; may be called often.
using Answer = std::function<void(std::string_view)>;

// Calls `work` in a forked child and returns what it gave to Answer. A strata::Error thrown there
// is thrown here. Throws Error{format} "the file is damaged" naming `path` where the child died or
// hung, Error{out_of_memory} where its memory limit was met. The child writes to no file, keeps no
// signal handler of the program's, and must need no lock that another thread may hold.
std::vector<char> run_in_child(const std::filesystem::path& path, const ChildLimits& limits,
                               const std::function<void(const Answer&)>& work);

}  // namespace strata::interop
