// Max pooling of one window with AVX2; pool2d.cpp calls them where isa() has it.
#pragma once

#include <cstdint>

namespace strata::cpu {

// The cells of a window that lie inside the image: where each begins (floats from the image) and
// its position kh * kernel_w + kw.
struct WindowCells {
    std::int64_t count = 0;
    const std::int64_t* at = nullptr;
    const std::uint8_t* position = nullptr;
};

// y and, where not nullptr, argmax of c channels; at least one cell.
void max_window_avx2(const float* image, const WindowCells& cells, std::int64_t c, float* y,
                     std::uint8_t* argmax);

// Each cell of dx = dy where it won (and y > 0, where y is not nullptr), else 0; or that added to
// it.
void max_window_backward_avx2(const float* dy, const std::uint8_t* argmax, const float* y,
                              const WindowCells& cells, std::int64_t c, bool add, float* image);

}  // namespace strata::cpu
