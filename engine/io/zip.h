// Zip archives that others made (.npz, .keras): named members are read into memory, nothing is ever
// extracted. All that can be wrong is looked for when the archive is opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/bounded_reader.h"
#include "engine/io/file.h"

namespace strata::io {

struct ZipLimits {
    std::uint64_t members = 100'000;
    std::uint64_t directory_bytes = 64 << 20;
    std::uint64_t packed_data_bytes = default_byte_budget;  // of all packed members, unpacked
    std::uint64_t ratio = 100;                              // of a packed member above 1 MiB
};

struct ZipMember {
    std::string name;
    bool is_directory = false;
    bool packed = false;  // deflate; else stored as it is
    std::uint32_t crc = 0;
    std::uint64_t packed_bytes = 0, bytes = 0;
    std::uint64_t data_offset = 0;  // in the file
};

class ZipFile {
public:
    // Throws Error{format, unsupported} that names the file and the member for: a name that stands
    // twice, is absolute, or has "..", a backslash or a control character; a link or device;
    // encryption; a packing other than deflate; an expansion beyond the limits; members that lie
    // over one another; a local header that says other than the directory; several disks; anything
    // around the archive.
    explicit ZipFile(std::shared_ptr<const InputFile> file, const ZipLimits& limits = {});

    const std::vector<ZipMember>& members() const { return members_; }
    const ZipMember* find(std::string_view name) const;  // nullptr where there is none
    // "FILE, member 'x'": the place for messages.
    std::string place_of(const ZipMember& member) const;

    // The member's bytes; its checksum is verified. Throws Error{format} where it is damaged or has
    // more than max_bytes.
    std::vector<std::byte> read(const ZipMember& member,
                                std::uint64_t max_bytes = default_byte_budget) const;
    // Verifies the checksum of a stored member without keeping it.
    void verify(const ZipMember& member) const;

    const std::shared_ptr<const InputFile>& file() const { return file_; }

private:
    std::shared_ptr<const InputFile> file_;
    std::vector<ZipMember> members_;
};

}  // namespace strata::io
