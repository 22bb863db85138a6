// JPEG and PNG images that others made, as 8-bit pixels. Used by the source of image folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/io/file.h"

namespace strata::io {

// Above this an image is taken for a bomb (Pillow's limit: 178,956,970 pixels).
inline constexpr std::uint64_t most_pixels = 178'956'970;

enum class ImageKind : std::uint8_t { jpeg, png };

struct ImageInfo {
    ImageKind kind = ImageKind::jpeg;
    std::int64_t height = 0, width = 0;
    // Whether the file ends as such an image does. Where not, decoding tells whether it is whole.
    bool ends_well = false;
};

// By the content, not the name, and without decoding. Throws Error{format} for other content, a
// head that is cut off, and more than most_pixels.
ImageInfo inspect_image(const InputFile& file);

struct Image {
    std::int64_t height = 0, width = 0, channels = 0;
    std::vector<std::uint8_t> pixels;  // row by row, channels together
};

// channels: 1 (luminance) or 3 (RGB). Transparency is dropped, 16 bits become 8 (the upper ones),
// and what stands in the file about gamma, colour profiles and orientation is not applied. The
// image's memory is reused. Throws Error{format} naming `where` for all that is damaged or cut off.
void decode_image(std::span<const std::byte> content, int channels, const std::string& where,
                  Image& image);

}  // namespace strata::io
