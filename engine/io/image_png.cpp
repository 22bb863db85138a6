// PNG images by libpng, whose errors come by a jump.
#include <png.h>

#include <csetjmp>
#include <cstring>

#include "engine/core/error.h"
#include "engine/io/image_decoders.h"

namespace strata::io {
namespace {

constexpr png_uint_32 longest_side = 0x7FFFFFFF;  // the number of pixels is what is limited
constexpr png_alloc_size_t chunk_bytes = 8 << 20;

struct Input {
    const png_byte* next;
    std::size_t left;
    char message[200];
};

void read_bytes(png_structp png, png_bytep to, std::size_t count) {
    auto* input = static_cast<Input*>(png_get_io_ptr(png));
    if (count > input->left) png_error(png, "it is cut off");
    std::memcpy(to, input->next, count);
    input->next += count;
    input->left -= count;
}

void leave(png_structp png, png_const_charp message) {
    auto* input = static_cast<Input*>(png_get_error_ptr(png));
    std::strncpy(input->message, message, sizeof input->message - 1);
    std::longjmp(*png_set_longjmp_fn(png, std::longjmp, sizeof(std::jmp_buf)), 1);
}

void ignore(png_structp, png_const_charp) {}

class Decoder {
public:
    explicit Decoder(std::span<const std::byte> content)
        : input_{reinterpret_cast<const png_byte*>(content.data()), content.size(), {}} {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input_, leave, ignore);
        if (png_) info_ = png_create_info_struct(png_);
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    ~Decoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

    // No object with a destructor lives in the two functions that a jump may leave.
    bool read_head() {
        if (!info_ || setjmp(png_jmpbuf(png_)) != 0) return false;
        png_set_user_limits(png_, longest_side, longest_side);
        png_set_chunk_malloc_max(png_, chunk_bytes);
        png_set_read_fn(png_, &input_, read_bytes);
        png_read_info(png_, info_);
        return true;
    }
    bool start(bool color) {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_set_expand(png_);
        png_set_strip_16(png_);
        png_set_strip_alpha(png_);
        if (color) png_set_gray_to_rgb(png_);
        png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
        return true;
    }
    bool read_rows(png_bytepp rows) {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_read_image(png_, rows);
        png_read_end(png_, nullptr);
        return true;
    }

    png_uint_32 height() const { return png_get_image_height(png_, info_); }
    png_uint_32 width() const { return png_get_image_width(png_, info_); }
    int channels() const { return png_get_channels(png_, info_); }
    std::size_t row_bytes() const { return png_get_rowbytes(png_, info_); }
    std::string message() const { return input_.message; }

private:
    Input input_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

}  // namespace

void decode_png(std::span<const std::byte> content, int channels, const std::string& where,
                Image& image) {
    Decoder decoder(content);
    if (!decoder.read_head()) damaged_image(decoder.message(), where);
    require_decodable(decoder.height(), decoder.width(), where);
    if (!decoder.start(channels == 3)) damaged_image(decoder.message(), where);
    const std::size_t count = std::size_t{decoder.height()} * decoder.width();
    const int components = decoder.channels();
    if (decoder.row_bytes() !=
            std::size_t{decoder.width()} * static_cast<std::size_t>(components) ||
        (components != 1 && components != 3))
        damaged_image("its pixels have an unknown form", where);
    image.height = decoder.height();
    image.width = decoder.width();
    image.channels = channels;
    image.pixels.resize(count * static_cast<std::size_t>(components));
    std::vector<png_bytep> rows(decoder.height());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = image.pixels.data() + i * decoder.row_bytes();
    if (!decoder.read_rows(rows.data())) damaged_image(decoder.message(), where);
    if (components > channels) to_luminance(image.pixels, count);
}

}  // namespace strata::io
