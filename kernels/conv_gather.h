// Convolution as gather and matrix product: these kernels turn images (N,H,W,C) into a matrix with
// one row a window position, and a gradient of that matrix back into images. Called by the CUDA
// backend alone, which does the products:
//
//   columns[g]   (positions, kernel_h*kernel_w*C/groups)      positions = N*OH*OW
//   kernel       (kernel_h*kernel_w*C/groups, F)              Keras's (kh,kw,C/groups,F) as it lies
//   y(:, g)     = columns[g] * kernel(:, g)                   (:, g): F/groups columns, leading
//   dimension F dcolumns[g] = dy(:, g) * kernel(:, g)^T dkernel(:, g) = columns[g]^T * dy(:, g)
//
// To bound the workspace, pass the images in chunks: pointers moved on, shape.batch smaller.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/storage.h"
#include "kernels/window.h"

namespace strata::kernels {

constexpr std::int64_t conv_positions(ImageShape x, Window2D w) {
    return std::int64_t{x.batch} * output_height(x, w) * output_width(x, w);
}
constexpr std::int64_t conv_depth(ImageShape x, Window2D w, int groups) {
    return std::int64_t{w.kernel_h} * w.kernel_w * (x.channels / groups);
}
constexpr std::int64_t conv_columns_elements(ImageShape x, Window2D w, int groups) {
    return groups * conv_positions(x, w) * conv_depth(x, w, groups);
}

// True for a 1x1 window of stride 1 without pads and groups: the columns are the images themselves,
// and nothing need be gathered.
constexpr bool conv_columns_are_images(Window2D w, int groups) {
    return groups == 1 && w.kernel_h == 1 && w.kernel_w == 1 && w.stride_h == 1 &&
           w.stride_w == 1 && w.pad_top == 0 && w.pad_left == 0 && w.pad_bottom == 0 &&
           w.pad_right == 0;
}

// columns (groups, positions, depth) from x, of one type of 2 or 4 bytes; 0 where a window lies
// over the edge. Overwrites. cudaErrorInvalidValue where groups does not divide the channels.
cudaError_t conv_gather(void* columns, const void* x, ImageShape shape, Window2D window, int groups,
                        int element_bytes, cudaStream_t stream);

// dx(N,H,W,C) = for each cell the sum of dcolumns over the windows that read it, in a fixed order,
// rounded once. Overwrites.
template <class T>
cudaError_t conv_gather_backward(T* dx, const float* dcolumns, ImageShape shape, Window2D window,
                                 int groups, cudaStream_t stream);

}  // namespace strata::kernels
