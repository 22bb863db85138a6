#include "engine/io/direct_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace strata::io {
namespace {

constexpr std::uint64_t buffer_bytes = 4 << 20;
static_assert(buffer_bytes % DirectFile::block == 0);

// Direct access is refused like this by a file system that lacks it or wants other alignment.
bool means_unsupported(int errno_value) {
    return errno_value == EINVAL || errno_value == EOPNOTSUPP;
}

off_t position(std::uint64_t offset) {
    return static_cast<off_t>(offset);
}

}  // namespace

DirectFile::DirectFile(std::filesystem::path path, Access access) : path_(std::move(path)) {
    const int flags = (access == Access::write ? O_RDWR : O_RDONLY) | O_CLOEXEC;
    ordinary_ = FileDescriptor(::open(path_.c_str(), flags));
    if (!ordinary_) throw system_error("open", path_, errno);
    direct_ = FileDescriptor(::open(path_.c_str(), flags | O_DIRECT));
    buffer_.reset(static_cast<std::byte*>(std::aligned_alloc(block, buffer_bytes)));
    if (!buffer_) throw std::bad_alloc();
}

std::uint64_t DirectFile::write_blocks(std::uint64_t offset, std::span<const std::byte> bytes) {
    std::uint64_t done = 0;
    while (direct_ && bytes.size() - done >= block) {
        const std::uint64_t size = std::min(buffer_bytes, (bytes.size() - done) / block * block);
        std::memcpy(buffer_.get(), bytes.data() + done, size);
        const ssize_t n = ::pwrite(direct_.get(), buffer_.get(), size, position(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && !means_unsupported(errno)) throw system_error("write", path_, errno);
        const std::uint64_t whole = n < 0 ? 0 : static_cast<std::uint64_t>(n) / block * block;
        if (whole == 0) direct_.close();
        done += whole;
    }
    return done;
}

void DirectFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (offset % block == 0) {
        const std::uint64_t done = write_blocks(offset, bytes);
        offset += done;
        bytes = bytes.subspan(done);
    }
    while (!bytes.empty()) {
        const ssize_t n = ::pwrite(ordinary_.get(), bytes.data(), bytes.size(), position(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw system_error("write", path_, errno);
        offset += static_cast<std::uint64_t>(n);
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
}

void DirectFile::read_at(std::uint64_t offset, std::uint64_t size, const Take& take) {
    const std::uint64_t end = offset + size;
    std::uint64_t at = offset / block * block;
    while (at < end) {
        const std::uint64_t wanted = std::min(buffer_bytes, (end - at + block - 1) / block * block);
        const int fd = direct_ ? direct_.get() : ordinary_.get();
        const ssize_t n = ::pread(fd, buffer_.get(), wanted, position(at));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && direct_ && means_unsupported(errno)) {
            direct_.close();
            continue;
        }
        if (n < 0) throw system_error("read", path_, errno);
        const std::uint64_t read_to = at + static_cast<std::uint64_t>(n);
        if (n == 0)
            throw Error(ErrorCode::format, "is cut off", path_.string(),
                        "Use another file, or copy it again");
        const std::uint64_t from = std::max(at, offset), to = std::min(read_to, end);
        if (to > from) take({buffer_.get() + (from - at), static_cast<std::size_t>(to - from)});
        if (read_to % block != 0 && read_to < end) direct_.close();
        at = read_to;
    }
}

}  // namespace strata::io
