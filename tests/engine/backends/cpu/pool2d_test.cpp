// The CPU backend's pool2d ops against plain loops in float64.
#include "engine/ops/pool2d.h"

#include <cmath>
#include <limits>

#include "op_case.h"

namespace strata::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct PoolCase {
    const char* name;
    std::int64_t n, h, w, c, oh, ow;
    ops::Window2D window;
    Shape image() const { return {n, h, w, c}; }
    Shape result() const { return {n, oh, ow, c}; }
};

const PoolCase cases[] = {
    {"fashion_mnist_26", 3, 26, 26, 32, 13, 13, {2, 2, 2, 2}},
    {"odd_rest_11", 2, 11, 11, 64, 5, 5, {2, 2, 2, 2}},
    {"odd_channels", 2, 7, 9, 5, 3, 4, {2, 2, 2, 2}},
    {"one_channel_batch_1", 1, 6, 6, 1, 3, 3, {2, 2, 2, 2}},
    {"overlapping", 2, 8, 9, 17, 6, 7, {3, 3, 1, 1}},
    {"same_overlapping_stride", 2, 8, 8, 16, 4, 4, {3, 3, 2, 2, 1, 1, 0, 0, 1, 1}},
    {"same_both_sides", 2, 5, 6, 3, 5, 6, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
    {"unequal", 2, 9, 7, 4, 4, 3, {3, 2, 2, 2}},
    {"gaps", 1, 9, 9, 8, 3, 3, {2, 2, 3, 3}},
    {"dilated", 1, 9, 9, 6, 5, 5, {3, 3, 1, 1, 2, 2}},
};

class Pool2D : public testing::TestWithParam<PoolCase> {};

INSTANTIATE_TEST_SUITE_P(Shapes, Pool2D, testing::ValuesIn(cases),
                         [](const auto& tested) { return std::string(tested.param.name); });

// use(result index, image index, position) for each cell inside the image, windows in order.
template <typename Use>
void each_cell(const PoolCase& k, const Use& use) {
    const ops::Window2D& w = k.window;
    for (std::int64_t at = 0; at < k.n * k.oh * k.ow * k.c; ++at) {
        const std::int64_t channel = at % k.c, x = at / k.c % k.ow;
        const std::int64_t y = at / k.c / k.ow % k.oh, n = at / k.c / k.ow / k.oh;
        for (int i = 0; i < w.kernel_h; ++i)
            for (int j = 0; j < w.kernel_w; ++j) {
                const std::int64_t row = y * w.stride_h - w.pad_top + i * w.dilation_h;
                const std::int64_t column = x * w.stride_w - w.pad_left + j * w.dilation_w;
                if (row < 0 || row >= k.h || column < 0 || column >= k.w) continue;
                use(static_cast<std::size_t>(at),
                    static_cast<std::size_t>(((n * k.h + row) * k.w + column) * k.c + channel),
                    i * w.kernel_w + j);
            }
    }
}

// Values of few levels, many of them zero as behind a relu: equals are frequent.
Floats levels(const Shape& shape, unsigned seed) {
    Floats x = random_floats(shape.elements(), seed, -3.0F, 4.0F);
    for (float& v : x) v = std::max(std::floor(v), 0.0F);
    return x;
}

struct MaxReference {
    Floats y;
    Bytes argmax;
    std::vector<std::size_t> winner;
};

MaxReference max_reference(const PoolCase& k, const Floats& x) {
    const auto count = static_cast<std::size_t>(k.result().elements());
    MaxReference r{Floats(count, -std::numeric_limits<float>::infinity()), Bytes(count),
                   std::vector<std::size_t>(count)};
    each_cell(k, [&](std::size_t at, std::size_t cell, int position) {
        if (x[cell] <= r.y[at]) return;
        r.y[at] = x[cell];
        r.argmax[at] = static_cast<std::uint8_t>(position);
        r.winner[at] = cell;
    });
    return r;
}

TEST_P(Pool2D, MaxAndTheFirstOfTheWinners) {
    const PoolCase& k = GetParam();
    const Floats x = levels(k.image(), 1);
    const MaxReference expected = max_reference(k, x);
    OpCase training{ops::Pool2D{ops::PoolKind::max, k.window}};
    training.input(k.image(), x).output(k.result()).output<std::uint8_t>(k.result()).run();
    EXPECT_EQ(training.result(), expected.y);
    EXPECT_EQ(training.result<std::uint8_t>(1), expected.argmax);
    OpCase inference{ops::Pool2D{ops::PoolKind::max, k.window}};
    inference.input(k.image(), x).output(k.result()).run();
    EXPECT_EQ(inference.result(), expected.y);
}

TEST_P(Pool2D, MaxGradientGoesToTheWinner) {
    const PoolCase& k = GetParam();
    const MaxReference forward = max_reference(k, levels(k.image(), 2));
    const Floats dy = random_floats(k.result().elements(), 3);
    for (bool relu_mask : {false, true}) {
        Doubles expected(static_cast<std::size_t>(k.image().elements()));
        for (std::size_t i = 0; i < dy.size(); ++i)
            if (!relu_mask || forward.y[i] > 0.0F)
                expected[forward.winner[i]] += static_cast<double>(dy[i]);
        OpCase op{ops::Pool2DBackward{ops::PoolKind::max, k.window, relu_mask}};
        op.input(k.result(), dy).input(k.result(), forward.argmax);
        if (relu_mask) op.input(k.result(), forward.y);
        op.output(k.image()).run({}, 2);
        expect_close(op.result(), expected, 1e-6, relu_mask ? "with relu" : "without");
    }
}

TEST_P(Pool2D, AverageDoesNotCountPadding) {
    const PoolCase& k = GetParam();
    const Floats x = random_floats(k.image().elements(), 4);
    const Floats dy = random_floats(k.result().elements(), 5);
    const auto results = static_cast<std::size_t>(k.result().elements());
    Doubles y(results), count(results), dx(static_cast<std::size_t>(k.image().elements()));
    each_cell(k, [&](std::size_t at, std::size_t cell, int) {
        y[at] += static_cast<double>(x[cell]);
        count[at] += 1.0;
    });
    for (std::size_t i = 0; i < results; ++i) y[i] /= count[i];
    each_cell(k, [&](std::size_t at, std::size_t cell, int) {
        dx[cell] += static_cast<double>(dy[at]) / count[at];
    });
    OpCase forward{ops::Pool2D{ops::PoolKind::average, k.window}};
    forward.input(k.image(), x).output(k.result()).run({}, 2);
    expect_close(forward.result(), y, 1e-6, "forward");
    OpCase backward{ops::Pool2DBackward{ops::PoolKind::average, k.window, false}};
    backward.input(k.result(), dy).output(k.image()).run({}, 2);
    expect_close(backward.result(), dx, 1e-6, "backward");
}

TEST(GlobalAveragePool2D, BothPasses) {
    for (std::int64_t c : {1, 7, 64}) {
        constexpr std::int64_t n = 5, h = 6, w = 9;
        const Floats x = random_floats(n * h * w * c, 6);
        const Floats dy = random_floats(n * c, 7);
        Doubles y(static_cast<std::size_t>(n * c)), dx(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t columns = static_cast<std::size_t>(c);
            const std::size_t at = i / (columns * h * w) * columns + i % columns;
            y[at] += static_cast<double>(x[i]) / (h * w);
            dx[i] = static_cast<double>(dy[at]) / (h * w);
        }
        OpCase forward{ops::GlobalAveragePool2D{}};
        forward.input({n, h, w, c}, x).output({n, c}).run({}, 2);
        expect_close(forward.result(), y, 1e-6, "forward");
        OpCase backward{ops::GlobalAveragePool2DBackward{}};
        backward.input({n, c}, dy).output({n, h, w, c}).run({}, 2);
        expect_close(backward.result(), dx, 1e-6, "backward");
    }
}

}  // namespace
}  // namespace strata::test
