#include "engine/io/bounded_reader.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "engine/io/file.h"

namespace strata::io {
namespace {

constexpr std::size_t chunk_bytes = 256 << 10;
constexpr std::uint64_t ratio_free_bytes = 16 << 20;
constexpr std::uint64_t max_ratio = 250;
constexpr const char* again = "Download or copy the file again";

bool is_gzip(std::byte first, std::byte second) {
    return first == std::byte{0x1f} && second == std::byte{0x8b};
}

Error too_large(const InputFile& file, const std::string& what, std::uint64_t max_bytes) {
    return Error(ErrorCode::format, what + " more than the limit of " + byte_text(max_bytes),
                 file.path().string(), "Is this the right file?");
}

std::vector<std::byte> read_whole(const InputFile& file, std::uint64_t max_bytes) {
    if (file.size() > max_bytes)
        throw too_large(file, "has " + byte_text(file.size()) + ",", max_bytes);
    std::vector<std::byte> bytes(file.size());
    file.read_at(0, bytes);
    return bytes;
}

// Inflates the gzip members of one file, chunk by chunk.
class GzipReader {
public:
    GzipReader(const InputFile& file, std::uint64_t max_bytes)
        : file_(file), max_bytes_(max_bytes), in_(chunk_bytes), out_(chunk_bytes) {
        if (inflateInit2(&stream_, 15 + 16) != Z_OK)
            throw Error(ErrorCode::out_of_memory, "no memory to decompress", file.path().string());
    }
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;
    ~GzipReader() { inflateEnd(&stream_); }

    std::vector<std::byte> read() {
        std::vector<std::byte> result;
        result.reserve(expected_size());
        for (;;) {
            if (stream_.avail_in == 0) refill();
            stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
            stream_.avail_out = static_cast<uInt>(out_.size());
            const int status = inflate(&stream_, Z_NO_FLUSH);
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) fail(status);
            append(result);
            if (status == Z_STREAM_END && !next_member()) return result;
        }
    }

private:
    std::uint64_t consumed() const { return position_ - stream_.avail_in; }

    // The last four bytes of a gzip file are the size of its last member, modulo 2^32: only a hint.
    std::size_t expected_size() const {
        if (file_.size() < 18) return 0;
        std::array<std::byte, 4> tail{};
        file_.read_at(file_.size() - 4, tail);
        std::uint64_t size = 0;
        for (int i = 3; i >= 0; --i)
            size = size << 8 | std::to_integer<std::uint64_t>(tail[static_cast<std::size_t>(i)]);
        return std::min({size, max_bytes_, ratio_free_bytes + 10 * file_.size()});
    }

    void refill() {
        const std::uint64_t n = std::min<std::uint64_t>(chunk_bytes, file_.size() - position_);
        if (n == 0)
            throw Error(ErrorCode::format,
                        "is truncated: the gzip data ends after " + byte_text(file_.size()) +
                            " in the middle",
                        file_.path().string(), again);
        file_.read_at(position_, std::span(in_).first(n));
        position_ += n;
        stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
        stream_.avail_in = static_cast<uInt>(n);
    }

    void append(std::vector<std::byte>& result) const {
        const std::size_t n = out_.size() - stream_.avail_out;
        if (result.size() + n > max_bytes_)
            throw too_large(file_, "holds decompressed", max_bytes_);
        result.insert(result.end(), out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(n));
        if (result.size() > ratio_free_bytes && result.size() / max_ratio > consumed())
            throw Error(ErrorCode::format,
                        "expands more than " + std::to_string(max_ratio) +
                            " to 1, which no data set does: it is refused",
                        file_.path().string(),
                        "If you trust the file, decompress it with gzip -d and use the result");
    }

    // True if another member follows; throws if something else does.
    bool next_member() {
        const std::uint64_t end = consumed();
        if (end == file_.size()) return false;
        std::array<std::byte, 2> magic{};
        if (file_.size() - end >= 2) file_.read_at(end, magic);
        if (!is_gzip(magic[0], magic[1]))
            throw Error(ErrorCode::format,
                        "has " + byte_text(file_.size() - end) +
                            " of something else after the end of its gzip data",
                        file_.path().string(), again);
        inflateReset(&stream_);
        return true;
    }

    [[noreturn]] void fail(int status) const {
        const std::string reason = stream_.msg ? stream_.msg : "unknown reason";
        if (status == Z_MEM_ERROR)
            throw Error(ErrorCode::out_of_memory, "no memory to decompress", file_.path().string());
        if (reason == "incorrect data check" || reason == "incorrect length check")
            throw Error(ErrorCode::format,
                        "is damaged: the checksum of the gzip data does not match",
                        file_.path().string(), again);
        throw Error(ErrorCode::format,
                    "is damaged: bad gzip data before byte " + std::to_string(consumed()) + " (" +
                        reason + ")",
                    file_.path().string(), again);
    }

    const InputFile& file_;
    std::uint64_t max_bytes_;
    std::uint64_t position_ = 0;  // of the file, behind what in_ holds
    std::vector<std::byte> in_, out_;
    z_stream stream_{};
};

}  // namespace

std::vector<std::byte> read_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
    return read_whole(InputFile(path), max_bytes);
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
    const std::vector<std::byte> bytes = read_file(path, max_bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_gzip(const InputFile& file) {
    std::array<std::byte, 2> magic{};
    if (file.size() >= 2) file.read_at(0, magic);
    return is_gzip(magic[0], magic[1]);
}

std::vector<std::byte> read_maybe_gzip(const std::filesystem::path& path, std::uint64_t max_bytes) {
    const InputFile file(path);
    if (!is_gzip(file)) return read_whole(file, max_bytes);
    return GzipReader(file, max_bytes).read();
}

std::vector<std::byte> gzip(std::span<const std::byte> bytes, int level) {
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw Error(ErrorCode::invalid_argument, "no such gzip level: " + std::to_string(level));
    std::vector<std::byte> result;
    std::vector<std::byte> out(chunk_bytes);
    int status = Z_OK;
    do {
        const std::size_t n = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
        stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
        stream.avail_in = static_cast<uInt>(n);
        bytes = bytes.subspan(n);
        do {
            stream.next_out = reinterpret_cast<Bytef*>(out.data());
            stream.avail_out = static_cast<uInt>(out.size());
            status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
            result.insert(result.end(), out.begin(), out.end() - stream.avail_out);
        } while (stream.avail_out == 0);
    } while (!bytes.empty());
    deflateEnd(&stream);
    if (status != Z_STREAM_END) throw Error(ErrorCode::internal, "gzip did not finish");
    return result;
}

}  // namespace strata::io
