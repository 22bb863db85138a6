#include "engine/interop/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace strata::interop {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t waiting_limit = 64 << 20;  // bytes that wait for room on the disk

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0u);
        table[i] = crc;
    }
    return table;
}
constexpr auto crc_table = make_crc_table();

double now_seconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

template <typename T>
void append_little(std::string& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
}

void append_varint(std::string& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}

void append_text(std::string& out, char key, std::string_view text) {
    out += key;
    append_varint(out, text.size());
    out += text;
}

// Event's wall_time (field 1) and step (field 2; proto3 leaves a zero out).
void append_head(std::string& out, double wall_time, std::int64_t step) {
    out += '\x09';
    append_little(out, std::bit_cast<std::uint64_t>(wall_time));
    if (step == 0) return;
    out += '\x10';
    append_varint(out, static_cast<std::uint64_t>(step));
}

// Summary (field 5) of one Value (field 1) with tag (1) and simple_value (2).
void append_scalar(std::string& out, std::string& value, double wall_time, std::int64_t step,
                   std::string_view tag, float number) {
    value.clear();
    append_text(value, '\x0a', tag);
    value += '\x15';
    append_little(value, std::bit_cast<std::uint32_t>(number));
    append_head(out, wall_time, step);
    std::size_t length = 2;
    for (std::size_t rest = value.size(); rest >= 0x80; rest >>= 7) ++length;
    out += '\x2a';
    append_varint(out, value.size() + length);
    append_text(out, '\x0a', value);
}

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
    for (char& c : name)
        if (c == '/') c = '-';
    return name.data();
}

// The largest <seconds> in a name of an event file in `directory`, or 0.
std::int64_t latest_seconds(const fs::path& directory) {
    constexpr std::string_view mark = "tfevents.";
    std::int64_t latest = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
        const std::string name = entry.path().filename().string();
        const std::size_t at = name.find(mark);
        if (at == std::string::npos) continue;
        latest = std::max<std::int64_t>(latest,
                                        std::strtoll(name.c_str() + at + mark.size(), nullptr, 10));
    }
    return latest;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char c : bytes)
        crc = crc >> 8 ^ crc_table[(crc ^ static_cast<unsigned char>(c)) & 0xff];
    return ~crc;
}

std::uint32_t masked_crc32c(std::string_view bytes) {
    return std::rotr(crc32c(bytes), 15) + 0xA282EAD8u;
}

void append_record(std::string& out, std::string_view data) {
    const std::size_t start = out.size();
    append_little(out, static_cast<std::uint64_t>(data.size()));
    append_little(out, masked_crc32c(std::string_view(out).substr(start, 8)));
    out += data;
    append_little(out, masked_crc32c(data));
}

std::string encode_file_version(double wall_time) {
    std::string event;
    append_head(event, wall_time, 0);
    append_text(event, '\x1a', "brain.Event:2");
    return event;
}

std::string encode_session_start(double wall_time, std::int64_t step) {
    std::string event;
    append_head(event, wall_time, step);
    append_text(event, '\x3a', "\x08\x01");
    return event;
}

std::string encode_scalar(double wall_time, std::int64_t step, std::string_view tag, float value) {
    std::string event, scratch;
    append_scalar(event, scratch, wall_time, step, tag, value);
    return event;
}

EventFile::EventFile(const fs::path& directory, std::optional<std::int64_t> resume_step,
                     EventFileOptions options)
    : options_(options), last_write_(std::chrono::steady_clock::now()) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) throw io::system_error("make the directory", directory, error.value());
    auto seconds =
        std::max(static_cast<std::int64_t>(now_seconds()), latest_seconds(directory) + 1);
    while (!fd_) {
        std::array<char, 24> number{};
        std::snprintf(number.data(), number.size(), "%010lld", static_cast<long long>(seconds++));
        path_ = directory / ("events.out.tfevents." + std::string(number.data()) + "." +
                             host_name() + "." + std::to_string(::getpid()) + ".0");
        fd_ = io::FileDescriptor(
            ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666));
        if (!fd_ && errno != EEXIST) throw io::system_error("create", path_, errno);
    }
    append_event(encode_file_version(now_seconds()));
    if (resume_step) append_event(encode_session_start(now_seconds(), *resume_step));
    try {
        write_pending();
    } catch (const Error&) {
        ::unlink(path_.c_str());
        throw;
    }
}

EventFile::~EventFile() {
    try {
        write_pending();
    } catch (const Error&) {
        return;  // nobody is left who could be told
    }
}

void EventFile::scalar(std::string_view tag, std::int64_t step, float value) {
    scalar(tag, step, value, now_seconds());
}

void EventFile::scalar(std::string_view tag, std::int64_t step, float value, double wall_time) {
    event_.clear();
    append_scalar(event_, value_, wall_time, step, tag, value);
    append_event(event_);
    write_if_due();
}

void EventFile::flush() {
    write_pending();
    failing_ = false;
}

void EventFile::append_event(std::string_view event) {
    if (pending_.size() + event.size() < waiting_limit) append_record(pending_, event);
}

void EventFile::write_if_due() {
    const bool full = pending_.size() >= options_.buffer_bytes && !failing_;
    if (!full && std::chrono::steady_clock::now() - last_write_ < options_.flush_every) return;
    try {
        write_pending();
        failing_ = false;
    } catch (const Error&) {
        if (std::exchange(failing_, true)) return;
        throw;
    }
}

void EventFile::write_pending() {
    last_write_ = std::chrono::steady_clock::now();
    std::size_t done = 0;
    int errno_value = 0;
    while (done < pending_.size() && errno_value == 0) {
        const ssize_t n = ::write(fd_.get(), pending_.data() + done, pending_.size() - done);
        if (n >= 0)
            done += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            errno_value = errno;
    }
    pending_.erase(0, done);
    if (errno_value != 0) throw io::system_error("write the log", path_, errno_value);
}

}  // namespace strata::interop
