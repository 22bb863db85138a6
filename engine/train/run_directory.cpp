#include "engine/train/run_directory.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>

#include "engine/core/error.h"

namespace strata::train {

namespace {

io::FileDescriptor open_directory(const std::string& directory) {
    io::FileDescriptor fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd) throw io::system_error("open", directory, errno);
    return fd;
}

}  // namespace

void DirectoryLock::acquire(const std::string& directory) {
    fd_ = open_directory(directory);
    if (::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw Error(ErrorCode::io, "another run is writing into this directory", directory,
                    "Wait for its end, or choose another directory");
}

bool is_run_active(const std::string& directory) {
    const io::FileDescriptor fd = open_directory(directory);
    return ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void require_unused_directory(const std::string& directory) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".h5") && !name.starts_with("events.out.tfevents")) continue;
        throw Error(ErrorCode::invalid_argument, "this directory holds a run already", directory,
                    "Go on with it by --resume, or choose another");
    }
}

}  // namespace strata::train
