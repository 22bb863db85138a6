// The two libraries behind decode_image(). Used by image.cpp only.
#pragma once

#include "engine/io/image.h"

namespace strata::io {

[[noreturn]] void damaged_image(const std::string& reason, const std::string& where);
// Throws for no pixels and for more than most_pixels.
void require_decodable(std::uint64_t height, std::uint64_t width, const std::string& where);

void decode_jpeg(std::span<const std::byte> content, int channels, const std::string& where,
                 Image& image);
void decode_png(std::span<const std::byte> content, int channels, const std::string& where,
                Image& image);

// Luminance of count RGB pixels, in place: ITU-R BT.601, rounded.
void to_luminance(std::vector<std::uint8_t>& pixels, std::size_t count);

}  // namespace strata::io
