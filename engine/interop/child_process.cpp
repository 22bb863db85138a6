#include "engine/interop/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "engine/core/json.h"
#include "engine/io/file.h"

namespace strata::interop {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_memory = false;  // sanitizers reserve terabytes of addresses
#else
constexpr bool limits_memory = true;
#endif

// The last byte of the answer of a child that ended by itself says how.
constexpr char whole = 'W', failed = 'F', no_memory = 'M';
constexpr std::size_t pipe_bytes = 1 << 20;

std::uint64_t addresses_in_use() {
    unsigned long long pages = 0;
    if (FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%llu", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void set_limit(int resource, std::uint64_t value) {
    const struct rlimit limit { value, value };
    ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

// A Ctrl-C or a batch system's notice is the parent's affair; messages of a dying libc are
// nobody's.
void become_quiet(const ChildLimits& limits, std::uint64_t addresses) {
    for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGPIPE})
        ::signal(number, SIG_IGN);
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU})
        ::signal(number, SIG_DFL);
    if (const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) {
        ::dup2(null, STDOUT_FILENO);
        ::dup2(null, STDERR_FILENO);
    }
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.cpu_seconds));
    if (limits_memory && addresses > 0) set_limit(RLIMIT_AS, addresses + limits.memory_bytes);
}

void send(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) ::_exit(2);  // the parent is gone or wants no more
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

[[noreturn]] void child(int fd, const std::function<void(const Answer&)>& work) {
    std::string last;
    try {
        work([fd](std::string_view bytes) { send(fd, bytes); });
        last = whole;
    } catch (const Error& error) {
        // The parent finds the error between its length and the mark at the answer's end.
        const Json json = {static_cast<int>(error.code()), error.message(), error.where(),
                           error.hint()};
        last = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        std::array<char, 12> length{};
        std::snprintf(length.data(), length.size(), "%010zu", last.size());
        last += length.data();
        last += failed;
    } catch (const std::bad_alloc&) {
        last = no_memory;
    } catch (const std::exception&) {
        ::_exit(3);
    }
    send(fd, last);
    ::_exit(0);
}

[[noreturn]] void throw_sent_error(std::vector<char>& answer, const std::string& path) {
    const std::string_view text(answer.data(), answer.size());
    constexpr std::size_t digits = 10;
    if (text.size() >= digits) {
        const std::size_t length =
            std::strtoull(std::string(text.substr(text.size() - digits)).c_str(), nullptr, 10);
        if (length <= text.size() - digits) {
            const Json json = parse_json(text.substr(text.size() - digits - length, length), path);
            const bool complete = json.is_array() && json.size() == 4 &&
                                  json[0].is_number_integer() && json[1].is_string() &&
                                  json[2].is_string() && json[3].is_string();
            if (complete)
                throw Error(static_cast<ErrorCode>(json[0].get<int>()), json[1], json[2], json[3]);
        }
    }
    throw Error(ErrorCode::format, "is damaged", path, "Download or copy the file again");
}

// Reads until the child closes its end; false where it falls silent or sends too much.
bool receive(int fd, const ChildLimits& limits, std::vector<char>& answer) {
    std::vector<char> buffer(pipe_bytes);
    for (;;) {
        struct pollfd wait {
            fd, POLLIN, 0
        };
        const int ready = ::poll(&wait, 1, limits.silent_seconds * 1000);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n == 0;
        if (answer.size() + static_cast<std::size_t>(n) > limits.answer_bytes) return false;
        answer.insert(answer.end(), buffer.begin(), buffer.begin() + n);
    }
}

}  // namespace

std::vector<char> run_in_child(const std::filesystem::path& path, const ChildLimits& limits,
                               const std::function<void(const Answer&)>& work) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw io::system_error("open a pipe to read", path, errno);
    io::FileDescriptor reading(ends[0]), writing(ends[1]);
    ::fcntl(writing.get(), F_SETPIPE_SZ, pipe_bytes);
    const std::uint64_t addresses = addresses_in_use();
    const pid_t pid = ::fork();
    if (pid < 0) throw io::system_error("start a process to read", path, errno);
    if (pid == 0) {
        reading.close();
        become_quiet(limits, addresses);
        child(writing.get(), work);
    }
    writing.close();
    std::vector<char> answer;
    bool good = false;
    try {
        good = receive(reading.get(), limits, answer);
    } catch (...) {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        throw;
    }
    if (!good) ::kill(pid, SIGKILL);
    int status = -1;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const char last = good && !answer.empty() ? answer.back() : '\0';
    if (!answer.empty()) answer.pop_back();
    if (last == failed) throw_sent_error(answer, path.string());
    if (last == no_memory)
        throw Error(ErrorCode::out_of_memory,
                    "needs more memory to read than a file of its size "
                    "should",
                    path.string(), "If you trust the file, save it again without compression");
    if (last != whole)
        throw Error(ErrorCode::format, "is damaged: reading it failed in the HDF5 library",
                    path.string(), "Download or copy the file again");
    return answer;
}

}  // namespace strata::interop
