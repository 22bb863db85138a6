#include "engine/io/number_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/error.h"

namespace strata::io {
namespace {

// The IEEE half of these bits.
float from_half(std::uint16_t bits) {
    const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
    const int exponent = bits >> 10 & 0x1F;
    const auto fraction = static_cast<float>(bits & 0x3FF);
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    if (exponent == 31)
        return fraction == 0.0F ? sign * std::numeric_limits<float>::infinity()
                                : std::numeric_limits<float>::quiet_NaN();
    return sign * std::ldexp(fraction + 1024.0F, exponent - 25);
}

template <typename T>
T load(const std::byte* from, bool swap) {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    if (swap) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
}

// Calls use(i, value) with each number in its own type.
template <typename T, typename Use>
void for_each(std::span<const std::byte> data, bool swap, const Use& use) {
    for (std::size_t i = 0; (i + 1) * sizeof(T) <= data.size(); ++i)
        use(i, load<T>(data.data() + i * sizeof(T), swap));
}

template <typename Use>
void for_each_whole(std::span<const std::byte> data, const NumberFormat& format, const Use& use) {
    const bool swap = format.order != std::endian::native;
    const bool with_sign = format.kind == NumberKind::integer;
    switch (format.bytes) {
        case 1:
            return with_sign ? for_each<std::int8_t>(data, swap, use)
                             : for_each<std::uint8_t>(data, swap, use);
        case 2:
            return with_sign ? for_each<std::int16_t>(data, swap, use)
                             : for_each<std::uint16_t>(data, swap, use);
        case 4:
            return with_sign ? for_each<std::int32_t>(data, swap, use)
                             : for_each<std::uint32_t>(data, swap, use);
        default:
            return with_sign ? for_each<std::int64_t>(data, swap, use)
                             : for_each<std::uint64_t>(data, swap, use);
    }
}

}  // namespace

std::string name_of(const NumberFormat& format) {
    const std::string bits = std::to_string(8 * format.bytes);
    switch (format.kind) {
        case NumberKind::unsigned_integer:
            return "uint" + bits;
        case NumberKind::integer:
            return "int" + bits;
        case NumberKind::floating:
            break;
    }
    return "float" + bits;
}

std::optional<DType> dtype_of(const NumberFormat& format) {
    for (const DType dtype :
         {DType::float16, DType::float32, DType::float64, DType::int32, DType::int64, DType::uint8})
        if (format_of(dtype, format.order) == format) return dtype;
    return std::nullopt;
}

NumberFormat format_of(DType dtype, std::endian order) {
    const auto bytes = static_cast<std::uint8_t>(size_of(dtype));
    switch (dtype) {
        case DType::uint8:
            return {NumberKind::unsigned_integer, bytes, order};
        case DType::int32:
        case DType::int64:
            return {NumberKind::integer, bytes, order};
        case DType::float16:
        case DType::float32:
        case DType::float64:
            return {NumberKind::floating, bytes, order};
        case DType::bfloat16:
            break;
    }
    throw Error(ErrorCode::internal, "bfloat16 has no format in files of arrays");
}

void to_float32(std::span<const std::byte> data, const NumberFormat& format, float* out) {
    const auto put = [out](std::size_t i, auto value) { out[i] = static_cast<float>(value); };
    if (format.whole()) return for_each_whole(data, format, put);
    const bool swap = format.order != std::endian::native;
    if (format.bytes == 8) return for_each<double>(data, swap, put);
    if (format.bytes == 4) return for_each<float>(data, swap, put);
    for_each<std::uint16_t>(data, swap,
                            [out](std::size_t i, std::uint16_t bits) { out[i] = from_half(bits); });
}

void to_int64(std::span<const std::byte> data, const NumberFormat& format, std::int64_t* out) {
    if (!format.whole()) throw Error(ErrorCode::internal, "floating numbers are not whole");
    for_each_whole(data, format, [out](std::size_t i, auto value) {
        if constexpr (sizeof(value) == 8 && std::is_unsigned_v<decltype(value)>)
            value = std::min<std::uint64_t>(value, INT64_MAX);
        // NOLINTNEXTLINE(bugprone-signed-char-misuse): int8 holds numbers here
        out[i] = static_cast<std::int64_t>(value);
    });
}

}  // namespace strata::io
