// JPEG images by libjpeg, whose errors come by a jump.
#include <cstdio>
// libjpeg's header needs stdio's names before it.
#include <jerror.h>
#include <jpeglib.h>

#include <csetjmp>
#include <cstring>

#include "engine/core/error.h"
#include "engine/io/image_decoders.h"

namespace strata::io {
namespace {

// A file of a few bytes may ask for any number of passes over the image.
constexpr int most_scans = 500;
constexpr JDIMENSION rows_at_once = 4;

struct Jump {
    jpeg_error_mgr errors;  // first: libjpeg knows this address only
    std::jmp_buf target;
    char message[JMSG_LENGTH_MAX];
    bool bad_data;
};

Jump& jump_of(j_common_ptr state) {
    return *reinterpret_cast<Jump*>(state->err);
}

void leave(j_common_ptr state) {
    state->err->format_message(state, jump_of(state).message);
    std::longjmp(jump_of(state).target, 1);
}

// Bytes between two markers and unusual heads do no harm; all else has spoilt pixels.
void note(j_common_ptr state, int level) {
    if (level >= 0) return;
    const int code = state->err->msg_code;
    if (code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR) return;
    if (!jump_of(state).bad_data) state->err->format_message(state, jump_of(state).message);
    jump_of(state).bad_data = true;
}

void count_scans(j_common_ptr state) {
    if (reinterpret_cast<j_decompress_ptr>(state)->input_scan_number <= most_scans) return;
    std::strcpy(jump_of(state).message, "it has too many scans");
    std::longjmp(jump_of(state).target, 1);
}

class Decoder {
public:
    Decoder() {
        std::memset(&state_, 0, sizeof state_);
        std::memset(&jump_, 0, sizeof jump_);
        std::memset(&progress_, 0, sizeof progress_);
        state_.err = jpeg_std_error(&jump_.errors);
        jump_.errors.error_exit = leave;
        jump_.errors.emit_message = note;
        progress_.progress_monitor = count_scans;
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    ~Decoder() { jpeg_destroy_decompress(&state_); }

    // No object with a destructor lives in the three functions that a jump may leave.
    bool read_head(const unsigned char* content, unsigned long size) {
        if (setjmp(jump_.target) != 0) return false;
        jpeg_create_decompress(&state_);
        state_.progress = &progress_;
        jpeg_mem_src(&state_, content, size);
        return jpeg_read_header(&state_, TRUE) == JPEG_HEADER_OK;
    }
    bool start(J_COLOR_SPACE out) {
        if (setjmp(jump_.target) != 0) return false;
        state_.out_color_space = out;
        jpeg_start_decompress(&state_);
        return true;
    }
    bool read_rows(unsigned char* pixels, std::size_t row_bytes) {
        if (setjmp(jump_.target) != 0) return false;
        while (state_.output_scanline < state_.output_height) {
            JSAMPROW rows[rows_at_once];
            JDIMENSION count = 0;
            for (JDIMENSION y = state_.output_scanline;
                 count < rows_at_once && y < state_.output_height; ++y)
                rows[count++] = pixels + y * row_bytes;
            jpeg_read_scanlines(&state_, rows, count);
        }
        jpeg_finish_decompress(&state_);
        return !jump_.bad_data;
    }

    const jpeg_decompress_struct& state() const { return state_; }
    std::string message() const { return jump_.message; }

private:
    jpeg_decompress_struct state_;
    Jump jump_;
    jpeg_progress_mgr progress_;
};

// CMYK, as Adobe's programs store it: inverted.
void to_rgb(std::vector<std::uint8_t>& pixels, std::size_t count, bool inverted) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto full = [&](std::size_t c) {
            const unsigned value = pixels[4 * i + c];
            return inverted ? value : 255U - value;
        };
        const unsigned key = full(3);
        for (std::size_t c = 0; c < 3; ++c)
            pixels[3 * i + c] = static_cast<std::uint8_t>((full(c) * key + 127U) / 255U);
    }
    pixels.resize(3 * count);
}

}  // namespace

void decode_jpeg(std::span<const std::byte> content, int channels, const std::string& where,
                 Image& image) {
    Decoder decoder;
    if (!decoder.read_head(reinterpret_cast<const unsigned char*>(content.data()), content.size()))
        damaged_image(decoder.message(), where);
    const jpeg_decompress_struct& state = decoder.state();
    require_decodable(state.image_height, state.image_width, where);
    const bool inks = state.jpeg_color_space == JCS_CMYK || state.jpeg_color_space == JCS_YCCK;
    const bool has_luminance =
        state.jpeg_color_space == JCS_YCbCr || state.jpeg_color_space == JCS_GRAYSCALE;
    const J_COLOR_SPACE out = inks                             ? JCS_CMYK
                              : channels == 1 && has_luminance ? JCS_GRAYSCALE
                                                               : JCS_RGB;
    if (!decoder.start(out)) damaged_image(decoder.message(), where);
    const auto components = static_cast<std::size_t>(state.output_components);
    const std::size_t count = std::size_t{state.output_height} * state.output_width;
    image.height = state.output_height;
    image.width = state.output_width;
    image.channels = channels;
    image.pixels.resize(count * components);
    if (!decoder.read_rows(image.pixels.data(), state.output_width * components))
        damaged_image(decoder.message(), where);
    if (inks) to_rgb(image.pixels, count, state.saw_Adobe_marker != 0);
    if (channels == 1 && out != JCS_GRAYSCALE) to_luminance(image.pixels, count);
}

}  // namespace strata::io
