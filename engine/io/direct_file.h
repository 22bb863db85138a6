// Large blocks to and from a file past the page cache: a checkpoint that is written while training
// goes on takes little of the processor's time so, and what is read back comes from the disk.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "engine/io/file.h"

namespace strata::io {

// An existing file; by ordinary calls where the file system has no others. One thread at a time.
class DirectFile {
public:
    enum class Access { read, write };
    static constexpr std::uint64_t block = 4096;  // offsets of large writes are multiples of it

    DirectFile(std::filesystem::path path, Access access);  // throws Error{not_found, io}

    // Throws Error{io}; nothing of the file is to be trusted then.
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);

    // Hands the bytes part by part to `take`. Throws Error{io}; Error{format} where the file ends
    // before `offset + size`.
    using Take = std::function<void(std::span<const std::byte>)>;
    void read_at(std::uint64_t offset, std::uint64_t size, const Take& take);

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };

    // The bytes that were written directly, a multiple of `block`.
    std::uint64_t write_blocks(std::uint64_t offset, std::span<const std::byte> bytes);

    std::filesystem::path path_;
    FileDescriptor ordinary_, direct_;
    std::unique_ptr<std::byte, Free> buffer_;
};

}  // namespace strata::io
