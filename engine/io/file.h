// What every reader and writer of files shares: an owned descriptor, and errors that name the file.
// Files are opened close-on-exec; a path is a byte string in UTF-8.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "engine/core/error.h"

namespace strata::io {

// Owns a POSIX file descriptor; -1 is none.
class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor() { close(); }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int close();  // 0, or the errno of close(2)

private:
    int fd_ = -1;
};

// Error{not_found} for ENOENT and ENOTDIR, else Error{io}: "cannot <action>: <words of the errno>",
// where = the path, and a way out for a full disk, a read-only directory and a missing permission.
Error system_error(const std::string& action, const std::filesystem::path& path, int errno_value);

// Error{io}: the file was changed while it was in use.
Error changed_error(const std::filesystem::path& path);

std::string byte_text(std::uint64_t bytes);  // "312 bytes", "64.0 KiB", "1.5 GiB"

// What identifies the content of a file without reading it; compared before each epoch.
struct FileStamp {
    std::uint64_t size = 0;  // bytes
    std::int64_t modified_ns = 0;
    std::uint64_t inode = 0;

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// A regular file that is read by position (pread, never mmap); devices, pipes and directories are
// refused. read_at may be called from several threads at once.
class InputFile {
public:
    explicit InputFile(
        std::filesystem::path path);  // throws Error{not_found, io, invalid_argument}

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return stamp_.size; }  // as it was when the file was opened
    const FileStamp& stamp() const { return stamp_; }

    // Fills `out` from byte `offset` on. Throws Error{format} where the file ends before that.
    void read_at(std::uint64_t offset, std::span<std::byte> out) const;
    // Throws Error{io} that names the file if its path now leads to other content than stamp().
    void require_unchanged() const;

private:
    std::filesystem::path path_;
    FileDescriptor fd_;
    FileStamp stamp_;
};

}  // namespace strata::io
