// The gather of a convolution's windows into a matrix, and its transpose. Neighbouring threads take
// neighbouring channels, so both sides of the copy are whole lines; the transpose gathers too and
// needs no atomics.
#include "kernels/conv_gather.h"

#include "kernels/common/window_walk.h"

namespace strata::kernels {
namespace {

__device__ float zero(float) {
    return 0.0F;
}
__device__ float4 zero(float4) {
    return make_float4(0.0F, 0.0F, 0.0F, 0.0F);
}
__device__ void add_to(float& a, float b) {
    a += b;
}
__device__ void add_to(float4& a, float4 b) {
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    a.w += b.w;
}

// columns (groups, positions, kernel_h * kernel_w, channels of a group), in units of Word: a float,
// or four channels at once. walk.x.channels counts Words.
template <class Index>
struct Columns {
    Index positions;
    Index group_channels;
    int taps;  // kernel_h * kernel_w

    __device__ Index index(Index group, Index position, int tap, Index channel) const {
        return ((group * positions + position) * taps + tap) * group_channels + channel;
    }
};

template <class Word, class Index>
__global__ void gather_kernel(Word* columns, const Word* x, WindowWalk walk, Columns<Index> layout,
                              Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const Index entry = i / layout.group_channels;
        const Index channel = i - entry * layout.group_channels;
        const Index place = entry / layout.taps;
        const int tap = static_cast<int>(entry - place * layout.taps);
        const Index group = place / layout.positions;
        const Index position = place - group * layout.positions;

        const Index line = position / walk.output_w;
        const Index image = line / walk.output_h;
        const int h = walk.input_row(static_cast<int>(line - image * walk.output_h),
                                     tap / walk.window.kernel_w);
        const int w = walk.input_col(static_cast<int>(position - line * walk.output_w),
                                     tap % walk.window.kernel_w);
        columns[i] = walk.has_row(h) && walk.has_col(w)
                         ? x[walk.input_index(image, h, w, group * layout.group_channels + channel)]
                         : zero(Word{});
    }
}

template <class Word, class Index>
__global__ void gather_backward_kernel(Word* dx, const Word* dcolumns, WindowWalk walk,
                                       Columns<Index> layout, Index n) {
    for (Index i = static_cast<Index>(first_item()); i < n;
         i += static_cast<Index>(item_stride())) {
        const auto at = walk.input_place(i);
        const Index group = at.channel / layout.group_channels;
        const Index channel = at.channel - group * layout.group_channels;
        Word sum = zero(Word{});
        walk.for_each_reader(at.row, at.col, [&](int oh, int ow, int tap) {
            const Index position = (at.image * walk.output_h + oh) * walk.output_w + ow;
            add_to(sum, dcolumns[layout.index(group, position, tap, channel)]);
        });
        dx[i] = sum;
    }
}

bool is_valid(ImageShape shape, Window2D window, int groups) {
    return strata::kernels::is_valid(shape, window) && groups > 0 && shape.channels % groups == 0;
}

// Calls launcher(Word{}, walk, layout, Index of the columns' elements).
template <class Launcher>
cudaError_t with_layout(const float* a, const float* b, ImageShape shape, Window2D window,
                        int groups, Launcher launcher) {
    if (!is_valid(shape, window, groups)) return cudaErrorInvalidValue;
    const std::int64_t positions = conv_positions(shape, window);
    const std::int64_t elements = groups * positions * conv_depth(shape, window, groups);
    const std::int64_t cells = make_walk(shape, window).cells();
    const auto call = [&](auto word, int words_per_group) {
        ImageShape words = shape;
        words.channels = words_per_group * groups;
        const WindowWalk walk = make_walk(words, window);
        return with_index_type(elements > cells ? elements : cells, [&](auto index) {
            using Index = decltype(index);
            const Columns<Index> layout{static_cast<Index>(positions),
                                        static_cast<Index>(words_per_group),
                                        window.kernel_h * window.kernel_w};
            return launcher(word, walk, layout);
        });
    };
    const int group_channels = shape.channels / groups;
    const bool by_fours =
        group_channels % 4 == 0 && is_aligned(a, sizeof(float4)) && is_aligned(b, sizeof(float4));
    return by_fours ? call(float4{}, group_channels / 4) : call(float{}, group_channels);
}

}  // namespace

cudaError_t conv_gather(float* columns, const float* x, ImageShape shape, Window2D window,
                        int groups, cudaStream_t stream) {
    return with_layout(columns, x, shape, window, groups, [&](auto word, auto& walk, auto& layout) {
        using Word = decltype(word);
        using Index = decltype(layout.positions);
        const Index n = groups * layout.positions * layout.taps * layout.group_channels;
        return launch(gather_kernel<Word, std::remove_const_t<Index>>, linear_shape(n), stream,
                      reinterpret_cast<Word*>(columns), reinterpret_cast<const Word*>(x), walk,
                      layout, n);
    });
}

cudaError_t conv_gather_backward(float* dx, const float* dcolumns, ImageShape shape,
                                 Window2D window, int groups, cudaStream_t stream) {
    return with_layout(dx, dcolumns, shape, window, groups,
                       [&](auto word, auto& walk, auto& layout) {
                           using Word = decltype(word);
                           using Index = decltype(layout.positions);
                           const auto n = static_cast<Index>(walk.cells());
                           return launch(gather_backward_kernel<Word, std::remove_const_t<Index>>,
                                         linear_shape(n), stream, reinterpret_cast<Word*>(dx),
                                         reinterpret_cast<const Word*>(dcolumns), walk, layout, n);
                       });
}

}  // namespace strata::kernels
