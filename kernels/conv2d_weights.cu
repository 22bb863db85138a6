// A convolution's gradients by its kernel and its bias: a product whose depth is the positions of
// the window. The positions are cut into chunks for want of other work to share among the blocks;
// the chunks' sums are added in their order.
#include "kernels/common/conv_tiles.h"

namespace strata::kernels {
namespace {

template <class T>
struct ConvWeightsOperands {
    const T *x, *dy;
    float* sums;  // of a chunk: the kernel, then the bias; null where one chunk is all
    ConvTarget dkernel, dbias;
    ConvGeometry shape;
    int depth;                    // taps * channels of a group: rows of the gradient
    int row_tiles, column_tiles;  // of a group
    int positions, positions_of_chunk;
    std::int64_t chunk_elements;
    bool has_bias;
};

// Where the tiles come from: cells of x, gathered, and dy. The rows of a depth's tile are found
// while the tile before is fetched.
template <class Tile, int Size>
class ConvWeightsSource {
    using T = typename Tile::Source;

public:
    __device__ ConvWeightsSource(const ConvWeightsOperands<T>& o, const ConvAxes& axes,
                                 ConvRow (*rows)[Tile::k], int chunk, int group, int first_row,
                                 int first_column)
        : o_(o),
          axes_(axes),
          rows_(rows),
          begin_(chunk * o.positions_of_chunk),
          end_(o.positions - begin_ < o.positions_of_chunk ? o.positions
                                                           : begin_ + o.positions_of_chunk),
          group_(group),
          first_row_(first_row),
          first_column_(first_column) {
        find_rows(0);
        __syncthreads();
    }

    __device__ int tiles() const { return (end_ - begin_ + Tile::k - 1) / Tile::k; }

    template <class Left, class Right>
    __device__ void fetch(int tile, Left& left, Right& right) {
        const ConvRow* const rows = rows_[tile % 2];
        const int depth = first_row_ + Left::place();
        const bool exists = depth < o_.depth;
        const ConvDepth at =
            exists ? conv_depth(axes_, o_.shape.window.kernel_w, o_.shape.group_channels, depth)
                   : ConvDepth{};
        const T* const x = o_.x + std::int64_t{group_} * o_.shape.group_channels + at.channel;
        left.fetch([&](int line) {
            const int cell = exists ? conv_cell(axes_, rows[line], at.rows, at.cols) : -1;
            return cell < 0 ? Pack<T, Size>{} : load(x + std::int64_t{cell} * o_.shape.x.channels);
        });
        const int column = first_column_ + Right::place();
        const int first = begin_ + tile * Tile::k;
        const T* const dy = o_.dy + std::int64_t{group_} * o_.shape.group_filters + column;
        right.fetch([&](int line) {
            const int position = first + line;
            return position < end_ && column < o_.shape.group_filters
                       ? load(dy + std::int64_t{position} * o_.shape.filters)
                       : Pack<T, Size>{};
        });
        // The first tile comes before the loop's first barrier; nobody reads these rows yet.
        find_rows(tile + 1);
    }

private:
    __device__ static Pack<T, Size> load(const T* from) { return load_pack<Size>(from, 0); }
    __device__ void find_rows(int tile) {
        const int r = static_cast<int>(threadIdx.x);
        const int position = begin_ + tile * Tile::k + r;
        if (r < Tile::k) rows_[tile % 2][r] = conv_row(axes_, position, position < end_);
    }

    const ConvWeightsOperands<T>& o_;
    const ConvAxes& axes_;
    ConvRow (*rows_)[Tile::k];
    int begin_, end_, group_, first_row_, first_column_;
};

template <class Tile, int Size>
using ConvWeightsProduct = BlockProduct<Tile, Along::width, Along::width, Size>;

// A column's sum over a chunk of dy, of which the block sees every tile.
template <class Tile>
class ColumnOfDy {
    static constexpr int parts = block_size / Tile::n;

public:
    __device__ void add(const typename Tile::Element* tile) {
        for (int line = part(); line < Tile::k; line += parts)
            sum_ += to_float(tile[TileLayout<Tile, Tile::n, Along::width>::at(column(), line)]);
    }
    // The column's sum, in the threads of part 0. All threads take part.
    __device__ float total(float* scratch) const {
        scratch[threadIdx.x] = sum_;
        __syncthreads();
        float sum = 0.0F;
        for (int p = 0; p < parts && part() == 0; ++p) sum += scratch[p * Tile::n + column()];
        return sum;
    }
    __device__ static int column() { return static_cast<int>(threadIdx.x) % Tile::n; }
    __device__ static int part() { return static_cast<int>(threadIdx.x) / Tile::n; }

private:
    float sum_ = 0.0F;
};

// Of a chunk's elements the first `weights` are the kernel's.
template <class T>
__device__ void put_gradient(const ConvTarget& dkernel, const ConvTarget& dbias,
                             std::int64_t weights, std::int64_t i, float sum) {
    const ConvTarget& to = i < weights ? dkernel : dbias;
    const std::int64_t at = i < weights ? i : i - weights;
    if (to.is_float32)
        static_cast<float*>(to.data)[at] = sum;
    else
        static_cast<T*>(to.data)[at] = rounded<T>(sum);
}

// Blocks that read the same chunk follow each other, so that they run at once: a kernel deeper or
// wider than one tile is read from the L2 by all of its tiles but the first. One block for all of a
// chunk's tiles would need no L2, but a 3 x 3 kernel of 64 channels and filters has 36864 sums,
// more than half of a multiprocessor's registers, and chunks for all multiprocessors would move
// more in sums than in x and dy.
template <class Tile, int Size>
__global__ void __launch_bounds__(block_size)
    conv_weights_kernel(ConvWeightsOperands<typename Tile::Source> o) {
    if constexpr (has_code<Tile>) {
        using T = typename Tile::Source;
        __shared__ ConvRow rows[2][Tile::k];
        __shared__ float scratch[block_size];
        const int tiles_of_chunk = o.row_tiles * o.column_tiles * o.shape.groups;
        const int chunk = static_cast<int>(blockIdx.x) / tiles_of_chunk;
        const int tile = static_cast<int>(blockIdx.x) % tiles_of_chunk;
        const int group = tile / (o.row_tiles * o.column_tiles);
        const int first_row = tile / o.column_tiles % o.row_tiles * Tile::m;
        const int first_column = tile % o.column_tiles * Tile::n;
        const ConvAxes axes = forward_axes(o.shape);
        ConvWeightsSource<Tile, Size> source(o, axes, rows, chunk, group, first_row, first_column);
        const bool sums_dy = o.has_bias && first_row == 0;
        ColumnOfDy<Tile> dy;
        const float* const sums = ConvWeightsProduct<Tile, Size>::run(
            dynamic_shared<unsigned char>(), source, source.tiles(),
            [&](const typename Tile::Element* right) {
                if (sums_dy) dy.add(right);
            });
        const std::int64_t weights = std::int64_t{o.depth} * o.shape.filters;
        const auto put = [&](std::int64_t i, float sum) {
            if (o.sums != nullptr)
                o.sums[chunk * o.chunk_elements + i] = sum;
            else
                put_gradient<T>(o.dkernel, o.dbias, weights, i, sum);
        };
        const int offset = group * o.shape.group_filters + first_column;
        for (int i = static_cast<int>(threadIdx.x); i < Tile::m * Tile::n; i += block_size) {
            const int row = i / Tile::n;
            const int column = i % Tile::n;
            if (first_row + row >= o.depth || first_column + column >= o.shape.group_filters)
                continue;
            put(std::int64_t{first_row + row} * o.shape.filters + offset + column,
                sums[row * Tile::result_stride + column]);
        }
        if (!sums_dy) return;
        const float total = dy.total(scratch);
        const int column = ColumnOfDy<Tile>::column();
        if (ColumnOfDy<Tile>::part() == 0 && first_column + column < o.shape.group_filters)
            put(weights + offset + column, total);
    }
}

// n elements a chunk.
template <class T, int Size>
__global__ void add_chunks_kernel(ConvTarget dkernel, ConvTarget dbias, const float* sums,
                                  std::int64_t weights, std::int64_t n, int chunks) {
    for (std::int64_t p = first_item(); p < n / Size; p += item_stride()) {
        Pack<float, Size> sum{};
        for (int c = 0; c < chunks; ++c) {
            const auto part = load_pack<Size>(sums + c * n, p);
            for (int k = 0; k < Size; ++k) sum.at[k] += part.at[k];
        }
        for (int k = 0; k < Size; ++k)
            put_gradient<T>(dkernel, dbias, weights, p * Size + k, sum.at[k]);
    }
}

struct Chunks {
    int count, positions;
};

// Enough chunks for a large GPU's blocks, but no more than that their sums, written and read, stay
// small beside x and dy (bytes counted as of 16-bit types), or a chunk would be short. By the shape
// alone: the order of the sums is the same everywhere.
Chunks chunks_of(const ConvShape& s) {
    constexpr std::int64_t blocks = 512, shortest = 128, row_tile = 128, column_tile = 64;
    const std::int64_t depth = std::int64_t{s.taps()} * s.group_channels();
    const std::int64_t tiles =
        ceil_divide(depth, row_tile) * ceil_divide(s.group_filters(), column_tile) * s.groups;
    const std::int64_t operands =
        2 * (std::int64_t{s.x.batch} * s.x.height * s.x.width * s.x.channels +
             s.positions() * s.filters);
    const std::int64_t moved = 2 * 4 * (s.weights() + s.filters);
    const std::int64_t cheap = operands / 5 / moved;
    std::int64_t count = ceil_divide(blocks, tiles);
    if (count > cheap) count = cheap;
    if (count > ceil_divide(s.positions(), shortest)) count = ceil_divide(s.positions(), shortest);
    if (count < 1) count = 1;
    const std::int64_t positions = ceil_divide(s.positions(), count);
    return {static_cast<int>(ceil_divide(s.positions(), positions)), static_cast<int>(positions)};
}

std::int64_t chunk_elements(const ConvShape& s, bool has_bias) {
    return s.weights() + (has_bias ? s.filters : 0);
}

}  // namespace

std::size_t conv_backward_weights_workspace_bytes(const ConvShape& shape) {
    if (!conv_takes(shape)) return 0;
    const int count = chunks_of(shape).count;
    if (count == 1) return 0;
    return static_cast<std::size_t>(count * chunk_elements(shape, true)) * sizeof(float);
}

template <class T>
cudaError_t conv_backward_weights(ConvTarget dkernel, ConvTarget dbias, const T* x, const T* dy,
                                  const ConvShape& shape, bool tensor_cores, void* workspace,
                                  cudaStream_t stream) {
    if (!conv_takes(shape)) return cudaErrorInvalidValue;
    const bool has_bias = dbias.data != nullptr;
    const Chunks chunks = chunks_of(shape);
    const bool direct = chunks.count == 1;
    ConvWeightsOperands<T> o{};
    o.x = x;
    o.dy = dy;
    o.sums = direct ? nullptr : static_cast<float*>(workspace);
    o.dkernel = dkernel;
    o.dbias = dbias;
    o.shape = geometry_of(shape);
    o.depth = shape.taps() * shape.group_channels();
    o.positions = static_cast<int>(shape.positions());
    o.positions_of_chunk = chunks.positions;
    o.chunk_elements = chunk_elements(shape, has_bias);
    o.has_bias = has_bias;
    constexpr int size = pack_size<T>;
    const bool wide = shape.group_channels() % size == 0 && shape.group_filters() % size == 0 &&
                      is_aligned(x, widest_access) && is_aligned(dy, widest_access);
    const cudaError_t error =
        with_conv_tile<T>(shape.group_filters(), wide, tensor_cores, [&](auto tile, auto pack) {
            using Tile = decltype(tile);
            using Product = ConvWeightsProduct<Tile, decltype(pack)::value>;
            o.row_tiles = static_cast<int>(ceil_divide(o.depth, Tile::m));
            o.column_tiles = static_cast<int>(ceil_divide(shape.group_filters(), Tile::n));
            const std::int64_t blocks =
                std::int64_t{chunks.count} * o.row_tiles * o.column_tiles * shape.groups;
            if (blocks > INT32_MAX) return cudaErrorInvalidValue;
            const LaunchShape launch_shape{dim3(static_cast<unsigned>(blocks)), dim3(block_size),
                                           Product::shared_bytes};
            return launch(conv_weights_kernel<Tile, decltype(pack)::value>, launch_shape, stream,
                          o);
        });
    if (error != cudaSuccess || direct) return error;
    const std::int64_t n = o.chunk_elements;
    const auto add = [&](auto wide_add) {
        constexpr int elements = decltype(wide_add)::value;
        return launch(add_chunks_kernel<T, elements>, linear_shape(n / elements), stream, dkernel,
                      dbias, static_cast<const float*>(o.sums), shape.weights(), n, chunks.count);
    };
    if (n % 4 == 0) return add(std::integral_constant<int, 4>{});
    return add(std::integral_constant<int, 1>{});
}

#define STRATA_INSTANTIATE(T)                                                              \
    template cudaError_t conv_backward_weights(ConvTarget, ConvTarget, const T*, const T*, \
                                               const ConvShape&, bool, void*, cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
