#include "tests/faults/loop_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

namespace strata::faults {

LoopProcess::LoopProcess(const std::string& directory, int width, int count,
                         const Environment& environment) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    const std::string w = std::to_string(width), n = std::to_string(count);
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
        ::execl(STRATA_CHECKPOINT_LOOP, "checkpoint_loop", directory.c_str(), w.c_str(), n.c_str(),
                static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
}

LoopProcess::~LoopProcess() {
    if (pid_ > 0) kill();
    if (output_ >= 0) ::close(output_);
}

// False at the end of the output or of the time.
bool LoopProcess::read_more(int milliseconds) {
    pollfd waiting{output_, POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) return false;
    char bytes[4096];
    const ssize_t n = ::read(output_, bytes, sizeof bytes);
    if (n <= 0) return false;
    partial_.append(bytes, static_cast<std::size_t>(n));
    for (std::size_t end; (end = partial_.find('\n')) != std::string::npos;) {
        lines_.push_back(partial_.substr(0, end));
        partial_.erase(0, end + 1);
    }
    return true;
}

void LoopProcess::listen(int milliseconds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            until - std::chrono::steady_clock::now());
        if (left.count() <= 0 || !read_more(static_cast<int>(left.count()))) return;
    }
}

void LoopProcess::kill() {
    ::kill(pid_, SIGKILL);
    wait();
}

int LoopProcess::wait() {
    while (read_more(-1)) {
    }
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

long long LoopProcess::last_written() const {
    long long update = 0;
    for (const std::string& line : lines_)
        if (line.starts_with("written ")) update = std::atoll(line.c_str() + 8);
    return update;
}

}  // namespace strata::faults
