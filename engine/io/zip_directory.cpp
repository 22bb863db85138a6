#include "engine/io/zip_directory.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "engine/core/error.h"
#include "engine/io/byte_order.h"

namespace strata::io {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50,
                        end64_mark = 0x06064b50, locator64_mark = 0x07064b50;
constexpr std::size_t local_bytes = 30, central_bytes = 46, end_bytes = 22, end64_bytes = 56,
                      locator64_bytes = 20, longest_comment = 65535;
constexpr std::uint32_t in_extra32 = 0xFFFFFFFF;  // the number stands in the zip64 field
constexpr std::uint16_t in_extra16 = 0xFFFF;
constexpr std::uint16_t zip64_field = 0x0001;
constexpr std::uint16_t encrypted_flag = 1 << 0, descriptor_flag = 1 << 3, patch_flag = 1 << 5,
                        strong_flag = 1 << 6, masked_flag = 1 << 13;
constexpr std::uint64_t ratio_free_bytes = 1 << 20;
constexpr std::size_t longest_name = 4096;
constexpr const char* again = "Get the file again, or save it anew";

// Takes little-endian numbers one after the other; reading past the end is an error of the archive.
class Cursor {
public:
    Cursor(Bytes bytes, const InputFile& file) : bytes_(bytes), file_(file) {}

    template <typename T>
    T take() {
        return load_little<T>(take_bytes(sizeof(T)));
    }
    Bytes take_bytes(std::size_t count) {
        if (count > bytes_.size())
            throw Error(ErrorCode::format, "is damaged: its table of contents is cut off",
                        file_.path().string(), again);
        const Bytes part = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return part;
    }
    std::string take_text(std::size_t count) {
        const Bytes part = take_bytes(count);
        return {reinterpret_cast<const char*>(part.data()), part.size()};
    }
    bool empty() const { return bytes_.empty(); }

private:
    Bytes bytes_;
    const InputFile& file_;
};

struct Directory {
    std::uint64_t entries = 0, offset = 0, bytes = 0;
};

// What a header says of a member, in either of its two places.
struct Header {
    std::uint16_t flags = 0, method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed_bytes = 0, bytes = 0, local_offset = 0;
};

class DirectoryReader {
public:
    DirectoryReader(const InputFile& file, const ZipLimits& limits)
        : file_(file), limits_(limits) {}

    std::vector<ZipMember> read() {
        const Directory directory = find_directory();
        std::vector<std::byte> bytes(directory.bytes);
        file_.read_at(directory.offset, bytes);
        Cursor cursor(bytes, file_);
        std::vector<ZipMember> members;
        std::set<std::string> names;
        for (std::uint64_t i = 0; i < directory.entries; ++i) {
            members.push_back(read_entry(cursor, directory));
            if (!names.insert(members.back().name).second)
                refuse(members.back().name, "stands twice in it");
        }
        if (!cursor.empty()) damaged("its table of contents has more than its entries");
        require_apart(members, directory.offset);
        return members;
    }

private:
    [[noreturn]] void damaged(const std::string& what) const {
        throw Error(ErrorCode::format, "is damaged: " + what, file_.path().string(), again);
    }

    // Names of foreign files are shown without their control characters.
    [[noreturn]] void refuse(const std::string& name, const std::string& what,
                             ErrorCode code = ErrorCode::format) const {
        std::string shown;
        for (const char c : name.substr(0, 80))
            shown += static_cast<unsigned char>(c) < ' ' || c == 127 ? '?' : c;
        throw Error(code, "the member '" + shown + "' " + what, file_.path().string(),
                    "The archive is not read: get it from its author again");
    }

    // From the end record, which must be the last thing in the file.
    Directory find_directory() const {
        const std::uint64_t size = file_.size();
        const std::uint64_t length = std::min<std::uint64_t>(size, end_bytes + longest_comment);
        std::vector<std::byte> tail(length);
        file_.read_at(size - length, tail);
        for (std::size_t from_end = end_bytes; from_end <= length; ++from_end) {
            const Bytes record = Bytes(tail).last(from_end);
            if (load_little<std::uint32_t>(record) != end_mark) continue;
            if (load_little<std::uint16_t>(record.subspan(20)) != from_end - end_bytes) continue;
            return parse_end(record, size - from_end);
        }
        throw Error(ErrorCode::format, "is not a zip archive, or is cut off", file_.path().string(),
                    "Choose a file of numpy.savez, or copy the file again");
    }

    Directory parse_end(Bytes record, std::uint64_t position) const {
        Cursor cursor(record.subspan(4), file_);
        const auto disk = cursor.take<std::uint16_t>();
        const auto first_disk = cursor.take<std::uint16_t>();
        const auto entries_here = cursor.take<std::uint16_t>();
        Directory directory;
        directory.entries = cursor.take<std::uint16_t>();
        directory.bytes = cursor.take<std::uint32_t>();
        directory.offset = cursor.take<std::uint32_t>();
        if (disk != 0 || first_disk != 0 || entries_here != directory.entries)
            damaged("it is one of several parts");
        if (directory.entries == in_extra16 || directory.bytes == in_extra32 ||
            directory.offset == in_extra32)
            position = parse_end64(position, directory);
        if (directory.entries > limits_.members)
            damaged("it has " + std::to_string(directory.entries) + " members, " +
                    std::to_string(limits_.members) + " is the limit");
        if (directory.bytes > limits_.directory_bytes)
            damaged("its table of contents has " + byte_text(directory.bytes));
        if (directory.offset > position || directory.bytes != position - directory.offset)
            damaged("its table of contents is not where it should be");
        return directory;
    }

    // The position of the zip64 end record, where the directory must end.
    std::uint64_t parse_end64(std::uint64_t end, Directory& directory) const {
        if (end < locator64_bytes + end64_bytes) damaged("its zip64 record is missing");
        std::array<std::byte, locator64_bytes> locator{};
        file_.read_at(end - locator64_bytes, locator);
        const auto position = load_little<std::uint64_t>(Bytes(locator).subspan(8));
        if (load_little<std::uint32_t>(locator) != locator64_mark ||
            position != end - locator64_bytes - end64_bytes)
            damaged("its zip64 record is not where it should be");
        std::array<std::byte, end64_bytes> record{};
        file_.read_at(position, record);
        Cursor cursor(record, file_);
        if (cursor.take<std::uint32_t>() != end64_mark ||
            cursor.take<std::uint64_t>() != end64_bytes - 12)
            damaged("its zip64 record is of an unknown form");
        cursor.take_bytes(4);
        const auto disks = cursor.take<std::uint64_t>();
        const auto entries_here = cursor.take<std::uint64_t>();
        directory.entries = cursor.take<std::uint64_t>();
        directory.bytes = cursor.take<std::uint64_t>();
        directory.offset = cursor.take<std::uint64_t>();
        if (disks != 0 || entries_here != directory.entries) damaged("it is one of several parts");
        return position;
    }

    ZipMember read_entry(Cursor& cursor, const Directory& directory) {
        if (cursor.take<std::uint32_t>() != central_mark)
            damaged("an entry of its table of contents has no mark");
        const auto made_by = cursor.take<std::uint16_t>();
        cursor.take_bytes(2);
        Header header = take_common(cursor);
        const auto name_length = cursor.take<std::uint16_t>();
        const auto extra_length = cursor.take<std::uint16_t>();
        const auto comment_length = cursor.take<std::uint16_t>();
        const auto disk = cursor.take<std::uint16_t>();
        cursor.take_bytes(2);
        const auto attributes = cursor.take<std::uint32_t>();
        header.local_offset = cursor.take<std::uint32_t>();
        const std::string name = cursor.take_text(name_length);
        take_zip64(cursor.take_bytes(extra_length), header);
        cursor.take_bytes(comment_length);
        if (disk != 0) refuse(name, "lies in another part of the archive");
        check_name(name);
        check_kind(name, made_by, attributes);
        check_packing(name, header);
        ZipMember member{name,       name.back() == '/',  header.method != 0,
                         header.crc, header.packed_bytes, header.bytes,
                         0};
        if (member.is_directory && member.bytes != 0) refuse(name, "is a folder with content");
        member.data_offset = check_local(name, header, directory);
        return member;
    }

    static Header take_common(Cursor& cursor) {
        Header header;
        header.flags = cursor.take<std::uint16_t>();
        header.method = cursor.take<std::uint16_t>();
        cursor.take_bytes(4);  // time and date
        header.crc = cursor.take<std::uint32_t>();
        header.packed_bytes = cursor.take<std::uint32_t>();
        header.bytes = cursor.take<std::uint32_t>();
        return header;
    }

    // Numbers that did not fit into 32 bits, in the order of the header.
    void take_zip64(Bytes extra, Header& header) const {
        Cursor fields(extra, file_);
        while (!fields.empty()) {
            const auto id = fields.take<std::uint16_t>();
            Cursor field(fields.take_bytes(fields.take<std::uint16_t>()), file_);
            if (id != zip64_field) continue;
            for (std::uint64_t* number :
                 {&header.bytes, &header.packed_bytes, &header.local_offset})
                if (*number == in_extra32) *number = field.take<std::uint64_t>();
        }
    }

    void check_name(const std::string& name) const {
        if (name.empty() || name.size() > longest_name) refuse(name, "has no name, or a huge one");
        for (const char c : name)
            if (static_cast<unsigned char>(c) < ' ' || c == 127)
                refuse(name, "has control characters in its name");
        if (name.find('\\') != std::string::npos) refuse(name, "has a backslash in its name");
        if (name.front() == '/' || (name.size() > 1 && name[1] == ':'))
            refuse(name, "has an absolute name");
        for (std::size_t from = 0; from <= name.size();) {
            const std::size_t end = std::min(name.find('/', from), name.size());
            if (name.substr(from, end - from) == "..") refuse(name, "leads out of the archive");
            from = end + 1;
        }
    }

    void check_kind(const std::string& name, std::uint16_t made_by,
                    std::uint32_t attributes) const {
        constexpr std::uint32_t type_mask = 0170000, regular = 0100000, directory = 0040000;
        const std::uint32_t type = attributes >> 16 & type_mask;
        if (made_by >> 8 != 3) return;  // not from a Unix: it knows no kinds
        if (type != 0 && type != regular && type != directory)
            refuse(name, "is a link or a device, not a file");
    }

    void check_packing(const std::string& name, const Header& header) {
        if ((header.flags & (encrypted_flag | strong_flag | masked_flag)) != 0)
            refuse(name, "is encrypted", ErrorCode::unsupported);
        if ((header.flags & patch_flag) != 0 || (header.method != 0 && header.method != 8))
            refuse(
                name,
                "is packed with method " + std::to_string(header.method) + "; only deflate is read",
                ErrorCode::unsupported);
        if (header.method == 0) {
            if (header.bytes != header.packed_bytes) refuse(name, "has two sizes");
            return;
        }
        if (header.bytes > ratio_free_bytes && header.bytes / limits_.ratio > header.packed_bytes)
            refuse(name, "expands more than " + std::to_string(limits_.ratio) +
                             " to 1, which no data do");
        if (__builtin_add_overflow(unpacked_, header.bytes, &unpacked_) ||
            unpacked_ > limits_.packed_data_bytes)
            refuse(name,
                   "brings the unpacked data to more than " + byte_text(limits_.packed_data_bytes));
    }

    // Where the member's data begin. The two headers must tell the same.
    std::uint64_t check_local(const std::string& name, const Header& header,
                              const Directory& directory) const {
        if (header.local_offset > directory.offset ||
            directory.offset - header.local_offset < local_bytes)
            refuse(name, "lies outside the archive");
        std::array<std::byte, local_bytes> fixed{};
        file_.read_at(header.local_offset, fixed);
        Cursor cursor(fixed, file_);
        if (cursor.take<std::uint32_t>() != local_mark) refuse(name, "has no header of its own");
        cursor.take_bytes(2);
        Header local = take_common(cursor);
        const auto name_length = cursor.take<std::uint16_t>();
        const auto extra_length = cursor.take<std::uint16_t>();
        const std::uint64_t begin = header.local_offset + local_bytes;
        const std::uint64_t data = begin + name_length + extra_length;
        if (data > directory.offset || header.packed_bytes > directory.offset - data)
            refuse(name, "reaches beyond the archive");
        std::vector<std::byte> rest(std::size_t{name_length} + extra_length);
        file_.read_at(begin, rest);
        Cursor names(rest, file_);
        if (names.take_text(name_length) != name)
            refuse(name, "has another name in its own header");
        take_zip64(names.take_bytes(extra_length), local);
        // A writer that could not go back has left zeros, and the numbers behind the data.
        const bool later = (header.flags & descriptor_flag) != 0 && local.crc == 0 &&
                           local.bytes == 0 && local.packed_bytes == 0;
        const bool equal = local.crc == header.crc && local.bytes == header.bytes &&
                           local.packed_bytes == header.packed_bytes;
        if (local.flags != header.flags || local.method != header.method || (!equal && !later))
            refuse(name, "has another size, checksum or packing in its own header");
        return data;
    }

    // No byte belongs to two members.
    void require_apart(const std::vector<ZipMember>& members, std::uint64_t end) const {
        std::vector<const ZipMember*> order;
        for (const ZipMember& member : members) order.push_back(&member);
        std::sort(order.begin(), order.end(),
                  [](const auto* a, const auto* b) { return a->data_offset < b->data_offset; });
        for (std::size_t i = 0; i < order.size(); ++i) {
            const ZipMember& member = *order[i];
            // The next one's header lies between its data and this one's.
            const std::uint64_t limit =
                i + 1 < order.size()
                    ? order[i + 1]->data_offset - local_bytes - order[i + 1]->name.size()
                    : end;
            if (member.data_offset + member.packed_bytes > limit)
                refuse(member.name, "lies over another one");
        }
    }

    const InputFile& file_;
    const ZipLimits& limits_;
    std::uint64_t unpacked_ = 0;
};

}  // namespace

std::vector<ZipMember> read_zip_directory(const InputFile& file, const ZipLimits& limits) {
    return DirectoryReader(file, limits).read();
}

}  // namespace strata::io
