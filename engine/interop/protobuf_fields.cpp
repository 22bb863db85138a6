#include "engine/interop/protobuf_fields.h"

namespace strata::interop {

bool ProtobufFields::varint(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

bool ProtobufFields::fixed(std::size_t size) {
    if (rest_.size() < size) return false;
    number_ = 0;
    for (std::size_t i = size; i-- > 0;)
        number_ = number_ << 8 | static_cast<unsigned char>(rest_[i]);
    rest_.remove_prefix(size);
    return true;
}

bool ProtobufFields::next() {
    if (rest_.empty() || damaged_) return false;
    std::uint64_t key = 0;
    bool good = varint(key) && key >> 3 != 0 && key >> 3 < (1u << 29);
    field_ = static_cast<std::uint32_t>(key >> 3);
    wire_ = static_cast<std::uint32_t>(key & 7);
    bytes_ = {};
    switch (wire_) {
        case 0:
            good = good && varint(number_);
            break;
        case 1:
            good = good && fixed(8);
            break;
        case 5:
            good = good && fixed(4);
            break;
        case 2: {
            std::uint64_t length = 0;
            good = good && varint(length) && length <= rest_.size();
            if (!good) break;
            bytes_ = rest_.substr(0, length);
            rest_.remove_prefix(length);
            break;
        }
        default:
            good = false;
    }
    damaged_ = !good;
    return good;
}

}  // namespace strata::interop
