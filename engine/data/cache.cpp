#include "engine/data/cache.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

#include "engine/core/error.h"
#include "engine/io/paths.h"

namespace strata::data {
namespace {

constexpr const char* where = "data.pipeline, stage cache";

// Bytes that can be taken without swapping; no limit where the system does not say.
std::uint64_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::uint64_t kibibytes = 0;
    while (file >> key >> kibibytes) {
        if (key == "MemAvailable:") return kibibytes * 1024;
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return UINT64_MAX;
}

// The program's own cache folder, or where it cannot be made, the system's temporary one.
std::filesystem::path cache_folder() {
    std::filesystem::path own = io::cache_directory();
    std::error_code error;
    std::filesystem::create_directories(own, error);
    if (!error && ::access(own.c_str(), W_OK) == 0) return own;
    return std::filesystem::temp_directory_path();
}

// A new file in the folder that has no name any more: it goes when it is closed.
io::FileDescriptor nameless_file(const std::filesystem::path& folder) {
    std::string name = (folder / "samples-XXXXXX").string();
    io::FileDescriptor file(::mkostemp(name.data(), O_CLOEXEC));
    if (!file) throw io::system_error("write a cache of samples", folder, errno);
    ::unlink(name.c_str());
    return file;
}

}  // namespace

SampleCache::SampleCache(CachePlace place, std::int64_t samples, std::size_t sample_bytes,
                         std::size_t note_bytes)
    : sample_bytes_(sample_bytes),
      note_bytes_(note_bytes),
      notes_(static_cast<std::size_t>(samples) * note_bytes),
      present_(static_cast<std::size_t>(samples)) {
    const std::uint64_t bytes = std::uint64_t{sample_bytes} * static_cast<std::uint64_t>(samples);
    if (place == CachePlace::disk) {
        open_file(bytes);
        return;
    }
    const std::uint64_t available = available_memory();
    if (bytes > available)
        throw Error(ErrorCode::out_of_memory,
                    "the samples take " + io::byte_text(bytes) + ", " + io::byte_text(available) +
                        " of memory are free",
                    where, R"(Cache them on disk ("where": "disk"), or leave the stage out)");
    memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
}

void SampleCache::open_file(std::uint64_t bytes) {
    folder_ = cache_folder();
    struct statvfs disk {};
    if (::statvfs(folder_.c_str(), &disk) == 0) {
        const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
        if (bytes > free)
            throw Error(ErrorCode::io,
                        "the samples take " + io::byte_text(bytes) + ", " + folder_.string() +
                            " has " + io::byte_text(free) + " free",
                        where,
                        "Make room, set XDG_CACHE_HOME to a larger disk, or leave the stage out");
    }
    file_ = nameless_file(folder_);
}

void SampleCache::put(std::int64_t sample, const std::byte* bytes, const std::byte* note) {
    const auto index = static_cast<std::size_t>(sample);
    if (memory_) {
        std::memcpy(memory_.get() + index * sample_bytes_, bytes, sample_bytes_);
    } else {
        for (std::size_t done = 0; done < sample_bytes_;) {
            const ssize_t n =
                ::pwrite(file_.get(), bytes + done, sample_bytes_ - done,
                         static_cast<off_t>(std::uint64_t{index} * sample_bytes_ + done));
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) throw io::system_error("write the cache of samples", folder_, errno);
            done += static_cast<std::size_t>(n);
        }
    }
    std::memcpy(notes_.data() + index * note_bytes_, note, note_bytes_);
    present_[index] = 1;
    count_.fetch_add(1, std::memory_order_relaxed);
}

void SampleCache::get(std::int64_t sample, std::byte* bytes, std::byte* note) const {
    const auto index = static_cast<std::size_t>(sample);
    std::memcpy(note, notes_.data() + index * note_bytes_, note_bytes_);
    if (memory_) {
        std::memcpy(bytes, memory_.get() + index * sample_bytes_, sample_bytes_);
        return;
    }
    for (std::size_t done = 0; done < sample_bytes_;) {
        const ssize_t n = ::pread(file_.get(), bytes + done, sample_bytes_ - done,
                                  static_cast<off_t>(std::uint64_t{index} * sample_bytes_ + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            throw io::system_error("read the cache of samples", folder_, n == 0 ? EIO : errno);
        done += static_cast<std::size_t>(n);
    }
}

}  // namespace strata::data
