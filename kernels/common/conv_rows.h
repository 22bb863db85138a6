// The product whose rows are results of a convolution, or cells of its transpose: forward pass and
// data's gradient.
#pragma once

#include "kernels/common/activation_formulas.h"
#include "kernels/common/conv_tiles.h"

namespace strata::kernels {

enum class ConvPass : std::uint8_t { forward, data };

template <class T>
struct ConvRowsOperands {
    ConvTarget result;
    const T* source;  // x or dy
    const T* kernel;
    ConvBias bias;
    Activation f;
    ConvGeometry shape;
    int classes;       // of the strides' remainders; forward 1
    int column_tiles;  // of a group
};

__device__ STRATA_OUT_OF_LINE inline float activate_apart(float x, Activation f) {
    return activate(x, f);
}

// Where the tiles come from: cells of the source, gathered, and the kernel.
template <class Tile, ConvPass Pass, int Size>
class ConvRowsSource {
    using T = typename Tile::Source;

public:
    __device__ ConvRowsSource(const ConvRowsOperands<T>& o, const ConvAxes& axes,
                              const ConvRow* rows, int group, int first_column)
        : o_(o),
          axes_(axes),
          rows_(rows),
          channels_(forward ? o.shape.x.channels : o.shape.filters),
          group_channels_(forward ? o.shape.group_channels : o.shape.group_filters),
          columns_(forward ? o.shape.group_filters : o.shape.group_channels),
          depth_(axes.h.taps * axes.w.taps * group_channels_),
          group_(group),
          first_column_(first_column) {}

    __device__ int tiles() const { return (depth_ + Tile::k - 1) / Tile::k; }

    template <class Left, class Right>
    __device__ void fetch(int tile, Left& left, Right& right) const {
        const int depth = tile * Tile::k + Left::place();
        const bool exists = depth < depth_;
        const ConvDepth at =
            exists ? conv_depth(axes_, o_.shape.window.kernel_w, group_channels_, depth)
                   : ConvDepth{};
        const std::int64_t channel = std::int64_t{group_} * group_channels_ + at.channel;
        left.fetch([&](int row) {
            const int cell = exists ? conv_cell(axes_, rows_[row], at.rows, at.cols) : -1;
            return cell < 0 ? Pack<T, Size>{}
                            : load(o_.source + std::int64_t{cell} * channels_ + channel);
        });
        if constexpr (forward) {
            // All taps in their order: the depth is the kernel's line.
            const int column = first_column_ + Right::place();
            const T* const from = o_.kernel + std::int64_t{group_} * columns_ + column;
            right.fetch([&](int line) {
                const int d = tile * Tile::k + line;
                return d < depth_ && column < columns_
                           ? load(from + std::int64_t{d} * o_.shape.filters)
                           : Pack<T, Size>{};
            });
        } else {
            const T* const from =
                o_.kernel + std::int64_t{at.tap} * columns_ * o_.shape.filters + channel;
            right.fetch([&](int line) {
                const int column = first_column_ + line;
                return exists && column < columns_
                           ? load(from + std::int64_t{column} * o_.shape.filters)
                           : Pack<T, Size>{};
            });
        }
    }

private:
    static constexpr bool forward = Pass == ConvPass::forward;
    __device__ static Pack<T, Size> load(const T* from) { return load_pack<Size>(from, 0); }

    const ConvRowsOperands<T>& o_;
    const ConvAxes& axes_;
    const ConvRow* rows_;
    int channels_, group_channels_;  // of the source
    int columns_;                    // of a group's results
    int depth_, group_, first_column_;
};

// A tile's sums as results; four at once where they may be.
template <class Tile, ConvPass Pass>
class ConvRowsResult {
    using T = typename Tile::Source;

public:
    __device__ ConvRowsResult(const ConvRowsOperands<T>& o, int group, int first_column)
        : o_(o),
          channels_(Pass == ConvPass::forward ? o.shape.filters : o.shape.x.channels),
          columns_(channels_ / o.shape.groups),
          first_column_(first_column),
          offset_(group * columns_ + first_column) {}

    __device__ void write(const float* sums, const ConvRow* rows) const {
        constexpr int packs = Tile::n / size;
        const bool whole = columns_ % size == 0 && is_wide();
        for (int i = static_cast<int>(threadIdx.x); i < Tile::m * packs; i += block_size) {
            const int row = i / packs;
            const int column = i % packs * size;
            if (rows[row].row == no_conv_row || first_column_ + column >= columns_) continue;
            const std::int64_t at = std::int64_t{rows[row].sink} * channels_ + offset_ + column;
            const auto values = finished(sums + row * Tile::result_stride + column, column);
            const int left = columns_ - first_column_ - column;
            if (o_.result.is_float32)
                put(static_cast<float*>(o_.result.data) + at, values, left, whole);
            else
                put(static_cast<T*>(o_.result.data) + at, values, left, whole);
        }
    }

private:
    static constexpr int size = 4;

    __device__ bool is_wide() const {
        const std::size_t bytes = size * (o_.result.is_float32 ? sizeof(float) : sizeof(T));
        return reinterpret_cast<std::uintptr_t>(o_.result.data) % bytes == 0 &&
               channels_ % size == 0;
    }
    __device__ Pack<float, size> finished(const float* sums, int column) const {
        Pack<float, size> values = load_pack<size>(sums, 0);
        if constexpr (Pass == ConvPass::forward) {
            for (int k = 0; k < size; ++k)
                if (first_column_ + column + k < columns_)
                    values.at[k] += bias(offset_ + column + k);
            if (o_.f.kind == ActivationKind::linear) return values;
            for (int k = 0; k < size; ++k) values.at[k] = activate_apart(values.at[k], o_.f);
        }
        return values;
    }
    __device__ float bias(int filter) const {
        if (o_.bias.data == nullptr) return 0.0F;
        return o_.bias.is_float32 ? static_cast<const float*>(o_.bias.data)[filter]
                                  : to_float(static_cast<const T*>(o_.bias.data)[filter]);
    }
    template <class Result>
    __device__ static void put(Result* to, const Pack<float, size>& values, int left, bool whole) {
        if (whole) {
            Pack<Result, size> rounded_values;
            for (int k = 0; k < size; ++k) rounded_values.at[k] = rounded<Result>(values.at[k]);
            store_pack(to, 0, rounded_values);
            return;
        }
        for (int k = 0; k < size && k < left; ++k) to[k] = rounded<Result>(values.at[k]);
    }

    const ConvRowsOperands<T>& o_;
    int channels_, columns_, first_column_, offset_;
};

template <class Tile, ConvPass Pass, int Size>
using ConvRowsProduct =
    BlockProduct<Tile, Along::depth, Pass == ConvPass::forward ? Along::width : Along::depth, Size>;

// Blocks that read the same cells follow each other: the groups and columns of a class, then the
// classes of some rows.
template <class Tile, ConvPass Pass, int Size>
__global__ void __launch_bounds__(block_size)
    conv_rows_kernel(ConvRowsOperands<typename Tile::Source> o) {
    if constexpr (has_code<Tile>) {
        __shared__ ConvRow rows[Tile::m];
        const int columns = o.column_tiles * o.shape.groups;
        const int column = static_cast<int>(blockIdx.x) % columns;
        const int place = static_cast<int>(blockIdx.x) / columns;
        const int kind = place % o.classes;
        const ConvAxes axes = Pass == ConvPass::forward
                                  ? forward_axes(o.shape)
                                  : backward_axes(o.shape, kind / o.shape.window.stride_w,
                                                  kind % o.shape.window.stride_w);
        const int count = o.shape.x.batch * axes.h.sinks * axes.w.sinks;
        const int first_row = place / o.classes * Tile::m;
        if (first_row >= count) return;
        for (int r = static_cast<int>(threadIdx.x); r < Tile::m; r += block_size)
            rows[r] = conv_row(axes, first_row + r, first_row + r < count);
        __syncthreads();
        const int group = column / o.column_tiles;
        const int first_column = column % o.column_tiles * Tile::n;
        ConvRowsSource<Tile, Pass, Size> source(o, axes, rows, group, first_column);
        const float* const sums = ConvRowsProduct<Tile, Pass, Size>::run(
            dynamic_shared<unsigned char>(), source, source.tiles(),
            [](const typename Tile::Element*) {});
        ConvRowsResult<Tile, Pass>(o, group, first_column).write(sums, rows);
    }
}

template <ConvPass Pass, class T>
cudaError_t launch_conv_rows(ConvRowsOperands<T> o, const ConvShape& shape, bool tensor_cores,
                             cudaStream_t stream) {
    if (!conv_takes(shape)) return cudaErrorInvalidValue;
    o.shape = geometry_of(shape);
    const Window2D& w = shape.window;
    const bool forward = Pass == ConvPass::forward;
    o.classes = forward ? 1 : w.stride_h * w.stride_w;
    const int columns = forward ? shape.group_filters() : shape.group_channels();
    const std::int64_t rows = forward ? shape.positions()
                                      : std::int64_t{shape.x.batch} *
                                            ceil_divide(shape.x.height, w.stride_h) *
                                            ceil_divide(shape.x.width, w.stride_w);
    constexpr int size = pack_size<T>;
    const bool wide = shape.group_filters() % size == 0 &&
                      (!forward || shape.group_channels() % size == 0) &&
                      is_aligned(o.source, widest_access) && is_aligned(o.kernel, widest_access);
    return with_conv_tile<T>(columns, wide, tensor_cores, [&](auto tile, auto pack) {
        using Tile = decltype(tile);
        using Product = ConvRowsProduct<Tile, Pass, decltype(pack)::value>;
        o.column_tiles = static_cast<int>(ceil_divide(columns, Tile::n));
        const std::int64_t blocks =
            ceil_divide(rows, Tile::m) * o.classes * o.column_tiles * shape.groups;
        if (blocks > INT32_MAX) return cudaErrorInvalidValue;
        const LaunchShape blocks_of{dim3(static_cast<unsigned>(blocks)), dim3(block_size),
                                    Product::shared_bytes};
        return launch(conv_rows_kernel<Tile, Pass, decltype(pack)::value>, blocks_of, stream, o);
    });
}

}  // namespace strata::kernels
