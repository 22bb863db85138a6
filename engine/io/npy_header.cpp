#include "engine/io/npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace strata::io {
namespace {

constexpr const char* damaged_hint = "Write the file again with numpy.save";

struct Descr {
    std::string_view code;  // without the byte order
    NumberKind kind;
    std::uint8_t bytes;
};

constexpr std::array<Descr, 12> descrs{{{"f2", NumberKind::floating, 2},
                                        {"f4", NumberKind::floating, 4},
                                        {"f8", NumberKind::floating, 8},
                                        {"i1", NumberKind::integer, 1},
                                        {"i2", NumberKind::integer, 2},
                                        {"i4", NumberKind::integer, 4},
                                        {"i8", NumberKind::integer, 8},
                                        {"u1", NumberKind::unsigned_integer, 1},
                                        {"u2", NumberKind::unsigned_integer, 2},
                                        {"u4", NumberKind::unsigned_integer, 4},
                                        {"u8", NumberKind::unsigned_integer, 8},
                                        {"b1", NumberKind::unsigned_integer, 1}}};

// Reads the dict literal that numpy writes: three keys, texts, booleans and a tuple of integers.
class DictReader {
public:
    DictReader(std::string_view text, const std::string& where) : text_(text), where_(where) {}

    void read(NpyHeader& header) {
        expect('{');
        while (!accept('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr") {
                once(seen_[0], key);
                read_descr(header);
            } else if (key == "fortran_order") {
                once(seen_[1], key);
                header.fortran_order = boolean();
            } else if (key == "shape") {
                once(seen_[2], key);
                header.shape = tuple();
            } else {
                fail("the unknown key '" + printable(key) + "'");
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (!seen_[0] || !seen_[1] || !seen_[2]) fail("a key is missing");
        skip_blanks();
        if (position_ != text_.size()) fail("something follows the closing brace");
    }

private:
    static std::string printable(std::string_view text) {
        std::string out;
        for (const char c : text.substr(0, 60)) out += c >= ' ' && c < 127 ? c : '?';
        return out;
    }

    [[noreturn]] void fail(const std::string& reason) const {
        throw Error(ErrorCode::format, "is no NPY file: bad header (" + reason + ")", where_,
                    damaged_hint);
    }

    void once(bool& seen, std::string_view key) const {
        if (seen) fail("the key '" + std::string(key) + "' stands twice");
        seen = true;
    }

    void skip_blanks() {
        while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n'))
            ++position_;
    }

    bool accept(char c) {
        skip_blanks();
        if (position_ >= text_.size() || text_[position_] != c) return false;
        ++position_;
        return true;
    }

    void expect(char c) {
        if (!accept(c)) fail(std::string("no '") + c + "' at " + std::to_string(position_));
    }

    std::string_view quoted() {
        const char quote = accept('"') ? '"' : '\'';
        if (quote == '\'') expect('\'');
        const std::size_t end = text_.find(quote, position_);
        if (end == std::string_view::npos) fail("a text does not end");
        const std::string_view word = text_.substr(position_, end - position_);
        position_ = end + 1;
        return word;
    }

    bool boolean() {
        skip_blanks();
        for (const bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (text_.substr(position_, word.size()) != word) continue;
            position_ += word.size();
            return value;
        }
        fail("fortran_order is neither True nor False");
    }

    Shape tuple() {
        expect('(');
        std::vector<std::int64_t> dims;
        while (!accept(')')) {
            skip_blanks();
            std::int64_t dim = -1;
            const char* begin = text_.data() + position_;
            const auto [rest, error] = std::from_chars(begin, text_.data() + text_.size(), dim);
            if (error != std::errc() || dim < 0) fail("shape is no tuple of sizes");
            position_ += static_cast<std::size_t>(rest - begin);
            accept('L');  // Python 2's long
            if (dims.size() == Shape::max_rank) fail("more than 8 axes");
            dims.push_back(dim);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return Shape(std::span<const std::int64_t>(dims));
    }

    void read_descr(NpyHeader& header) {
        skip_blanks();
        if (position_ < text_.size() && text_[position_] == '[')
            refuse("a structured dtype", "Save each field as an array of its own");
        const std::string_view descr = quoted();
        const std::string name = "the dtype '" + printable(descr) + "'";
        if (descr.size() < 2) fail(name + " is unknown");
        const std::endian order = descr[0] == '>' ? std::endian::big : std::endian::little;
        for (const Descr& known : descrs)
            if (descr.substr(1) == known.code && std::string_view("<>|=").find(descr[0]) < 4) {
                header.format = {known.kind, known.bytes, order};
                return;
            }
        if (descr.find('O') != std::string_view::npos)
            refuse("Python objects (" + name + ")",
                   "They are never loaded, as they could run code: save an array of numbers");
        refuse(name, "Save float32 or whole numbers (array.astype)");
    }

    [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
        throw Error(ErrorCode::unsupported, "holds " + what + ", which cannot be read", where_,
                    hint);
    }

    std::string_view text_;
    const std::string& where_;
    std::size_t position_ = 0;
    std::array<bool, 3> seen_{};
};

// Bytes of the data, or nothing where they do not fit into 64 bits.
std::optional<std::uint64_t> data_bytes(const NpyHeader& header) {
    std::uint64_t bytes = header.format.bytes;
    for (const std::int64_t dim : header.shape.dims())
        if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(dim), &bytes))
            return std::nullopt;
    return bytes;
}

}  // namespace

std::string npy_magic() {
    return "\x93NUMPY";
}

std::string npy_descr(DType dtype) {
    if (dtype != DType::bfloat16)
        for (const Descr& known : descrs)
            if (format_of(dtype) == NumberFormat{known.kind, known.bytes})
                return (known.bytes == 1 ? "|" : "<") + std::string(known.code);
    throw Error(ErrorCode::unsupported, std::string(name_of(dtype)) + " cannot be written as NPY");
}

NpyHeader parse_npy_header(std::span<const std::byte> content, std::uint64_t file_size,
                           const std::string& where) {
    const std::string_view bytes(reinterpret_cast<const char*>(content.data()), content.size());
    if (bytes.substr(0, 6) != npy_magic() || bytes.size() < 10)
        throw Error(ErrorCode::format, "is not an NPY file", where, "Choose a file of numpy.save");
    const auto byte_at = [&](std::size_t i) { return std::to_integer<std::size_t>(content[i]); };
    const std::size_t version = byte_at(6);
    if (version < 1 || version > 3)
        throw Error(ErrorCode::format, "is NPY of the unknown version " + std::to_string(version),
                    where, damaged_hint);
    const std::size_t start = version == 1 ? 10 : 12;
    std::size_t length = byte_at(8) | byte_at(9) << 8;
    if (version > 1 && content.size() >= start) length |= byte_at(10) << 16 | byte_at(11) << 24;
    if (length > npy_header_limit)
        throw Error(ErrorCode::format,
                    "declares a header of " + std::to_string(length) + " bytes; " +
                        std::to_string(npy_header_limit) + " is the limit",
                    where, damaged_hint);
    if (content.size() < start + length)
        throw Error(ErrorCode::format, "ends within its header", where,
                    "The file is truncated: copy it again");
    NpyHeader header;
    header.data_offset = start + length;
    DictReader(bytes.substr(start, length), where).read(header);
    const auto wanted = data_bytes(header);
    const std::uint64_t there = file_size - header.data_offset;
    if (!wanted || *wanted != there)
        throw Error(ErrorCode::format,
                    "its header says " + header.shape.text() + " of " + name_of(header.format) +
                        (wanted ? " = " + counted(static_cast<std::int64_t>(*wanted), "byte") + ","
                                : std::string(", which is impossibly large,")) +
                        " but " +
                        counted(static_cast<std::int64_t>(there), "byte follows", "bytes follow"),
                    where, "The file is truncated or damaged: copy it again");
    return header;
}

NpyHeader read_npy_header(const InputFile& file, std::uint64_t offset, std::uint64_t size,
                          const std::string& where) {
    std::vector<std::byte> head(std::min<std::uint64_t>(size, npy_prefix_bytes));
    file.read_at(offset, head);
    return parse_npy_header(head, size, where);
}

}  // namespace strata::io
