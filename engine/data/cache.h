// Samples kept after they were read once: in memory, or in a file without a name that is gone when
// the program ends, however it ends. Used by the pipeline.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/data/pipeline.h"
#include "engine/io/file.h"

namespace strata::data {

class SampleCache {
public:
    // Throws Error{out_of_memory} or Error{io} where memory or disk have no room for all samples.
    // note_bytes: of what stands beside each sample, its label or its targets.
    SampleCache(CachePlace place, std::int64_t samples, std::size_t sample_bytes,
                std::size_t note_bytes);

    // Several threads may call these at once, for different samples.
    bool has(std::int64_t sample) const { return present_[static_cast<std::size_t>(sample)] != 0; }
    void put(std::int64_t sample, const std::byte* bytes, const std::byte* note);
    void get(std::int64_t sample, std::byte* bytes, std::byte* note) const;  // of one it has

    std::int64_t capacity() const { return static_cast<std::int64_t>(present_.size()); }
    std::int64_t count() const { return count_.load(std::memory_order_relaxed); }

private:
    void open_file(std::uint64_t bytes);

    std::size_t sample_bytes_, note_bytes_;
    std::unique_ptr<std::byte[]> memory_;
    io::FileDescriptor file_;
    std::filesystem::path folder_;  // of the file, for messages
    std::vector<std::byte> notes_;
    std::vector<std::uint8_t> present_;  // bytes, so that threads write apart
    std::atomic<std::int64_t> count_{0};
};

}  // namespace strata::data
