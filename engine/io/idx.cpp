#include "engine/io/idx.h"

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/io/atomic_file.h"
#include "engine/io/byte_order.h"

namespace strata::io {
namespace {

struct Row {
    IdxType type;
    std::size_t size;
    const char* name;
};

constexpr std::array<Row, 6> rows{{{IdxType::uint8, 1, "uint8"},
                                   {IdxType::int8, 1, "int8"},
                                   {IdxType::int16, 2, "int16"},
                                   {IdxType::int32, 4, "int32"},
                                   {IdxType::float32, 4, "float32"},
                                   {IdxType::float64, 8, "float64"}}};

const Row* find_row(std::uint8_t code) {
    for (const Row& row : rows)
        if (static_cast<std::uint8_t>(row.type) == code) return &row;
    return nullptr;
}

const Row& row_of(IdxType type) {
    return *find_row(static_cast<std::uint8_t>(type));
}

Error not_idx(std::span<const std::byte> content, const std::string& where) {
    const bool page = !content.empty() && content[0] == std::byte{'<'};
    return Error(ErrorCode::format, "is not an IDX file", where,
                 page ? "It looks like a web page: the download was answered by an error page, so "
                        "download the file again"
                      : "Choose a file such as train-images-idx3-ubyte or the .gz of it");
}

std::string hex(std::uint8_t value) {
    const char* digits = "0123456789ABCDEF";
    return {'0', 'x', digits[value >> 4], digits[value & 15]};
}

// begin: the file's first bytes, the whole header where the file has it; size: of the file.
IdxHeader parse_header(std::span<const std::byte> begin, std::uint64_t size,
                       const std::string& where) {
    if (begin.size() < 4 || begin[0] != std::byte{0} || begin[1] != std::byte{0})
        throw not_idx(begin, where);
    const auto code = std::to_integer<std::uint8_t>(begin[2]);
    const auto rank = std::to_integer<std::size_t>(begin[3]);
    const Row* row = find_row(code);
    if (!row)
        throw Error(ErrorCode::format, "is no IDX file: unknown element type " + hex(code), where,
                    "The types are 0x08, 0x09, 0x0B, 0x0C, 0x0D and 0x0E");
    if (rank < 1 || rank > Shape::max_rank)
        throw Error(ErrorCode::format, "has rank " + std::to_string(rank), where,
                    "IDX files with 1 to 8 axes can be read");
    const std::size_t header = 4 + 4 * rank;
    if (begin.size() < header)
        throw Error(ErrorCode::format, "ends within its header", where,
                    "The file is truncated: download or copy it again");
    std::array<std::int64_t, Shape::max_rank> dims{};
    std::uint64_t bytes = row->size;
    bool overflow = false;
    for (std::size_t i = 0; i < rank; ++i) {
        dims[i] = load_big_u32(begin.subspan(4 + 4 * i).first<4>());
        overflow |= __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dims[i]), &bytes);
    }
    const Shape shape(std::span<const std::int64_t>(dims.data(), rank));
    if (overflow || bytes != size - header)
        throw Error(
            ErrorCode::format,
            "its header says " + shape.text() + " of " + row->name +
                (overflow ? std::string(", which is impossibly large,")
                          : " = " + counted(static_cast<std::int64_t>(bytes), "byte")) +
                " but " +
                counted(static_cast<std::int64_t>(size - header), "byte follows", "bytes follow"),
            where, "The file is truncated or damaged: download or copy it again");
    return {row->type, shape, header};
}

}  // namespace

std::size_t size_of(IdxType type) {
    return row_of(type).size;
}
const char* name_of(IdxType type) {
    return row_of(type).name;
}

Idx read_idx(const std::filesystem::path& path, std::uint64_t max_bytes) {
    return parse_idx(read_maybe_gzip(path, max_bytes), path.string());
}

Idx parse_idx(std::vector<std::byte> content, const std::string& where) {
    const IdxHeader header = parse_header(content, content.size(), where);
    content.erase(content.begin(),
                  content.begin() + static_cast<std::ptrdiff_t>(header.data_offset));
    convert_order(content, size_of(header.type), std::endian::big);
    return {header.type, header.shape, std::move(content)};
}

IdxHeader read_idx_header(const InputFile& file) {
    std::vector<std::byte> begin(
        std::min<std::uint64_t>(file.size(), 4 + 4 * std::uint64_t{Shape::max_rank}));
    file.read_at(0, begin);
    return parse_header(begin, file.size(), file.path().string());
}

std::vector<std::byte> idx_bytes(const Idx& idx) {
    std::vector<std::byte> content{std::byte{0}, std::byte{0},
                                   std::byte{static_cast<std::uint8_t>(idx.type)},
                                   static_cast<std::byte>(idx.shape.rank())};
    for (const std::int64_t dim : idx.shape.dims())
        for (int shift = 24; shift >= 0; shift -= 8)
            content.push_back(static_cast<std::byte>(dim >> shift & 0xff));
    const std::size_t header = content.size();
    content.insert(content.end(), idx.bytes.begin(), idx.bytes.end());
    convert_order(std::span(content).subspan(header), size_of(idx.type), std::endian::big);
    return content;
}

void write_idx(const std::filesystem::path& path, const Idx& idx) {
    write_file(path, std::span<const std::byte>(idx_bytes(idx)));
}

}  // namespace strata::io
