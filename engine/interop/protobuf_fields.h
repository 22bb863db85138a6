// Walks the fields of one protobuf message in memory. Used by the reader of event files; nothing is
// copied and nothing beyond the message is read.
#pragma once

#include <cstdint>
#include <string_view>

namespace strata::interop {

class ProtobufFields {
public:
    explicit ProtobufFields(std::string_view message) : rest_(message) {}

    // Goes to the next field; false at the end or at damage (see damaged()).
    bool next();

    std::uint32_t field() const { return field_; }
    // Wire type: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes.
    std::uint32_t wire() const { return wire_; }
    std::uint64_t number() const { return number_; }   // of a varint, eight or four bytes
    std::string_view bytes() const { return bytes_; }  // of a length-delimited field
    bool damaged() const { return damaged_; }

private:
    bool varint(std::uint64_t& value);
    bool fixed(std::size_t size);

    std::string_view rest_, bytes_;
    std::uint32_t field_ = 0, wire_ = 0;
    std::uint64_t number_ = 0;
    bool damaged_ = false;
};

}  // namespace strata::interop
