// A product of two matrices by a block of threads, tile after tile through shared memory: in
// float32 by multiply-add, or on the tensor cores. The kernel says where the elements come from,
// and the sums are left in shared memory for what it does with them. Used by the convolutions.
#pragma once

#include <mma.h>

#include "kernels/common/storage.h"

namespace strata::kernels {

enum class TileMath : std::uint8_t {
    fma,    // float32
    tensor  // 16-bit types as they are, float32 rounded to TF32; sums in float32
};

// The oldest architecture that this pass of the compiler makes code for; on the host all of them.
#ifdef __CUDA_ARCH__
inline constexpr int compiled_architecture = __CUDA_ARCH__;
#else
inline constexpr int compiled_architecture = 10000;
#endif

// Ten times the compute capability from which tensor cores take T.
template <class T>
inline constexpr int tensor_capability = std::is_same_v<T, Float16> ? 70 : 80;

// Sums (m, n) over a depth that is cut into tiles of k. A pad of 16 bytes a line keeps neighbouring
// lines in different banks.
template <class T, TileMath Math, int N>
struct Tile {
    using Source = T;
    static constexpr bool on_tensor_cores = Math == TileMath::tensor;
    using Element = std::conditional_t<on_tensor_cores, T, float>;  // in shared memory
    static constexpr int m = 128, n = N, k = sizeof(Element) == 2 ? 32 : 16;
    static constexpr int pad = 16 / static_cast<int>(sizeof(Element));
    static constexpr int result_stride = n + 4;
};

// Which index of a tile (width, depth) runs fastest, in device and in shared memory; width is m of
// the left matrix, n of the right one.
enum class Along : std::uint8_t { depth, width };

template <class Tile, int Width, Along A>
struct TileLayout {
    using Element = typename Tile::Element;
    static constexpr int line = A == Along::depth ? Tile::k : Width;
    static constexpr int lines = A == Along::depth ? Width : Tile::k;
    static constexpr int stride = line + Tile::pad;
    static constexpr int elements = stride * lines;

    __device__ static int at(int width, int depth) {
        return A == Along::depth ? width * stride + depth : depth * stride + width;
    }
};

// A tile on its way from device to shared memory, in the registers of the block's threads, Size
// elements of a line at once.
template <class Tile, class Layout, int Size>
class TileOnItsWay {
    using T = typename Tile::Source;
    using Element = typename Tile::Element;
    static constexpr int packs = Layout::line / Size;  // a line; divides the threads
    static constexpr int together = block_size / packs;
    static constexpr int count = (Layout::lines + together - 1) / together;

public:
    // The first element of the thread's packs, in each of its lines.
    __device__ static int place() { return static_cast<int>(threadIdx.x) % packs * Size; }

    // read(line) gives the pack that begins at place().
    template <class Read>
    __device__ void fetch(Read read) {
        STRATA_UNROLL
        for (int i = 0; i < count; ++i) {
            const int line = first_line() + i * together;
            if (line < Layout::lines) held_[i] = read(line);
        }
    }
    __device__ void put(Element* tile) const {
        STRATA_UNROLL
        for (int i = 0; i < count; ++i) {
            const int line = first_line() + i * together;
            if (line < Layout::lines) put_pack(tile + line * Layout::stride + place(), held_[i]);
        }
    }

private:
    __device__ static int first_line() { return static_cast<int>(threadIdx.x) / packs; }
    __device__ static void put_pack(Element* to, const Pack<T, Size>& values) {
        Pack<Element, Size> wide;
        STRATA_UNROLL
        for (int k = 0; k < Size; ++k) {
            if constexpr (std::is_same_v<T, Element>)
                wide.at[k] = values.at[k];
            else
                wide.at[k] = to_float(values.at[k]);
        }
        store_wide(to, wide);
    }
    __device__ static void store_wide(Element* to, const Pack<Element, Size>& values) {
        constexpr int most = Size < pack_size<Element> ? Size : pack_size<Element>;
        for (int k = 0; k < Size; k += most) {
            Pack<Element, most> part;
            for (int i = 0; i < most; ++i) part.at[i] = values.at[k + i];
            store_pack(to + k, 0, part);
        }
    }

    Pack<T, Size> held_[count] = {};
};

// Sums in float32, rows x cols of them a thread.
template <class Tile, Along A, Along B>
class FmaSums {
    using Left = TileLayout<Tile, Tile::m, A>;
    using Right = TileLayout<Tile, Tile::n, B>;
    static constexpr int rows = Tile::n >= 64 ? 8 : 4;
    static constexpr int across = Tile::m / rows;      // threads
    static constexpr int along = block_size / across;  // threads
    static constexpr int cols = Tile::n / along;
    static constexpr int step = 4;  // of the depth

public:
    __device__ void add(const float* a, const float* b) {
        for (int k = 0; k < Tile::k; k += step) {
            float left[step][rows];
            float right[step][cols];
            load_left(left, a, k);
            load_right(right, b, k);
            STRATA_UNROLL
            for (int s = 0; s < step; ++s) {
                STRATA_UNROLL
                for (int i = 0; i < rows; ++i) {
                    STRATA_UNROLL
                    for (int j = 0; j < cols; ++j) sums_[i][j] += left[s][i] * right[s][j];
                }
            }
        }
    }
    __device__ void put(float* result) const {
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j)
                result[(first_row() + i) * Tile::result_stride + column(j)] = sums_[i][j];
    }

private:
    __device__ static int first_row() { return static_cast<int>(threadIdx.x) / along * rows; }
    // Neighbouring threads read neighbouring banks in either layout.
    __device__ static int column(int j) {
        const int place = static_cast<int>(threadIdx.x) % along;
        return B == Along::depth ? place + j * along : place * cols + j;
    }
    __device__ static void load_left(float (&values)[step][rows], const float* a, int k) {
        if constexpr (A == Along::depth) {
            for (int i = 0; i < rows; ++i) {
                const auto pack = load_pack<step>(a + Left::at(first_row() + i, k), 0);
                for (int s = 0; s < step; ++s) values[s][i] = pack.at[s];
            }
        } else {
            for (int s = 0; s < step; ++s) {
                for (int i = 0; i < rows; i += 4) {
                    const auto pack = load_pack<4>(a + Left::at(first_row() + i, k + s), 0);
                    for (int q = 0; q < 4; ++q) values[s][i + q] = pack.at[q];
                }
            }
        }
    }
    __device__ static void load_right(float (&values)[step][cols], const float* b, int k) {
        if constexpr (B == Along::depth) {
            for (int j = 0; j < cols; ++j) {
                const auto pack = load_pack<step>(b + Right::at(column(j), k), 0);
                for (int s = 0; s < step; ++s) values[s][j] = pack.at[s];
            }
        } else {
            for (int s = 0; s < step; ++s) {
                const auto pack = load_pack<cols>(b + Right::at(column(0), k + s), 0);
                for (int j = 0; j < cols; ++j) values[s][j] = pack.at[j];
            }
        }
    }

    float sums_[rows][cols] = {};
};

// The types of a fragment's elements, and the depth of one instruction.
template <class T>
struct FragmentOf {
    using Element = __half;
    static constexpr int k = 16;
};
template <>
struct FragmentOf<BFloat16> {
    using Element = __nv_bfloat16;
    static constexpr int k = 16;
};

// float32 is rounded to TF32 on its way into a fragment. Older architectures have no such type.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template <>
struct FragmentOf<float> {
    using Element = nvcuda::wmma::precision::tf32;
    static constexpr int k = 8;
    __device__ static float rounded(float x) { return nvcuda::wmma::__float_to_tf32(x); }
};
#endif

// Sums on the tensor cores: the block's 8 warps share the tile in rectangles of 16 x 16.
template <class Tile, Along A, Along B>
class TensorSums {
    using T = typename Tile::Element;
    using Kind = FragmentOf<T>;
    using Left = TileLayout<Tile, Tile::m, A>;
    using Right = TileLayout<Tile, Tile::n, B>;
    static constexpr int side = 16;
    static constexpr int warps = block_size / warp_size;
    static constexpr int along = Tile::n >= 64 ? 2 : 1;  // warps
    static constexpr int rows = Tile::m * along / warps / side;
    static constexpr int cols = Tile::n / along / side;
    template <Along L, bool Transposed>
    using Order = std::conditional_t<(L == Along::depth) != Transposed, nvcuda::wmma::row_major,
                                     nvcuda::wmma::col_major>;
    using LeftFragment = nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, side, side, Kind::k,
                                                typename Kind::Element, Order<A, false>>;
    using RightFragment = nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, side, side, Kind::k,
                                                 typename Kind::Element, Order<B, true>>;

public:
    __device__ TensorSums() {
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j) nvcuda::wmma::fill_fragment(sums_[i][j], 0.0F);
    }
    __device__ void add(const T* a, const T* b) {
        for (int k = 0; k < Tile::k; k += Kind::k) {
            LeftFragment left[rows];
            RightFragment right[cols];
            for (int i = 0; i < rows; ++i)
                load<Left>(left[i], a + Left::at(first_row() + i * side, k));
            for (int j = 0; j < cols; ++j)
                load<Right>(right[j], b + Right::at(first_column() + j * side, k));
            for (int i = 0; i < rows; ++i)
                for (int j = 0; j < cols; ++j)
                    nvcuda::wmma::mma_sync(sums_[i][j], left[i], right[j], sums_[i][j]);
        }
    }
    __device__ void put(float* result) const {
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < cols; ++j)
                nvcuda::wmma::store_matrix_sync(
                    result + (first_row() + i * side) * Tile::result_stride + first_column() +
                        j * side,
                    sums_[i][j], Tile::result_stride, nvcuda::wmma::mem_row_major);
    }

private:
    template <class Layout, class Fragment>
    __device__ static void load(Fragment& fragment, const T* from) {
        if constexpr (std::is_same_v<T, float>) {
            nvcuda::wmma::load_matrix_sync(fragment, from, Layout::stride);
            for (int i = 0; i < fragment.num_elements; ++i)
                fragment.x[i] = Kind::rounded(fragment.x[i]);
        } else {
            using Element = typename Kind::Element;
            nvcuda::wmma::load_matrix_sync(fragment, reinterpret_cast<const Element*>(from),
                                           Layout::stride);
        }
    }
    __device__ static int warp() { return static_cast<int>(threadIdx.x) / warp_size; }
    __device__ static int first_row() { return warp() / along * rows * side; }
    __device__ static int first_column() { return warp() % along * cols * side; }

    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, side, side, Kind::k, float> sums_[rows][cols];
};

// The product of a block of block_size threads, with Size elements an access of device memory.
template <class Tile, Along A, Along B, int Size>
struct BlockProduct {
    using Element = typename Tile::Element;
    using Left = TileLayout<Tile, Tile::m, A>;
    using Right = TileLayout<Tile, Tile::n, B>;
    using LeftOnItsWay = TileOnItsWay<Tile, Left, Size>;
    using RightOnItsWay = TileOnItsWay<Tile, Right, Size>;
    static constexpr int both = Left::elements + Right::elements;
    static constexpr std::size_t result_bytes = std::size_t{Tile::m} * Tile::result_stride * 4;
    static constexpr std::size_t buffer_bytes = std::size_t{2} * both * sizeof(Element);
    // A multiple of 128, as shared memory itself lies.
    static constexpr std::size_t shared_bytes =
        ((result_bytes > buffer_bytes ? result_bytes : buffer_bytes) + 127) / 128 * 128;

    // The sums in shared memory, (Tile::m, Tile::n) with Tile::result_stride, free to be read.
    // source.fetch(tile, left, right) fills both from the depth's tile; one tile is fetched while
    // the one before is multiplied. each(right tile) sees every tile in shared memory. All threads
    // take part.
    template <class Source, class Each>
    __device__ static float* run(void* shared, Source& source, int tiles, Each each) {
        using Sums =
            std::conditional_t<Tile::on_tensor_cores, TensorSums<Tile, A, B>, FmaSums<Tile, A, B>>;
        Sums sums;
        LeftOnItsWay left;
        RightOnItsWay right;
        auto* const buffers = static_cast<Element*>(shared);
        if (tiles > 0) {
            source.fetch(0, left, right);
            left.put(buffers);
            right.put(buffers + Left::elements);
        }
        __syncthreads();
        for (int t = 0; t < tiles; ++t) {
            Element* const now = buffers + t % 2 * both;
            Element* const next = buffers + (t + 1) % 2 * both;
            const bool more = t + 1 < tiles;
            if (more) source.fetch(t + 1, left, right);
            sums.add(now, now + Left::elements);
            each(now + Left::elements);
            if (more) {
                left.put(next);
                right.put(next + Left::elements);
            }
            __syncthreads();
        }
        auto* const result = static_cast<float*>(shared);
        sums.put(result);
        __syncthreads();
        return result;
    }
};

}  // namespace strata::kernels
