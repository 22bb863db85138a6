#include "engine/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "engine/core/text.h"

namespace strata::io {
namespace {

const char* hint_for(int errno_value) {
    switch (errno_value) {
        case ENOSPC:
        case EDQUOT:
            return "Free some space, or choose a directory on another disk";
        case EFBIG:
            return "The limit on file sizes (ulimit -f) or of the file system is reached";
        case EROFS:
            return "The file system is read-only: choose another directory";
        case EACCES:
        case EPERM:
            return "Check the permissions of the file and its directory";
        case ENOENT:
        case ENOTDIR:
            return "Check the path";
        case ENAMETOOLONG:
            return "Choose a shorter name";
        case EIO:
            return "The storage device reports a fault: save to another disk";
        case EMFILE:
        case ENFILE:
            return "Too many files are open: raise the limit (ulimit -n)";
        default:
            return "";
    }
}

FileStamp stamp_from(const struct stat& info) {
    return {static_cast<std::uint64_t>(info.st_size),
            static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
            static_cast<std::uint64_t>(info.st_ino)};
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
        close();
        fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
}

int FileDescriptor::close() {
    const int fd = std::exchange(fd_, -1);
    return fd >= 0 && ::close(fd) != 0 ? errno : 0;
}

Error system_error(const std::string& action, const std::filesystem::path& path, int errno_value) {
    const bool missing = errno_value == ENOENT || errno_value == ENOTDIR;
    return Error(missing ? ErrorCode::not_found : ErrorCode::io,
                 "cannot " + action + ": " + std::generic_category().message(errno_value),
                 path.string(), hint_for(errno_value));
}

Error changed_error(const std::filesystem::path& path) {
    return Error(ErrorCode::io, "was changed while it was in use", path.string(),
                 "Leave data files alone while a run reads them, and start the run again");
}

std::string byte_text(std::uint64_t bytes) {
    if (bytes < 1024) return counted(static_cast<std::int64_t>(bytes), "byte");
    const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024;
    int unit = 0;
    while (value >= 1023.95 && unit < 5) {
        value /= 1024;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %s", value, units[unit]);
    return text;
}

InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
    fd_ = FileDescriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!fd_) throw system_error("open", path_, errno);
    struct stat info {};
    if (::fstat(fd_.get(), &info) != 0) throw system_error("read", path_, errno);
    if (!S_ISREG(info.st_mode))
        throw Error(ErrorCode::invalid_argument,
                    S_ISDIR(info.st_mode) ? "is a directory, not a file" : "is not a regular file",
                    path_.string(), "Choose a file");
    stamp_ = stamp_from(info);
}

void InputFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t n = ::pread(fd_.get(), out.data() + done, out.size() - done,
                                  static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw system_error("read", path_, errno);
        if (n == 0)
            throw Error(ErrorCode::format,
                        "ends at byte " + std::to_string(offset + done) + ", " +
                            byte_text(out.size() - done) + " too early",
                        path_.string(), "The file is truncated: download or copy it again");
        done += static_cast<std::size_t>(n);
    }
}

void InputFile::require_unchanged() const {
    struct stat info {};
    if (::stat(path_.c_str(), &info) != 0) throw system_error("read", path_, errno);
    if (stamp_from(info) == stamp_) return;
    throw changed_error(path_);
}

}  // namespace strata::io
