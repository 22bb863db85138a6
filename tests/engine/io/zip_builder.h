// Zip archives made by hand, so that every field may lie.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace strata::testing {

inline std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
    return text;
}

inline std::string deflated(const std::string& data) {
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, data.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

struct ZipEntry {
    std::string name = "a.npy", data = "content";
    bool packed = false;
    std::string stored = {};  // in place of the data or their deflated form
    std::uint16_t flags = 0, made_by = 3 << 8;
    int method = -1;  // -1: 8 where packed, else 0
    std::uint32_t attributes = 0100644U << 16;
    std::int64_t bytes = -1, crc = -1;              // -1: the true ones
    std::string local_name = {};                    // empty: the same
    std::int64_t local_bytes = -1, local_crc = -1;  // -1: the same
    std::int64_t offset = -1;                       // of the local header, -1: the true one
    std::string local_extra = {};
};

struct ZipEnd {
    std::string before = {}, comment = {}, after = {};
    std::int64_t entries = -1, directory_bytes = -1, offset = -1;
    std::uint16_t disk = 0;
};

inline std::string zip_of(const std::vector<ZipEntry>& entries, const ZipEnd& end = {}) {
    std::string file = end.before, directory;
    for (const ZipEntry& e : entries) {
        const std::string stored = !e.stored.empty() ? e.stored
                                   : e.packed        ? deflated(e.data)
                                                     : e.data;
        const auto* data = reinterpret_cast<const Bytef*>(e.data.data());
        const std::uint64_t crc = e.crc >= 0 ? static_cast<std::uint64_t>(e.crc)
                                             : crc32(0, data, static_cast<uInt>(e.data.size()));
        const std::uint64_t bytes =
            e.bytes >= 0 ? static_cast<std::uint64_t>(e.bytes) : e.data.size();
        const int method = e.method >= 0 ? e.method : e.packed ? 8 : 0;
        const std::uint64_t at = e.offset >= 0 ? static_cast<std::uint64_t>(e.offset) : file.size();
        const std::string common =
            little(e.flags, 2) + little(static_cast<unsigned>(method), 2) + little(0, 4);
        const std::string local_name = e.local_name.empty() ? e.name : e.local_name;
        file += "PK\3\4" + little(20, 2) + common +
                little(e.local_crc >= 0 ? static_cast<std::uint64_t>(e.local_crc) : crc, 4) +
                little(e.local_extra.empty() ? stored.size() : 0xFFFFFFFF, 4) +
                little(!e.local_extra.empty() ? 0xFFFFFFFF
                       : e.local_bytes >= 0   ? static_cast<std::uint64_t>(e.local_bytes)
                                              : bytes,
                       4) +
                little(local_name.size(), 2) + little(e.local_extra.size(), 2) + local_name +
                e.local_extra + stored;
        directory += "PK\1\2" + little(e.made_by, 2);
        directory += little(20, 2) + common + little(crc, 4) + little(stored.size(), 4) +
                     little(bytes, 4) + little(e.name.size(), 2) + little(0, 8) +
                     little(e.attributes, 4) + little(at, 4) + e.name;
    }
    const std::uint64_t offset =
        end.offset >= 0 ? static_cast<std::uint64_t>(end.offset) : file.size();
    const std::uint64_t count =
        end.entries >= 0 ? static_cast<std::uint64_t>(end.entries) : entries.size();
    const std::uint64_t length = end.directory_bytes >= 0
                                     ? static_cast<std::uint64_t>(end.directory_bytes)
                                     : directory.size();
    return file + directory + "PK\5\6" + little(end.disk, 2) + little(0, 2) + little(count, 2) +
           little(count, 2) + little(length, 4) + little(offset, 4) +
           little(end.comment.size(), 2) + end.comment + end.after;
}

}  // namespace strata::testing
