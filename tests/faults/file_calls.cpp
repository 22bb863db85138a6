// Preloaded into a program: writes each call that changes a file below STRATA_FAULT_DIRECTORY into
// STRATA_FAULT_LOG, and lets one fail: STRATA_FAULT="fsync 2 5" is the second fsync, with errno 5.
// Calls: write, fsync, rename, fsync_directory.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t longest = 4096;
std::atomic<int> matching{0};

bool path_of(int fd, char* path) {
    char link[64];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = ::readlink(link, path, longest - 1);
    if (n < 0) return false;
    path[n] = '\0';
    return true;
}

bool is_watched(const char* path) {
    const char* directory = std::getenv("STRATA_FAULT_DIRECTORY");
    return directory != nullptr && std::strncmp(path, directory, std::strlen(directory)) == 0;
}

void note(const char* call, const char* path) {
    const char* log = std::getenv("STRATA_FAULT_LOG");
    if (log == nullptr) return;
    char line[longest + 64];
    const int n = std::snprintf(line, sizeof line, "%s %s\n", call, path);
    const long fd = ::syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (fd < 0) return;
    ::syscall(SYS_write, fd, line, n);
    ::syscall(SYS_close, fd);
}

// True where this call is to fail; errno is set then.
bool fails(const char* call) {
    const char* fault = std::getenv("STRATA_FAULT");
    char name[32];
    int number = 0, code = 0;
    if (fault == nullptr || std::sscanf(fault, "%31s %d %d", name, &number, &code) != 3 ||
        std::strcmp(name, call) != 0 || ++matching != number)
        return false;
    errno = code;
    return true;
}

bool disturbed(const char* call, int fd) {
    char path[longest];
    if (!path_of(fd, path) || !is_watched(path)) return false;
    note(call, path);
    return fails(call);
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* data, size_t bytes) {
    if (disturbed("write", fd)) return -1;
    return ::syscall(SYS_write, fd, data, bytes);
}

ssize_t pwrite(int fd, const void* data, size_t bytes, off_t offset) {
    if (disturbed("write", fd)) return -1;
    return ::syscall(SYS_pwrite64, fd, data, bytes, offset);
}

ssize_t pwrite64(int fd, const void* data, size_t bytes, off64_t offset) {
    return pwrite(fd, data, bytes, offset);
}

int fsync(int fd) {
    struct stat status {};
    const bool is_directory = ::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    if (disturbed(is_directory ? "fsync_directory" : "fsync", fd)) return -1;
    return static_cast<int>(::syscall(SYS_fsync, fd));
}

int rename(const char* from, const char* to) {
    if (is_watched(to)) {
        note("rename", to);
        if (fails("rename")) return -1;
    }
    return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

}  // extern "C"
