// A file that appears whole or not at all: written beside its place, synced, verified, renamed.
// Used for every file that must survive a crash: checkpoints, projects, exports, pictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/file.h"

namespace strata::io {

// Two uses. Streaming: write(...)..., commit(). With a library that wants a path (HDF5): give it
// temporary_path(), close the library's handle, commit(verify). One thread at a time.
// The target's old content stays until commit() has synced and verified the new one.
class AtomicFile {
public:
    // Reads the closed temporary and throws if it is not what was meant.
    using Verify = std::function<void(const std::filesystem::path& temporary)>;

    // Creates no file yet. expected_bytes > 0: requires 1.2 times that much free space first and
    // names it in errors. Throws Error{io} also if this process is already writing the same target.
    explicit AtomicFile(std::filesystem::path target, std::uint64_t expected_bytes = 0);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();  // removes the temporary unless committed

    const std::filesystem::path& target() const { return target_; }
    const std::filesystem::path& temporary_path() const {
        return temporary_;
    }  // <target>.tmp.<pid>

    void write(std::span<const std::byte> bytes);  // appends; throws Error{io}
    void write(std::string_view text);

    // Notes a failure that a library reported; commit() throws the first one noted.
    void latch(const Error& error);

    // fsync, verify, rename, fsync of the directory. Throws the first error latched, or Error{io};
    // after an error the target is as it was and the object cannot be committed again. An fsync is
    // never repeated: after EIO a second one may falsely succeed. (If only the directory's fsync
    // fails, the new file is in place and the error says so.)
    void commit(const Verify& verify = {});

    // For a new file that nothing depends on yet: it appears at once, and reaches the disk by a
    // later commit(), without verifying. Does nothing where the target exists, or where the file
    // system knows no links: then it appears by commit(). Throws Error{io}.
    void show();

private:
    void open();
    [[noreturn]] void fail(const Error& error);
    [[noreturn]] void fail(const std::string& action, int errno_value);

    std::filesystem::path target_, temporary_;
    std::uint64_t expected_bytes_ = 0, written_ = 0;
    FileDescriptor fd_;
    std::optional<Error> error_;
    bool shown_ = false, committed_ = false;
};

void write_file(const std::filesystem::path& target, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& target, std::string_view text);

// Removes `*.tmp.<pid>` of processes that are gone (or of an earlier process with our own number)
// from `directory`, not below it; returns how many. A directory that does not exist has none.
int sweep_stale(const std::filesystem::path& directory);

// Throws Error{io} unless 1.2 times `bytes` are free where `directory` lies (or its nearest
// existing parent); says how much is needed, free and missing.
void require_free_space(const std::filesystem::path& directory, std::uint64_t bytes);

// Makes `directory` with its parents and proves by a real file that it can be written; to be called
// before the first training step. Throws Error{io}.
void require_writable_directory(const std::filesystem::path& directory);

}  // namespace strata::io
