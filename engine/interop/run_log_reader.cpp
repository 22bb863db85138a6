#include "engine/interop/run_log_reader.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "engine/interop/event_file.h"
#include "engine/interop/protobuf_fields.h"
#include "engine/io/file.h"

namespace strata::interop {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t chunk_bytes = 1 << 20;
constexpr std::uint64_t longest_record = 256 << 20;
constexpr std::size_t frame_bytes = 16;  // length, its checksum, the data's checksum

std::uint64_t little(std::string_view bytes, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

enum class RecordState { whole, cut, damaged };

struct Record {
    RecordState state = RecordState::cut;
    std::string_view data;
    std::uint64_t needed = frame_bytes;  // bytes in the file, as far as they are known
};

Record next_record(std::string_view bytes) {
    Record record;
    if (bytes.size() < 12) return record;
    const std::uint64_t length = little(bytes, 8);
    const bool good = masked_crc32c(bytes.substr(0, 8)) == little(bytes.substr(8), 4);
    if (!good || length > longest_record) {
        record.state = RecordState::damaged;
        return record;
    }
    record.needed = frame_bytes + length;
    if (bytes.size() < record.needed) return record;
    record.data = bytes.substr(12, length);
    const bool intact = masked_crc32c(record.data) == little(bytes.substr(12 + length), 4);
    record.state = intact ? RecordState::whole : RecordState::damaged;
    return record;
}

// The value of a TensorProto that is one float, or nothing.
std::optional<float> tensor_value(std::string_view message) {
    constexpr std::uint64_t float_type = 1, double_type = 2;
    std::uint64_t type = 0;
    std::string_view content;
    std::optional<float> value;
    for (ProtobufFields fields(message); fields.next();) {
        if (fields.field() == 1 && fields.wire() == 0) type = fields.number();
        if (fields.field() == 2 && !fields.bytes().empty()) {  // TensorShapeProto: a dim is field 2
            ProtobufFields shape(fields.bytes());
            while (shape.next())
                if (shape.field() == 2) return std::nullopt;
        }
        if (fields.field() == 4) content = fields.bytes();
        if (fields.field() == 5 && fields.wire() == 5)
            value = std::bit_cast<float>(static_cast<std::uint32_t>(fields.number()));
        if (fields.field() == 5 && fields.wire() == 2) content = fields.bytes();
        if (fields.field() == 6 && fields.wire() == 1)
            value = static_cast<float>(std::bit_cast<double>(fields.number()));
        if (fields.field() == 6 && fields.wire() == 2) content = fields.bytes();
    }
    if (type == float_type && content.size() == 4)
        value = std::bit_cast<float>(static_cast<std::uint32_t>(little(content, 4)));
    if (type == double_type && content.size() == 8)
        value = static_cast<float>(std::bit_cast<double>(little(content, 8)));
    return type == float_type || type == double_type ? value : std::nullopt;
}

struct Event {
    double wall_time = 0.0;
    std::int64_t step = 0;
    bool start = false;  // SessionLog START
    std::vector<std::string_view> values;
};

bool parse_event(std::string_view message, Event& event) {
    ProtobufFields fields(message);
    while (fields.next()) {
        if (fields.field() == 1 && fields.wire() == 1)
            event.wall_time = std::bit_cast<double>(fields.number());
        if (fields.field() == 2 && fields.wire() == 0)
            event.step = static_cast<std::int64_t>(fields.number());
        if (fields.field() == 5 && fields.wire() == 2)
            for (ProtobufFields summary(fields.bytes()); summary.next();)
                if (summary.field() == 1) event.values.push_back(summary.bytes());
        if (fields.field() == 7 && fields.wire() == 2)
            for (ProtobufFields session(fields.bytes()); session.next();)
                event.start |= session.field() == 1 && session.number() == 1;
    }
    return !fields.damaged();
}

}  // namespace

RunLogReader::RunLogReader(fs::path directory) : directory_(std::move(directory)) {}

void RunLogReader::find_files() {
    std::error_code error;
    for (fs::directory_iterator it(directory_, error), end; !error && it != end;
         it.increment(error)) {
        const fs::path& path = it->path();
        std::error_code ignored;
        if (path.filename().string().find("tfevents") == std::string::npos ||
            !fs::is_regular_file(it->status(ignored)))
            continue;
        const auto place =
            std::lower_bound(files_.begin(), files_.end(), path,
                             [](const LogFile& file, const fs::path& p) { return file.path < p; });
        if (place != files_.end() && place->path == path) continue;
        files_.insert(place, {path, 0, std::numeric_limits<std::int64_t>::max(), false});
    }
}

std::size_t RunLogReader::poll(const LogVisitor& visitor) {
    find_files();
    std::size_t scalars = 0;
    for (std::size_t i = 0; i < files_.size(); ++i)
        if (!files_[i].damaged) scalars += read_file(i, visitor);
    return scalars;
}

std::size_t RunLogReader::read_file(std::size_t index, const LogVisitor& visitor) {
    LogFile& log = files_[index];
    std::optional<io::InputFile> file;
    try {
        file.emplace(log.path);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::not_found) return 0;  // removed since it was listed
        throw;
    }
    std::size_t scalars = 0;
    std::size_t wanted = chunk_bytes;
    std::vector<std::byte> buffer;
    while (log.offset < file->size()) {
        buffer.resize(std::min<std::uint64_t>(wanted, file->size() - log.offset));
        file->read_at(log.offset, buffer);
        std::string_view rest = text_of(buffer);
        Record record;
        while ((record = next_record(rest)).state == RecordState::whole) {
            scalars += read_event(record.data, index, visitor);
            rest.remove_prefix(record.needed);
            log.offset += record.needed;
        }
        if (record.state == RecordState::damaged) {
            log.damaged = true;
            warnings_.push_back(log.path.string() + ": the record at byte " +
                                std::to_string(log.offset) +
                                " has a wrong checksum; what follows it is not read");
            break;
        }
        if (log.offset + record.needed > file->size()) break;
        wanted = std::max<std::size_t>(chunk_bytes, record.needed);
    }
    return scalars;
}

std::size_t RunLogReader::read_event(std::string_view message, std::size_t index,
                                     const LogVisitor& visitor) {
    Event event;
    if (!parse_event(message, event)) return 0;
    if (event.start) {
        files_[index].resume_step = std::min(files_[index].resume_step, event.step);
        if (visitor.restart) visitor.restart(event.step);
    }
    // A process that outlives its successor's start may still write steps that are superseded.
    for (std::size_t later = index + 1; later < files_.size(); ++later)
        if (event.step >= files_[later].resume_step) return 0;
    std::size_t scalars = 0;
    for (const std::string_view value : event.values) {
        std::string_view tag;
        std::optional<float> number;
        for (ProtobufFields fields(value); fields.next();) {
            if (fields.field() == 1) tag = fields.bytes();
            if (fields.field() == 2 && fields.wire() == 5)
                number = std::bit_cast<float>(static_cast<std::uint32_t>(fields.number()));
            if (fields.field() == 8 && fields.wire() == 2) number = tensor_value(fields.bytes());
        }
        if (tag.empty() || !number) continue;
        if (visitor.scalar) visitor.scalar(tag, event.step, *number, event.wall_time);
        ++scalars;
    }
    return scalars;
}

RunLog read_run_log(const fs::path& directory) {
    RunLog log;
    RunLogReader reader(directory);
    reader.poll({[&](std::string_view tag, std::int64_t step, float value, double wall_time) {
                     auto it = log.find(tag);
                     if (it == log.end()) it = log.emplace(std::string(tag), Series()).first;
                     it->second.steps.push_back(step);
                     it->second.values.push_back(value);
                     it->second.wall_times.push_back(wall_time);
                 },
                 [&](std::int64_t step) { drop_from_step(log, step); }});
    return log;
}

void drop_from_step(RunLog& log, std::int64_t step) {
    for (auto it = log.begin(); it != log.end();) {
        Series& series = it->second;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < series.steps.size(); ++i) {
            if (series.steps[i] >= step) continue;
            series.steps[kept] = series.steps[i];
            series.values[kept] = series.values[i];
            series.wall_times[kept++] = series.wall_times[i];
        }
        series.steps.resize(kept);
        series.values.resize(kept);
        series.wall_times.resize(kept);
        it = kept == 0 ? log.erase(it) : std::next(it);
    }
}

}  // namespace strata::interop
