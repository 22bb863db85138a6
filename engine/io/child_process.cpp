#include "engine/io/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include "engine/core/json.h"

namespace strata::io {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_memory = false;  // sanitizers reserve terabytes of addresses
#else
constexpr bool limits_memory = true;
#endif

// An answer is a row of frames: a kind, the length of what follows, and that. All but `part` end
// it; `dead` is never sent.
constexpr char part = 'P', whole = 'W', failed = 'F', no_memory = 'M', dead = 'D';
constexpr std::size_t length_bytes = sizeof(std::uint64_t);
constexpr std::size_t buffer_bytes = 1 << 20;
constexpr std::uint64_t longest_request = 64 << 20;
constexpr std::uint64_t longest_error = 1 << 20;

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

// A child may live as long as a run: each request has its own share of processor time.
void renew_cpu_limit(int seconds) {
    struct rusage used {};
    ::getrusage(RUSAGE_SELF, &used);
    struct rlimit limit {};
    ::getrlimit(RLIMIT_CPU, &limit);
    const auto until = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + seconds);
    limit.rlim_cur = std::min(limit.rlim_max, until);
    ::setrlimit(RLIMIT_CPU, &limit);
}

// A Ctrl-C or a batch system's notice is the parent's affair; messages of a dying libc are
// nobody's. Files of the program, other children's ends among them, must not be held open here.
void become_quiet(int socket, const ChildLimits& limits, std::uint64_t addresses) {
    for (const int number : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGPIPE})
        ::signal(number, SIG_IGN);
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU})
        ::signal(number, SIG_DFL);
    const auto kept = static_cast<unsigned>(socket);
    if (kept > 3) ::close_range(3, kept - 1, 0);
    ::close_range(kept + 1, ~0U, 0);
    if (const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) {
        ::dup2(null, STDOUT_FILENO);
        ::dup2(null, STDERR_FILENO);
    }
    set_limit(RLIMIT_CORE, 0);
    if (limits_memory && addresses > 0) set_limit(RLIMIT_AS, addresses + limits.memory_bytes);
}

bool send_all(int socket, const void* data, std::size_t count) {
    const auto* bytes = static_cast<const char*>(data);
    while (count > 0) {
        const ssize_t n = ::send(socket, bytes, count, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        count -= static_cast<std::size_t>(n);
    }
    return true;
}

void send_frame(int socket, char kind, std::string_view content) {
    std::array<char, 1 + length_bytes> head{kind};
    const std::uint64_t length = content.size();
    std::memcpy(head.data() + 1, &length, length_bytes);
    if (!send_all(socket, head.data(), head.size()) ||
        !send_all(socket, content.data(), content.size()))
        ::_exit(2);  // the parent is gone or wants no more
}

// False where the parent has closed its end.
bool read_request(int socket, std::string& request) {
    const auto read_all = [socket](char* to, std::size_t count) {
        while (count > 0) {
            const ssize_t n = ::read(socket, to, count);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            to += n;
            count -= static_cast<std::size_t>(n);
        }
        return true;
    };
    std::uint64_t length = 0;
    if (!read_all(reinterpret_cast<char*>(&length), sizeof length)) return false;
    request.resize(length);
    return read_all(request.data(), request.size());
}

void answer_request(int socket, const std::string& request, const ChildProcess::Serve& serve) {
    try {
        serve(request, [socket](std::string_view bytes) { send_frame(socket, part, bytes); });
        send_frame(socket, whole, {});
    } catch (const Error& error) {
        const Json json = {static_cast<int>(error.code()), error.message(), error.where(),
                           error.hint()};
        send_frame(socket, failed, json.dump(-1, ' ', false, Json::error_handler_t::replace));
    } catch (const std::bad_alloc&) {
        send_frame(socket, no_memory, {});
    } catch (const std::exception&) {
        ::_exit(3);
    }
}

[[noreturn]] void live_as_child(int socket, const ChildLimits& limits,
                                const ChildProcess::Serve& serve) {
    std::string request;
    while (read_request(socket, request)) {
        renew_cpu_limit(limits.cpu_seconds);
        answer_request(socket, request, serve);
    }
    ::_exit(0);
}

[[noreturn]] void throw_sent_error(const std::string& text, const std::string& path) {
    const Json json = parse_json(text, path);
    const bool complete = json.is_array() && json.size() == 4 && json[0].is_number_integer() &&
                          json[1].is_string() && json[2].is_string() && json[3].is_string();
    if (complete)
        throw Error(static_cast<ErrorCode>(json[0].get<int>()), json[1], json[2], json[3]);
    throw Error(ErrorCode::format, "is damaged", path, "Download or copy the file again");
}

}  // namespace

ChildProcess::ChildProcess(std::filesystem::path path, const ChildLimits& limits,
                           const Serve& serve)
    : path_(std::move(path)), limits_(limits) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw system_error("open a connection to read", path_, errno);
    FileDescriptor mine(ends[0]), childs(ends[1]);
    const std::uint64_t addresses = addresses_in_use();
    pid_ = ::fork();
    if (pid_ < 0) throw system_error("start a process to read", path_, errno);
    if (pid_ == 0) {
        become_quiet(childs.get(), limits, addresses);
        live_as_child(childs.get(), limits, serve);
    }
    socket_ = std::move(mine);
}

ChildProcess::~ChildProcess() {
    end();
}

void ChildProcess::end() {
    socket_.close();
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
}

bool ChildProcess::send_request(std::string_view request) const {
    const std::uint64_t length = request.size();
    return socket_ && length <= longest_request &&
           send_all(socket_.get(), &length, sizeof length) &&
           send_all(socket_.get(), request.data(), request.size());
}

// False where the child falls silent or is gone.
bool ChildProcess::receive_bytes(char* to, std::size_t count) const {
    while (count > 0) {
        struct pollfd wait {
            socket_.get(), POLLIN, 0
        };
        const int ready = ::poll(&wait, 1, limits_.silent_seconds * 1000);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        const ssize_t n = ::read(socket_.get(), to, count);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        count -= static_cast<std::size_t>(n);
    }
    return true;
}

// How the answer ended: a kind of frame, or `dead`.
char ChildProcess::receive(const Answer& take, std::string& error) const {
    std::vector<char> buffer;
    std::uint64_t total = 0;
    for (;;) {
        std::array<char, 1 + length_bytes> head{};
        if (!receive_bytes(head.data(), head.size())) return dead;
        std::uint64_t length = 0;
        std::memcpy(&length, head.data() + 1, length_bytes);
        if (head[0] == whole || head[0] == no_memory) return head[0];
        if (head[0] == failed) {
            error.resize(std::min(length, longest_error));
            return receive_bytes(error.data(), error.size()) ? failed : dead;
        }
        if (head[0] != part || length > limits_.answer_bytes - total) return dead;
        total += length;
        buffer.resize(std::min<std::uint64_t>(length, buffer_bytes));
        while (length > 0) {
            const std::size_t n = std::min<std::uint64_t>(length, buffer_bytes);
            if (!receive_bytes(buffer.data(), n)) return dead;
            take({buffer.data(), n});
            length -= n;
        }
    }
}

void ChildProcess::ask(std::string_view request, const Answer& take) {
    const std::lock_guard lock(mutex_);
    char last = dead;
    std::string error;
    try {
        if (send_request(request)) last = receive(take, error);
    } catch (...) {
        end();  // half an answer is on its way
        throw;
    }
    if (last == whole) return;
    if (last == failed) throw_sent_error(error, path_.string());
    end();
    if (last == no_memory)
        throw Error(ErrorCode::out_of_memory,
                    "needs more memory to read than a file of its size should", path_.string(),
                    "If you trust the file, save it again without compression");
    throw Error(ErrorCode::format, "is damaged: reading it failed in the HDF5 library",
                path_.string(), "Download or copy the file again");
}

std::vector<char> run_in_child(const std::filesystem::path& path, const ChildLimits& limits,
                               const std::function<void(const Answer&)>& work) {
    std::vector<char> answer;
    ChildProcess child(path, limits, [&](std::string_view, const Answer& send) { work(send); });
    child.ask({}, [&](std::string_view bytes) {
        answer.insert(answer.end(), bytes.begin(), bytes.end());
    });
    return answer;
}

}  // namespace strata::io
