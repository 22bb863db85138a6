#include "engine/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <set>

namespace strata::io {
namespace fs = std::filesystem;
namespace {

// The temporaries that this process is writing now.
class ActiveTemporaries {
public:
    bool add(const fs::path& path) {
        const std::lock_guard lock(mutex_);
        return paths_.insert(key(path)).second;
    }
    void remove(const fs::path& path) {
        const std::lock_guard lock(mutex_);
        paths_.erase(key(path));
    }
    bool contains(const fs::path& path) {
        const std::lock_guard lock(mutex_);
        return paths_.count(key(path)) != 0;
    }

private:
    static std::string key(const fs::path& path) {
        std::error_code ignored;
        return fs::weakly_canonical(path, ignored).string();
    }

    std::mutex mutex_;
    std::set<std::string> paths_;
};

ActiveTemporaries& active() {
    static ActiveTemporaries instance;
    return instance;
}

fs::path directory_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// A symbolic link stays one: the file it leads to, there or not, is written.
fs::path resolve_link(fs::path path) {
    std::error_code error;
    for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, error)); ++links)
        path = (path.parent_path() / fs::read_symlink(path, error)).lexically_normal();
    return path;
}

// A device, pipe, socket or directory is never replaced by a file.
void require_replaceable(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status) || fs::is_regular_file(status)) return;
    throw Error(ErrorCode::invalid_argument,
                fs::is_directory(status) ? "is a directory" : "is no regular file", path.string(),
                "Name a file to write");
}

// The pid of "<name>.tmp.<pid>", or 0.
pid_t pid_of_temporary(const std::string& name) {
    const std::size_t dot = name.rfind(".tmp.");
    if (dot == std::string::npos || dot == 0) return 0;
    const char* begin = name.data() + dot + 5;
    const char* end = name.data() + name.size();
    pid_t pid = 0;
    const auto [rest, error] = std::from_chars(begin, end, pid);
    return error == std::errc() && rest == end && pid > 0 ? pid : 0;
}

bool is_stale(const fs::path& path) {
    const pid_t pid = pid_of_temporary(path.filename().string());
    if (pid == 0) return false;
    if (pid == ::getpid()) return !active().contains(path);
    return ::kill(pid, 0) != 0 && errno == ESRCH;
}

void sync_directory(const fs::path& directory) {
    const FileDescriptor fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd && ::fsync(fd.get()) == 0) return;
    if (errno == EINVAL || errno == ENOTSUP) return;  // the file system has no such operation
    throw system_error("make sure that the new file's name is on disk", directory, errno);
}

}  // namespace

AtomicFile::AtomicFile(fs::path target, std::uint64_t expected_bytes)
    : target_(resolve_link(std::move(target))), expected_bytes_(expected_bytes) {
    temporary_ = target_;
    temporary_ += ".tmp." + std::to_string(::getpid());
    require_replaceable(target_);
    if (expected_bytes_ > 0) require_free_space(directory_of(target_), expected_bytes_);
    if (!active().add(temporary_))
        throw Error(ErrorCode::io, "is being written by another part of the program",
                    target_.string(), "Try again when that has ended");
    ::unlink(temporary_.c_str());
}

AtomicFile::~AtomicFile() {
    fd_.close();
    if (!committed_ && !shown_) ::unlink(temporary_.c_str());
    active().remove(temporary_);
}

void AtomicFile::open() {
    fd_ = FileDescriptor(::open(temporary_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!fd_) fail("create", errno);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    if (error_) throw Error(*error_);
    if (!fd_) open();
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd_.get(), bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            const int errno_value = errno;
            expected_bytes_ = std::max<std::uint64_t>(expected_bytes_, written_ + bytes.size());
            fail("write", errno_value);
        }
        written_ += static_cast<std::uint64_t>(n);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
}

void AtomicFile::write(std::string_view text) {
    write(std::as_bytes(std::span(text)));
}

void AtomicFile::latch(const Error& error) {
    if (!error_) error_ = error;
}

void AtomicFile::fail(const Error& error) {
    latch(error);
    fd_.close();
    ::unlink(temporary_.c_str());
    throw Error(*error_);
}

void AtomicFile::fail(const std::string& action, int errno_value) {
    const Error error = system_error(action, target_, errno_value);
    if (expected_bytes_ == 0) fail(error);
    fail(Error(error.code(),
               error.message() + "; " + byte_text(expected_bytes_) + " are needed, " +
                   byte_text(written_) + " were written",
               error.where(), error.hint()));
}

void AtomicFile::commit(const Verify& verify) {
    if (committed_) throw Error(ErrorCode::internal, "was committed twice", target_.string());
    if (error_) fail(*error_);
    if (!fd_) open();
    struct stat old {};
    if (::stat(target_.c_str(), &old) == 0 && ::fchmod(fd_.get(), old.st_mode & 07777) != 0)
        fail("set the permissions", errno);
    if (::fsync(fd_.get()) != 0) fail("write to disk", errno);
    if (const int errno_value = fd_.close(); errno_value != 0) fail("write", errno_value);
    if (verify) {
        try {
            verify(temporary_);
        } catch (const Error& error) {
            fail(error);
        }
    }
    if (!shown_ && ::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename", errno);
    committed_ = true;
    sync_directory(directory_of(target_));
}

void AtomicFile::show() {
    if (error_) fail(*error_);
    if (!fd_) open();
    // Unlike a rename, it takes no other file's place.
    if (::link(temporary_.c_str(), target_.c_str()) != 0) return;
    ::unlink(temporary_.c_str());
    shown_ = true;
}

void write_file(const fs::path& target, std::span<const std::byte> bytes) {
    AtomicFile file(target);
    file.write(bytes);
    file.commit();
}

void write_file(const fs::path& target, std::string_view text) {
    write_file(target, std::as_bytes(std::span(text)));
}

int sweep_stale(const fs::path& directory) {
    int removed = 0;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code ignored;
        if (!fs::is_regular_file(it->symlink_status(ignored)) || !is_stale(it->path())) continue;
        if (fs::remove(it->path(), ignored)) ++removed;
    }
    return removed;
}

void require_free_space(const fs::path& directory, std::uint64_t bytes) {
    fs::path existing = fs::absolute(directory);
    std::error_code ignored;
    while (existing.has_relative_path() && !fs::exists(existing, ignored))
        existing = existing.parent_path();
    struct statvfs info {};
    if (::statvfs(existing.c_str(), &info) != 0)
        throw system_error("ask for the free space", existing, errno);
    const std::uint64_t free = static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
    const std::uint64_t needed = bytes + bytes / 5;
    if (free >= needed) return;
    throw Error(ErrorCode::io,
                "the disk is too full: " + byte_text(needed) + " are needed, " + byte_text(free) +
                    " are free, " + byte_text(needed - free) + " are missing",
                directory.string(), "Free some space, or choose a directory on another disk");
}

void require_writable_directory(const fs::path& directory) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw system_error("make the directory", directory, error.value());
    static std::atomic<unsigned> count{0};
    AtomicFile probe(directory / (".write-test-" + std::to_string(count++)));
    const std::array<std::byte, 4096> block{};
    try {
        probe.write(block);
    } catch (const Error& failure) {
        throw Error(ErrorCode::io, "no file can be written here: " + failure.message(),
                    directory.string(), failure.hint());
    }
}

}  // namespace strata::io
