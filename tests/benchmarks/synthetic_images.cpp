#include "synthetic_images.h"

#include <cmath>
#include <cstdio>
// libjpeg's header needs stdio's names before it.
#include <jpeglib.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace strata::benchmarks {
namespace {

std::vector<std::uint8_t> picture(int side, std::mt19937& random) {
    const auto uniform = [&] { return static_cast<float>(random() % 4096) / 4096; };
    float waves[3][4], discs[6][6];
    for (auto& wave : waves)
        for (float& value : wave) value = uniform();
    for (auto& disc : discs)
        for (float& value : disc) value = uniform();
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const float u = static_cast<float>(x) / static_cast<float>(side);
            const float v = static_cast<float>(y) / static_cast<float>(side);
            float colour[3];
            for (int c = 0; c < 3; ++c)
                colour[c] = 128 + 80 * std::sin(9 * (waves[c][0] * u + waves[c][1] * v) +
                                                6 * waves[c][2] * u * v + 6 * waves[c][3]);
            for (const auto& disc : discs)
                if (std::hypot(u - disc[0], v - disc[1]) < 0.25F * disc[2])
                    for (int c = 0; c < 3; ++c) colour[c] = 0.5F * colour[c] + 127 * disc[3 + c];
            const float grain = static_cast<float>(random() % 25) - 12;
            for (const float value : colour)
                pixels.push_back(
                    static_cast<std::uint8_t>(std::fmin(255, std::fmax(0, value + grain))));
        }
    return pixels;
}

void write_jpeg(const std::filesystem::path& path, const std::vector<std::uint8_t>& pixels,
                int side) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) throw std::runtime_error("cannot write " + path.string());
    jpeg_compress_struct state;
    jpeg_error_mgr errors;
    state.err = jpeg_std_error(&errors);
    jpeg_create_compress(&state);
    jpeg_stdio_dest(&state, file);
    state.image_width = state.image_height = static_cast<JDIMENSION>(side);
    state.input_components = 3;
    state.in_color_space = JCS_RGB;
    jpeg_set_defaults(&state);
    jpeg_set_quality(&state, 90, TRUE);
    jpeg_start_compress(&state, TRUE);
    while (state.next_scanline < state.image_height) {
        auto* row = const_cast<JSAMPLE*>(pixels.data()) +
                    std::size_t{state.next_scanline} * 3 * static_cast<std::size_t>(side);
        jpeg_write_scanlines(&state, &row, 1);
    }
    jpeg_finish_compress(&state);
    jpeg_destroy_compress(&state);
    std::fclose(file);
}

}  // namespace

void make_images(const std::filesystem::path& folder, int count, int side) {
    std::mt19937 random(1);
    for (int i = 0; i < count; ++i) {
        const std::filesystem::path place = folder / ("class" + std::to_string(i % 4));
        std::filesystem::create_directories(place);
        write_jpeg(place / (std::to_string(i) + ".jpg"), picture(side, random), side);
    }
}

}  // namespace strata::benchmarks
