#include "engine/io/zip.h"

#include <zlib.h>

#include <algorithm>
#include <span>

#include "engine/core/error.h"
#include "engine/io/zip_directory.h"

namespace strata::io {
namespace {

constexpr std::size_t chunk_bytes = 1 << 20;
constexpr const char* again = "Get the file again, or save it anew";

std::uint32_t crc_of(std::uint32_t crc, std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(
        crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Inflates one member, whose size is known, piece by piece.
class Inflater {
public:
    explicit Inflater(const std::string& place) : place_(place), in_(chunk_bytes) {
        if (inflateInit2(&stream_, -15) != Z_OK)
            throw Error(ErrorCode::out_of_memory, "no memory to decompress", place);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    void run(const InputFile& file, const ZipMember& member, std::vector<std::byte>& out) {
        std::uint64_t position = member.data_offset;
        const std::uint64_t end = position + member.packed_bytes;
        // One byte more than there should be, so that a longer stream shows itself.
        std::size_t done = 0;
        std::byte beyond{};
        for (int status = Z_OK; status != Z_STREAM_END;) {
            if (stream_.avail_in == 0) {
                const std::uint64_t n = std::min<std::uint64_t>(chunk_bytes, end - position);
                if (n == 0) damaged("its packed data end too early");
                file.read_at(position, std::span(in_).first(n));
                position += n;
                stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
                stream_.avail_in = static_cast<uInt>(n);
            }
            const std::size_t room = std::min<std::size_t>(out.size() - done, std::size_t{1} << 30);
            stream_.next_out = reinterpret_cast<Bytef*>(room > 0 ? out.data() + done : &beyond);
            const uInt given = room > 0 ? static_cast<uInt>(room) : 1;
            stream_.avail_out = given;
            status = inflate(&stream_, Z_NO_FLUSH);
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
                damaged("bad packed data");
            const std::size_t made = given - stream_.avail_out;
            if (room == 0 && made > 0) damaged("it unpacks to more than its size");
            done += made;
        }
        if (done != out.size()) damaged("it unpacks to less than its size");
        if (position != end || stream_.avail_in != 0) damaged("something follows its packed data");
    }

private:
    [[noreturn]] void damaged(const std::string& what) const {
        throw Error(ErrorCode::format, "is damaged: " + what, place_, again);
    }

    const std::string& place_;
    std::vector<std::byte> in_;
    z_stream stream_{};
};

[[noreturn]] void wrong_checksum(const std::string& place) {
    throw Error(ErrorCode::format, "is damaged: its checksum does not match", place, again);
}

}  // namespace

ZipFile::ZipFile(std::shared_ptr<const InputFile> file, const ZipLimits& limits)
    : file_(std::move(file)), members_(read_zip_directory(*file_, limits)) {}

const ZipMember* ZipFile::find(std::string_view name) const {
    for (const ZipMember& member : members_)
        if (member.name == name && !member.is_directory) return &member;
    return nullptr;
}

std::string ZipFile::place_of(const ZipMember& member) const {
    return file_->path().string() + ", member '" + member.name + "'";
}

std::vector<std::byte> ZipFile::read(const ZipMember& member, std::uint64_t max_bytes) const {
    const std::string place = place_of(member);
    if (member.bytes > max_bytes)
        throw Error(
            ErrorCode::format,
            "has " + byte_text(member.bytes) + ", more than the limit of " + byte_text(max_bytes),
            place, "Is this the right file?");
    std::vector<std::byte> bytes(member.bytes);
    if (member.packed)
        Inflater(place).run(*file_, member, bytes);
    else
        file_->read_at(member.data_offset, bytes);
    if (crc_of(0, bytes) != member.crc) wrong_checksum(place);
    return bytes;
}

void ZipFile::verify(const ZipMember& member) const {
    std::vector<std::byte> chunk(std::min<std::uint64_t>(chunk_bytes, member.bytes));
    std::uint32_t crc = 0;
    for (std::uint64_t done = 0; done < member.bytes;) {
        const std::uint64_t n = std::min<std::uint64_t>(chunk.size(), member.bytes - done);
        file_->read_at(member.data_offset + done, std::span(chunk).first(n));
        crc = crc_of(crc, std::span<const std::byte>(chunk).first(n));
        done += n;
    }
    if (crc != member.crc) wrong_checksum(place_of(member));
}

}  // namespace strata::io
