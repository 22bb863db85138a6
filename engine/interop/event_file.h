// Writes a run's log as a TensorBoard event file: the one log for the studio and for TensorBoard.
// Called by the trainer after each update; one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/io/file.h"

namespace strata::interop {

// CRC-32C (Castagnoli, 0x82F63B78 reflected) and TFRecord's mask of it: rotr15(crc) + 0xA282EAD8.
std::uint32_t crc32c(std::string_view bytes);
std::uint32_t masked_crc32c(std::string_view bytes);

// One TFRecord: u64 length, u32 masked crc of it, data, u32 masked crc of the data; little-endian.
void append_record(std::string& out, std::string_view data);

struct EventFileOptions {
    std::size_t buffer_bytes = 64 << 10;         // written when more has gathered,
    std::chrono::milliseconds flush_every{500};  // or when the last write is this long ago
};

// Records go to a buffer and from there to the file by write(2); there is no fsync, so a kill -9
// loses at most what the buffer holds, and a power loss what the kernel holds. On a full disk
// records wait in memory (up to 64 MiB) and are written when there is room again.
class EventFile {
public:
    // Makes events.out.tfevents.<seconds>.<host>.<pid>.<n> in `directory` (made if needed), with a
    // name that sorts after those already there. resume_step: the first step that this file will
    // hold; readers drop that step and later ones of earlier files. Throws Error{io}.
    explicit EventFile(const std::filesystem::path& directory,
                       std::optional<std::int64_t> resume_step = std::nullopt,
                       EventFileOptions options = {});
    EventFile(const EventFile&) = delete;
    EventFile& operator=(const EventFile&) = delete;
    ~EventFile();  // flushes; errors are lost: call flush() to see them

    const std::filesystem::path& path() const { return path_; }

    // tag: "loss", "val_loss", "learning_rate", ...; wall_time: seconds since 1970, now if not
    // given. About 0.2 us. Throws Error{io} once when writing begins to fail, then only from
    // flush().
    void scalar(std::string_view tag, std::int64_t step, float value);
    void scalar(std::string_view tag, std::int64_t step, float value, double wall_time);

    void flush();  // hands everything to the kernel; throws Error{io}

private:
    void append_event(std::string_view event);
    void write_if_due();
    void write_pending();  // throws Error{io}; keeps what was not written

    std::filesystem::path path_;
    io::FileDescriptor fd_;
    EventFileOptions options_;
    std::string pending_, event_, value_;
    std::chrono::steady_clock::time_point last_write_;
    bool failing_ = false;
};

// The bytes of one Event message, for tests and for appending by hand. wall_time in seconds.
std::string encode_file_version(double wall_time);
std::string encode_session_start(double wall_time, std::int64_t step);
std::string encode_scalar(double wall_time, std::int64_t step, std::string_view tag, float value);

}  // namespace strata::interop
