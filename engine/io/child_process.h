// Runs work on a foreign file in a child process, so that a fault in a library that parses it ends
// the child and not the program. Used for HDF5, whose library has such faults.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/file.h"

namespace strata::io {

struct ChildLimits {
    std::uint64_t memory_bytes = std::uint64_t{1} << 30;  // above what the process has now
    int cpu_seconds = 120;                                // for each request
    int silent_seconds = 60;                              // without a byte from the child
    std::uint64_t answer_bytes = std::uint64_t{9} << 30;
};

// Takes part of the answer; may be called often.
using Answer = std::function<void(std::string_view)>;

// A forked child that answers requests until it is destroyed. It writes to no file, holds none of
// the program's files open, keeps no signal handler of the program's, and must need no lock that
// another thread may hold at the fork.
class ChildProcess {
public:
    // serve: called in the child, for each request.
    using Serve = std::function<void(std::string_view request, const Answer&)>;

    ChildProcess(std::filesystem::path path, const ChildLimits& limits, const Serve& serve);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess();

    // Gives the answer to `take`, part by part. A strata::Error thrown in the child is thrown here.
    // Throws Error{format} "the file is damaged" naming the path where the child died or hung,
    // Error{out_of_memory} where its memory limit was met. Thread-safe: one request at a time.
    void ask(std::string_view request, const Answer& take);

private:
    bool send_request(std::string_view request) const;
    char receive(const Answer& take, std::string& error) const;
    bool receive_bytes(char* to, std::size_t count) const;
    void end();

    std::filesystem::path path_;
    ChildLimits limits_;
    std::mutex mutex_;
    FileDescriptor socket_;
    pid_t pid_ = -1;
};

// One piece of work in a child of its own: what it gave to Answer.
std::vector<char> run_in_child(const std::filesystem::path& path, const ChildLimits& limits,
                               const std::function<void(const Answer&)>& work);

}  // namespace strata::io
