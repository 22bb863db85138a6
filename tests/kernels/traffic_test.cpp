// What each kernel but the tiled convolutions moves, counted as tests/kernels/traffic.h says.
#include <functional>

#include "kernels/activation.h"
#include "kernels/augment.h"
#include "kernels/batch_norm.h"
#include "kernels/conv_gather.h"
#include "kernels/dropout.h"
#include "kernels/elementwise.h"
#include "kernels/gradient.h"
#include "kernels/loss.h"
#include "kernels/optimizer.h"
#include "kernels/pooling.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"
#include "tests/kernels/traffic.h"

namespace strata::kernels {
namespace {

using namespace testing;

constexpr std::size_t n = std::size_t{1} << 16;  // elements: 256 KiB of float32
constexpr auto count = static_cast<std::int64_t>(n);

class Traffic : public TrafficTest {
protected:
    const DeviceArray<float> a{random_floats(n, 1, 0.1F, 0.9F)}, b{random_floats(n, 2)},
        c{random_floats(n, 3)}, d{random_floats(n, 4, 0.0F, 1.0F)}, y{n};
    const DeviceArray<BFloat16> half{narrowed<BFloat16>(random_floats(n, 5))}, half_y{n};
    const DeviceArray<char> workspace{std::size_t{1} << 20};
};

TEST_F(Traffic, ElementwiseKernels) {
    const Activation gelu{ActivationKind::gelu, 1.0F};
    expect_least("activation",
                 [&] { return activation_forward(y.get(), a.get(), count, gelu, nullptr); },
                 {2 * floats_of(n)});
    expect_least("activation, bfloat16",
                 [&] { return activation_forward(half_y.get(), half.get(), count, gelu, nullptr); },
                 {2 * bytes(n, 2)});
    expect_least("activation backward",
                 [&] {
                     return activation_backward(y.get(), a.get(), b.get(), Saved::input, count,
                                                gelu, nullptr);
                 },
                 {3 * floats_of(n)});
    expect_least("bias and activation",
                 [&] {
                     return bias_activation_forward(y.get(), a.get(),
                                                    static_cast<const float*>(b.get()), 256, 256,
                                                    gelu, nullptr);
                 },
                 {2 * floats_of(n) + floats_of(256)});
    const DeviceArray<std::uint8_t> pixels(std::vector<std::uint8_t>(n, 7));
    expect_least("bytes to float32",
                 [&] { return scale_shift(y.get(), pixels.get(), count, 0.1F, 0, nullptr); },
                 {bytes(n, 1) + floats_of(n)});
    expect_least("float32 to bfloat16",
                 [&] { return scale_shift(half_y.get(), a.get(), count, 1, 0, nullptr); },
                 {floats_of(n) + bytes(n, 2)});
    expect_least("fill", [&] { return fill(y.get(), 1.0F, count, nullptr); }, {floats_of(n)});
    const float* const three[] = {a.get(), b.get(), c.get()};
    expect_least("sum of three", [&] { return add_n(y.get(), three, 3, count, nullptr); },
                 {4 * floats_of(n)});
    expect_least("copy of a block",
                 [&] {
                     return copy_block(y.get(), a.get(), {256, 64, 256, 64, 128, 0}, 4, nullptr);
                 },
                 {2 * floats_of(256 * 64)});
    expect_least(
        "dropout, bfloat16",
        [&] {
            return dropout(half_y.get(), half.get(), count, {0.5F, 1, 2, 3, 4, 1024}, nullptr);
        },
        {2 * bytes(n, 2)});
    for (const std::int64_t stride : {1, 3})
        expect_least(
            "dropout",
            [&] {
                return dropout(y.get(), a.get(), count, {0.5F, 1, 2, 3, 4, 1024, stride}, nullptr);
            },
            {2 * floats_of(n)});
}

TEST_F(Traffic, RowKernels) {
    const std::pair<std::int64_t, std::int64_t> shapes[] = {{512, 128}, {32, 2048}};
    for (const auto& [rows, cols] : shapes) {
        expect_least("softmax",
                     [&] {
                         return row_activation_forward(y.get(), a.get(), rows, cols,
                                                       RowActivation::softmax, nullptr);
                     },
                     {2 * floats_of(n)});
        expect_least("softmax backward",
                     [&] {
                         return row_activation_backward(y.get(), a.get(), b.get(), rows, cols,
                                                        RowActivation::softmax, nullptr);
                     },
                     {3 * floats_of(n)});
        const auto r = static_cast<std::size_t>(rows);
        const DeviceArray<std::int32_t> labels(random_labels(r, cols, 1));
        const DeviceArray<double> loss(1);
        const LossOutputs out{loss.get(), y.get(), 1.0F, nullptr};
        const std::size_t total = bytes(r, 8) + 32;
        expect_least("softmax cross-entropy",
                     [&] {
                         return softmax_cross_entropy(out, a.get(), labels.get(), {rows, cols},
                                                      workspace.get(), nullptr);
                     },
                     {2 * floats_of(n) + floats_of(r) + bytes(r, 8), total});
        expect_least(
            "cross-entropy, soft",
            [&] {
                return cross_entropy(out, a.get(), d.get(), {rows, cols}, workspace.get(), nullptr);
            },
            {3 * floats_of(n) + bytes(r, 8), total});
        expect_least("binary cross-entropy",
                     [&] {
                         return binary_cross_entropy_from_logits(
                             out, a.get(), d.get(), {rows, cols}, workspace.get(), nullptr);
                     },
                     {3 * floats_of(n) + bytes(r, 8), total});
        expect_least("squared error",
                     [&] {
                         return mean_squared_error(out, a.get(), d.get(), {rows, cols},
                                                   workspace.get(), nullptr);
                     },
                     {3 * floats_of(n) + bytes(r, 8), total});
        expect_least("accuracy",
                     [&] {
                         return sparse_categorical_accuracy(loss.get(), a.get(), labels.get(),
                                                            {rows, cols}, workspace.get(), nullptr);
                     },
                     {floats_of(n) + floats_of(r) + bytes(r, 8), total});
    }
}

// So many rows that blocks add up their losses.
TEST_F(Traffic, LossesOfManyRows) {
    constexpr std::size_t rows = 16384;
    constexpr RowShape shape{rows, 4};
    const DeviceArray<double> loss(1);
    const std::size_t partial = bytes(static_cast<std::size_t>(loss_partial_sums(rows)), 8);
    expect_least("squared error, many rows",
                 [&] {
                     return mean_squared_error({loss.get(), y.get(), 1.0F, nullptr}, a.get(),
                                               d.get(), shape, workspace.get(), nullptr);
                 },
                 {3 * floats_of(n) + bytes(rows, 8), bytes(rows, 8) + partial, partial + 32});
}

// Two rows of blocks: the sums of chunks of 128 rows, then their total.
TEST_F(Traffic, ColumnKernels) {
    constexpr std::size_t rows = 1024, cols = 64, chunks = rows / 128;
    const std::size_t partial = floats_of(chunks * cols), columns = floats_of(cols);
    expect_least(
        "column sums",
        [&] { return column_sums(y.get(), a.get(), rows, cols, workspace.get(), nullptr); },
        {floats_of(n) + partial, partial + columns});
    const DeviceArray<float> gamma(random_floats(cols, 1)), mean(random_floats(cols, 2)),
        variance(std::vector<float>(cols, 0.5F)), out_mean(cols), inverse(cols), dgamma(cols),
        dbeta(cols);
    const BatchNormTraining p{gamma.get(),    gamma.get(),   mean.get(), variance.get(),
                              out_mean.get(), inverse.get(), 0.9F,       1e-3F};
    expect_least(
        "batch normalization",
        [&] {
            return batch_norm_training(y.get(), a.get(), {rows, cols}, p, workspace.get(), nullptr);
        },
        {floats_of(n) + 2 * partial, 2 * partial + 6 * columns, 2 * floats_of(n) + 3 * columns});
    const BatchNormBackward q{gamma.get(), out_mean.get(), inverse.get(), dgamma.get(),
                              dbeta.get()};
    expect_least("batch normalization, back",
                 [&] {
                     return batch_norm_backward(y.get(), b.get(), a.get(), {rows, cols}, q,
                                                workspace.get(), nullptr);
                 },
                 {2 * floats_of(n) + 2 * partial + 2 * columns, 2 * partial + 4 * columns,
                  3 * floats_of(n) + 5 * columns});
    const BFloat16* const half_x = half.get();
    const DeviceArray<BFloat16> half_dy(narrowed<BFloat16>(random_floats(n, 6)));
    expect_least(
        "batch normalization, 16 bits",
        [&] {
            return batch_norm_training(half_y.get(), half_x, {rows, cols}, p, workspace.get(),
                                       nullptr);
        },
        {bytes(n, 2) + 2 * partial, 2 * partial + 6 * columns, 2 * bytes(n, 2) + 4 * columns});
    expect_least("batch normalization, 16 bits",
                 [&] {
                     return batch_norm_inference(half_y.get(), half_x, {rows, cols}, gamma.get(),
                                                 gamma.get(), mean.get(), variance.get(), 1e-3F,
                                                 nullptr);
                 },
                 {2 * bytes(n, 2) + 4 * columns});
    expect_least("batch normalization, back, 16 bits",
                 [&] {
                     return batch_norm_backward(half_y.get(),
                                                static_cast<const BFloat16*>(half_dy.get()), half_x,
                                                {rows, cols}, q, workspace.get(), nullptr);
                 },
                 {2 * bytes(n, 2) + 2 * partial + 2 * columns, 2 * partial + 4 * columns,
                  3 * bytes(n, 2) + 5 * columns});
    const DeviceArray<double> sum(1);
    expect_least("sum of squares",
                 [&] {
                     return sum_of_squares(sum.get(), nullptr, a.get(), count, workspace.get(),
                                           nullptr);
                 },
                 {floats_of(n) + 16 * 8, 16 * 8 + 32});
}

// Behind an L2 that holds as much as the operands, their second reading costs half at most.
TEST_F(Traffic, BatchNormalizationBehindAnL2) {
    constexpr std::size_t rows = 1024, cols = 64, x_bytes = n * sizeof(float);
    const DeviceArray<float> gamma(random_floats(cols, 1)), mean(random_floats(cols, 2)),
        variance(std::vector<float>(cols, 0.5F)), out_mean(cols), inverse(cols), dgamma(cols),
        dbeta(cols);
    const BatchNormTraining p{gamma.get(),    gamma.get(),   mean.get(), variance.get(),
                              out_mean.get(), inverse.get(), 0.9F,       1e-3F};
    const BatchNormBackward q{gamma.get(), out_mean.get(), inverse.get(), dgamma.get(),
                              dbeta.get()};
    const auto behind = [](std::size_t l2) {
        return cuda_emulator::Counting{.cache = l2, .across_launches = true};
    };
    const double forward = moved(
        [&] {
            return batch_norm_training(y.get(), a.get(), {rows, cols}, p, workspace.get(), nullptr);
        },
        behind(x_bytes));
    const double backward = moved(
        [&] {
            return batch_norm_backward(y.get(), b.get(), a.get(), {rows, cols}, q, workspace.get(),
                                       nullptr);
        },
        behind(2 * x_bytes));
    std::printf("batch normalization, %.3f forward, %.3f back\n", forward / (2 * x_bytes),
                backward / (3 * x_bytes));
    EXPECT_LE(forward, most * 2 * x_bytes);
    EXPECT_LE(backward, most * 3 * x_bytes);
}

TEST_F(Traffic, GradientsAndUpdates) {
    const DeviceArray<double> norm(std::vector<double>{4.0});
    const GradientRule rule{norm.get(), 0.5, GradientClip::global_norm, 0.1F};
    const DeviceArray<float> w(random_floats(n, 1)), m(random_floats(n, 2)),
        v(random_floats(n, 3, 0.0F, 1.0F));
    expect_least("SGD",
                 [&] { return sgd_update(w.get(), b.get(), nullptr, count, {}, rule, nullptr); },
                 {3 * floats_of(n) + 32});
    expect_least(
        "SGD with momentum",
        [&] {
            return sgd_update(w.get(), b.get(), m.get(), count, {0.1F, 0.9F}, rule, nullptr);
        },
        {5 * floats_of(n) + 32});
    expect_least(
        "Adam",
        [&] { return adam_update(w.get(), b.get(), m.get(), v.get(), count, {}, rule, nullptr); },
        {7 * floats_of(n) + 32});
    for (const std::int64_t update : {1, 2})
        expect_least(
            "moving average",
            [&] { return ema_update(m.get(), w.get(), count, 0.9F, update, norm.get(), nullptr); },
            {(update == 1 ? 2 : 3) * floats_of(n) + 32});
    for (const bool first : {true, false}) {
        const std::size_t own = (first ? 1 : 2) * floats_of(n);
        expect_least("accumulation",
                     [&] { return accumulate_gradient(m.get(), b.get(), count, first, nullptr); },
                     {own + floats_of(n)});
        expect_least(
            "accumulation, bfloat16",
            [&] { return accumulate_gradient(m.get(), half.get(), count, first, nullptr); },
            {own + bytes(n, 2)});
    }
    const GradientSegment halves[] = {{0, count / 2}, {count / 2, count / 2}};
    expect_least(
        "clipping by norm",
        [&] { return clip_by_norm(m.get(), halves, 2, 1.0, 0.5, workspace.get(), nullptr); },
        {floats_of(n) + 16 * 8, 2 * floats_of(n) + 16 * 8});
}

TEST_F(Traffic, WindowKernels) {
    const ImageShape image{16, 32, 16, 8};  // n elements
    const Window2D pool{2, 2, 2, 2, 1, 1, 0, 0, 0, 0}, conv{3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
    const DeviceArray<std::uint8_t> argmax(std::vector<std::uint8_t>(n / 4, 1));
    expect_least(
        "max pooling",
        [&] { return max_pool_forward(y.get(), argmax.get(), a.get(), image, pool, nullptr); },
        {floats_of(n) + floats_of(n / 4) + bytes(n / 4, 1)});
    expect_least("max pooling, back",
                 [&] {
                     return max_pool_backward<float>(y.get(), a.get(), argmax.get(), nullptr, image,
                                                     pool, nullptr);
                 },
                 {floats_of(n) + floats_of(n / 4) + bytes(n / 4, 1)});
    for (const Window2D& window : {pool, conv}) {
        const auto results = static_cast<std::size_t>(conv_positions(image, window)) * 8;
        expect_least("average pooling",
                     [&] { return average_pool_forward(y.get(), a.get(), image, window, nullptr); },
                     {floats_of(n) + floats_of(results)});
        expect_least(
            "average pooling, back",
            [&] { return average_pool_backward(y.get(), a.get(), image, window, nullptr); },
            {floats_of(n) + floats_of(results)});
    }
    expect_least("global pooling",
                 [&] { return global_average_pool_forward(y.get(), a.get(), image, nullptr); },
                 {floats_of(n) + floats_of(16 * 8)});
    expect_least("global pooling, back",
                 [&] { return global_average_pool_backward(y.get(), a.get(), image, nullptr); },
                 {floats_of(n) + floats_of(16 * 8)});
    const auto columns = static_cast<std::size_t>(conv_columns_elements(image, conv, 1));
    const DeviceArray<float> gathered(columns);
    expect_least("convolution's gather",
                 [&] { return conv_gather(gathered.get(), a.get(), image, conv, 1, 4, nullptr); },
                 {floats_of(n) + floats_of(columns)});
    expect_least(
        "its transpose",
        [&] { return conv_gather_backward(y.get(), gathered.get(), image, conv, 1, nullptr); },
        {floats_of(n) + floats_of(columns)});
}

TEST_F(Traffic, ImageTransforms) {
    const ImageBatch images{16, 32, 16, 8};
    constexpr std::size_t transform = 16 * 32;  // a transform an image
    for (const AugmentKind kind : {AugmentKind::flip, AugmentKind::translation}) {
        Augment p;
        p.kind = kind;
        p.horizontal = true;
        p.first_upper = p.second_upper = 0.2F;
        expect_least("image transform",
                     [&] { return augment(y.get(), a.get(), images, p, workspace.get(), nullptr); },
                     {transform, 2 * floats_of(n) + transform});
    }
}

}  // namespace
}  // namespace strata::kernels
