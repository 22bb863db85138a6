// The gather of a convolution's windows into a matrix, and its transpose. Neighbouring threads take
// neighbouring channels, so both sides of the copy are whole lines; the transpose gathers too and
// needs no atomics.
#include "kernels/conv_gather.h"

#include "kernels/common/storage.h"
#include "kernels/common/window_walk.h"

namespace strata::kernels {
namespace {

// columns (groups, positions, kernel_h * kernel_w, channels of a group), in units of Word: one
// channel, or several at once. walk.x.channels counts Words.
template <class Index>
struct Columns {
    Index positions;
    Index group_channels;
    int taps;  // kernel_h * kernel_w
    Divisor by_positions, by_group_channels, by_taps, by_kernel_w;

    __device__ Index index(Index group, Index position, int tap, Index channel) const {
        return ((group * positions + position) * taps + tap) * group_channels + channel;
    }
};

// Bit for bit; the zero of every type is all bits 0.
template <class Word, class Index>
__global__ void gather_kernel(Word* columns, const Word* x, WindowWalk walk, Columns<Index> layout,
                              Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const Index entry = layout.by_group_channels.divide(i);
        const Index channel = i - entry * layout.group_channels;
        const Index place = layout.by_taps.divide(entry);
        const int tap = static_cast<int>(entry - place * layout.taps);
        const Index group = layout.by_positions.divide(place);
        const Index position = place - group * layout.positions;

        const Index line = walk.output_width.divide(position);
        const Index image = walk.output_height.divide(line);
        const int kh = layout.by_kernel_w.divide(tap);
        const int h = walk.input_row(static_cast<int>(line - image * walk.output_h), kh);
        const int w = walk.input_col(static_cast<int>(position - line * walk.output_w),
                                     tap - kh * walk.window.kernel_w);
        columns[i] = walk.has_row(h) && walk.has_col(w)
                         ? x[walk.input_index(image, h, w, group * layout.group_channels + channel)]
                         : Word{};
    }
}

template <int Size, class T, class Index>
__global__ void gather_backward_kernel(T* dx, const float* dcolumns, WindowWalk walk,
                                       Columns<Index> layout, Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.input_place(i);
        const Index group = layout.by_group_channels.divide(at.channel);
        const Index channel = at.channel - group * layout.group_channels;
        Pack<float, Size> sum{};
        walk.for_each_reader(at.row, at.col, [&](int oh, int ow, int tap) {
            const Index position = (at.image * walk.output_h + oh) * walk.output_w + ow;
            const auto values =
                load_pack<Size>(dcolumns, layout.index(group, position, tap, channel));
            for (int k = 0; k < Size; ++k) sum.at[k] += values.at[k];
        });
        Pack<T, Size> result;
        for (int k = 0; k < Size; ++k) result.at[k] = rounded<T>(sum.at[k]);
        store_pack(dx, i, result);
    }
}

bool is_valid(ImageShape shape, Window2D window, int groups) {
    return strata::kernels::is_valid(shape, window) && groups > 0 && shape.channels % groups == 0;
}

// Calls launcher(walk, layout) for Words of so many channels, with the Index that fits.
template <class Launcher>
cudaError_t with_layout(ImageShape shape, Window2D window, int groups, int word_channels,
                        Launcher launcher) {
    const std::int64_t positions = conv_positions(shape, window);
    const int group_words = shape.channels / groups / word_channels;
    shape.channels = group_words * groups;
    const WindowWalk walk = make_walk(shape, window);
    const int taps = window.kernel_h * window.kernel_w;
    const std::int64_t elements = groups * positions * taps * group_words;
    const std::int64_t cells = walk.cells();
    return with_index_type(elements > cells ? elements : cells, [&](auto index) {
        using Index = decltype(index);
        return launcher(
            walk, Columns<Index>{static_cast<Index>(positions), static_cast<Index>(group_words),
                                 taps, divisor_of(positions), divisor_of(group_words),
                                 divisor_of(taps), divisor_of(window.kernel_w)});
    });
}

template <class Word>
cudaError_t launch_gather(void* columns, const void* x, ImageShape shape, Window2D window,
                          int groups, int element_bytes, cudaStream_t stream) {
    const int word_channels = static_cast<int>(sizeof(Word)) / element_bytes;
    return with_layout(
        shape, window, groups, word_channels, [&](const WindowWalk& walk, const auto& layout) {
            using Index = std::decay_t<decltype(layout.positions)>;
            const Index n = groups * layout.positions * layout.taps * layout.group_channels;
            return launch(gather_kernel<Word, Index>, linear_shape(n), stream,
                          static_cast<Word*>(columns), static_cast<const Word*>(x), walk, layout,
                          n);
        });
}

template <int Size, class T>
cudaError_t launch_backward(T* dx, const float* dcolumns, ImageShape shape, Window2D window,
                            int groups, cudaStream_t stream) {
    return with_layout(shape, window, groups, Size,
                       [&](const WindowWalk& walk, const auto& layout) {
                           using Index = std::decay_t<decltype(layout.positions)>;
                           const auto n = static_cast<Index>(walk.cells());
                           return launch(gather_backward_kernel<Size, T, Index>, linear_shape(n),
                                         stream, dx, dcolumns, walk, layout, n);
                       });
}

}  // namespace

cudaError_t conv_gather(void* columns, const void* x, ImageShape shape, Window2D window, int groups,
                        int element_bytes, cudaStream_t stream) {
    if (!is_valid(shape, window, groups)) return cudaErrorInvalidValue;
    const int bytes = shape.channels / groups * element_bytes;
    const auto fits = [&](int word) {
        const auto size = static_cast<std::size_t>(word);
        return bytes % word == 0 && is_aligned(columns, size) && is_aligned(x, size);
    };
    const auto gather = [&](auto word) {
        return launch_gather<decltype(word)>(columns, x, shape, window, groups, element_bytes,
                                             stream);
    };
    if (element_bytes != 2 && element_bytes != 4) return cudaErrorInvalidValue;
    if (fits(sizeof(uint4))) return gather(uint4{});
    if (fits(sizeof(uint2))) return gather(uint2{});
    if (fits(sizeof(std::uint32_t))) return gather(std::uint32_t{});
    return gather(std::uint16_t{});
}

template <class T>
cudaError_t conv_gather_backward(T* dx, const float* dcolumns, ImageShape shape, Window2D window,
                                 int groups, cudaStream_t stream) {
    if (!is_valid(shape, window, groups)) return cudaErrorInvalidValue;
    constexpr int wide = 4;
    const bool by_fours = shape.channels / groups % wide == 0 && is_aligned(dx, wide * sizeof(T)) &&
                          is_aligned(dcolumns, wide * sizeof(float));
    return by_fours ? launch_backward<wide>(dx, dcolumns, shape, window, groups, stream)
                    : launch_backward<1>(dx, dcolumns, shape, window, groups, stream);
}

#define STRATA_INSTANTIATE(T)                                                              \
    template cudaError_t conv_gather_backward(T*, const float*, ImageShape, Window2D, int, \
                                              cudaStream_t);
STRATA_EACH_STORAGE(STRATA_INSTANTIATE)
#undef STRATA_INSTANTIATE

}  // namespace strata::kernels
