#include "engine/io/image.h"

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/io/byte_order.h"
#include "engine/io/image_decoders.h"

namespace strata::io {
namespace {

constexpr std::array<std::uint8_t, 8> png_mark{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
constexpr std::array<std::uint8_t, 12> png_end{0,   0,   0,    0,    'I',  'E',
                                               'N', 'D', 0xAE, 0x42, 0x60, 0x82};
constexpr std::size_t png_head_bytes = 33;  // the mark and the chunk IHDR

template <std::size_t N>
bool begins_with(std::span<const std::byte> bytes, const std::array<std::uint8_t, N>& mark) {
    return bytes.size() >= N &&
           std::equal(mark.begin(), mark.end(), bytes.begin(), [](std::uint8_t a, std::byte b) {
               return a == std::to_integer<std::uint8_t>(b);
           });
}

bool is_jpeg(std::span<const std::byte> bytes) {
    return begins_with(bytes, std::array<std::uint8_t, 3>{0xFF, 0xD8, 0xFF});
}

ImageInfo inspect_png(const InputFile& file) {
    const std::string where = file.path().string();
    if (file.size() < png_head_bytes + png_end.size()) damaged_image("it is cut off", where);
    std::array<std::byte, png_head_bytes> head{};
    file.read_at(0, head);
    const std::span<const std::byte> bytes(head);
    if (load_big_u32(bytes.subspan<12, 4>()) != 0x49484452)
        damaged_image("it does not begin with its size", where);
    ImageInfo info{ImageKind::png, load_big_u32(bytes.subspan<20, 4>()),
                   load_big_u32(bytes.subspan<16, 4>()), false};
    std::array<std::byte, png_end.size()> tail{};
    file.read_at(file.size() - tail.size(), tail);
    info.ends_well = begins_with(tail, png_end);
    return info;
}

// SOF0 to SOF15 hold the size; C4, C8 and CC among them are other markers.
bool is_frame(unsigned marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

ImageInfo inspect_jpeg(const InputFile& file) {
    const std::string where = file.path().string();
    const auto byte = [](std::byte b) { return std::to_integer<unsigned>(b); };
    std::array<std::byte, 9> head{};
    for (std::uint64_t position = 2;;) {
        if (position + head.size() > file.size()) damaged_image("it has no size", where);
        file.read_at(position, head);
        if (byte(head[0]) != 0xFF) damaged_image("its head is not in order", where);
        const unsigned marker = byte(head[1]);
        if (marker == 0xFF) {  // filling
            ++position;
            continue;
        }
        if (is_frame(marker)) break;
        if (marker == 0xDA || marker == 0xD9) damaged_image("it has no size", where);
        const bool alone = marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
        position += alone ? 2 : 2 + (byte(head[2]) << 8 | byte(head[3]));
    }
    ImageInfo info{ImageKind::jpeg, byte(head[5]) << 8 | byte(head[6]),
                   byte(head[7]) << 8 | byte(head[8]), false};
    std::array<std::byte, 2> tail{};
    file.read_at(file.size() - tail.size(), tail);
    info.ends_well = byte(tail[0]) == 0xFF && byte(tail[1]) == 0xD9;
    return info;
}

}  // namespace

void damaged_image(const std::string& reason, const std::string& where) {
    throw Error(ErrorCode::format, "is damaged: " + reason, where,
                "Copy the file again, or remove it");
}

void require_decodable(std::uint64_t height, std::uint64_t width, const std::string& where) {
    if (height == 0 || width == 0) damaged_image("it has no pixels", where);
    if (width <= most_pixels / height) return;
    throw Error(ErrorCode::format,
                "has " + grouped(static_cast<std::int64_t>(width)) + " x " +
                    grouped(static_cast<std::int64_t>(height)) + " pixels; " +
                    grouped(static_cast<std::int64_t>(most_pixels)) + " is the most that is read",
                where, "Make it smaller with an image program");
}

void to_luminance(std::vector<std::uint8_t>& pixels, std::size_t count) {
    // 0.299, 0.587 and 0.114 in units of 1 / 65536.
    for (std::size_t i = 0; i < count; ++i)
        pixels[i] = static_cast<std::uint8_t>((pixels[3 * i] * 19595U + pixels[3 * i + 1] * 38470U +
                                               pixels[3 * i + 2] * 7471U + 32768U) >>
                                              16);
    pixels.resize(count);
}

ImageInfo inspect_image(const InputFile& file) {
    const std::string where = file.path().string();
    std::array<std::byte, png_mark.size()> mark{};
    const std::span<std::byte> head(mark.data(), std::min<std::uint64_t>(file.size(), mark.size()));
    file.read_at(0, head);
    if (head.empty()) damaged_image("it is empty", where);
    if (!begins_with(head, png_mark) && !is_jpeg(head))
        throw Error(ErrorCode::format, "is neither a JPEG nor a PNG image", where,
                    "Save it as one of them, or remove it");
    const ImageInfo info = is_jpeg(head) ? inspect_jpeg(file) : inspect_png(file);
    require_decodable(static_cast<std::uint64_t>(info.height),
                      static_cast<std::uint64_t>(info.width), where);
    return info;
}

void decode_image(std::span<const std::byte> content, int channels, const std::string& where,
                  Image& image) {
    if (is_jpeg(content)) return decode_jpeg(content, channels, where, image);
    if (begins_with(content, png_mark)) return decode_png(content, channels, where, image);
    damaged_image("it is neither a JPEG nor a PNG image", where);
}

}  // namespace strata::io
