// What each kernel moves to and from device memory against the least possible: each input read
// once, each output written once. The emulator counts sectors of 32 bytes behind a cache: an access
// to a sector counts unless it was touched within the last 64 KiB of traffic of the same launch.
// Blocks run one after another, so that a repeated read is free where one block, or the next few,
// repeat it: a line of an image that the windows of the line below read again, the weights that
// every block reads. A GPU has that much and more for each block that runs at a time: 64 to 192 KiB
// of L1 a multiprocessor and 100 to 400 KiB of L2 beside it. What a whole array's length lies
// between, as a second pass over the data, counts again, though a large L2 may hold it.
#include <functional>

#include "kernels/activation.h"
#include "kernels/augment.h"
#include "kernels/batch_norm.h"
#include "kernels/conv2d.h"
#include "kernels/conv_gather.h"
#include "kernels/dropout.h"
#include "kernels/elementwise.h"
#include "kernels/gradient.h"
#include "kernels/loss.h"
#include "kernels/optimizer.h"
#include "kernels/pooling.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

constexpr std::size_t cache = std::size_t{64} << 10;
constexpr std::size_t n = std::size_t{1} << 16;  // elements: 256 KiB of float32
constexpr auto count = static_cast<std::int64_t>(n);
constexpr double most = 1.3;

class Traffic : public ::testing::Test {
protected:
    void SetUp() override {
        cuda_emulator::set_machine({});
        if (!cuda_emulator::watches_kernels())
            GTEST_SKIP() << "A sanitizer watches this build, the emulator does not";
    }
    void TearDown() override { cuda_emulator::keep_launches(0); }

    // The launches of `run`, each with the bytes that it has to move.
    static void expect_least(const char* what, const std::function<cudaError_t()>& run,
                             const std::vector<std::size_t>& least, double limit = most) {
        SCOPED_TRACE(what);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        cuda_emulator::keep_launches(cache);
        ASSERT_EQ(run(), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << cuda_emulator::take_fault();
        const auto launches = cuda_emulator::take_launches();
        cuda_emulator::keep_launches(0);
        ASSERT_EQ(launches.size(), least.size()) << "launches";
        for (std::size_t i = 0; i < least.size(); ++i) {
            const auto moved = static_cast<double>(launches[i].read + launches[i].written);
            EXPECT_LE(moved, limit * static_cast<double>(least[i])) << "launch " << i;
            // What no window or image reaches is not read.
            EXPECT_GE(moved, 0.9 * static_cast<double>(least[i])) << "launch " << i;
            std::printf("%-28s launch %zu: %9.0f bytes, %.3f of the least\n", what, i, moved,
                        moved / static_cast<double>(least[i]));
        }
    }
    // Of an array, in whole sectors.
    static std::size_t bytes(std::size_t elements, std::size_t size) {
        return (elements * size + 31) / 32 * 32;
    }
    static std::size_t floats_of(std::size_t elements) { return bytes(elements, 4); }

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
    const DeviceArray<double> sum(1);
    expect_least("sum of squares",
                 [&] {
                     return sum_of_squares(sum.get(), nullptr, a.get(), count, workspace.get(),
                                           nullptr);
                 },
                 {floats_of(n) + 16 * 8, 16 * 8 + 32});
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

// Each of the three passes, operands and results of one type: the chunks' sums of the kernel's
// gradient are the second launch's to read.
template <class T>
void convolutions(const ConvShape& shape, bool tensor_cores, const char* type,
                  void (*expect)(const char*, const std::function<cudaError_t()>&,
                                 const std::vector<std::size_t>&, double),
                  double weights_limit) {
    const auto cells = static_cast<std::size_t>(shape.x.batch) * shape.x.height * shape.x.width;
    const std::size_t x_size = cells * static_cast<std::size_t>(shape.x.channels);
    const auto y_size =
        static_cast<std::size_t>(shape.positions()) * static_cast<std::size_t>(shape.filters);
    const auto w_size = static_cast<std::size_t>(shape.weights());
    const auto f_size = static_cast<std::size_t>(shape.filters);
    const DeviceArray<T> x(narrowed<T>(random_floats(x_size, 1))),
        kernel(narrowed<T>(random_floats(w_size, 2))), dy(narrowed<T>(random_floats(y_size, 3))),
        y(y_size), dx(x_size), dkernel(w_size);
    const DeviceArray<float> bias(random_floats(f_size, 4)), dbias(f_size);
    const bool is_float = std::is_same_v<T, float>;
    const std::size_t size = sizeof(T);
    const std::size_t all = (x_size + w_size + y_size) * size;
    const std::string name = std::string("convolution, ") + type;
    expect(
        name.c_str(),
        [&] {
            return conv_forward({y.get(), is_float}, x.get(), kernel.get(), {bias.get(), true},
                                shape, {ActivationKind::relu, 1.0F}, tensor_cores, nullptr);
        },
        {all + f_size * 4}, most);
    expect((name + ", data").c_str(),
           [&] {
               return conv_backward_data({dx.get(), is_float}, dy.get(), kernel.get(), shape,
                                         tensor_cores, nullptr);
           },
           {all}, most);
    const std::size_t scratch = conv_backward_weights_workspace_bytes(shape);
    const DeviceArray<char> workspace(scratch);
    expect(
        (name + ", weights").c_str(),
        [&] {
            return conv_backward_weights({dkernel.get(), is_float}, {dbias.get(), true}, x.get(),
                                         dy.get(), shape, tensor_cores, workspace.get(), nullptr);
        },
        {(x_size + y_size) * size + scratch, scratch + w_size * size + f_size * 4}, weights_limit);
}

// A kernel deeper than a tile's 128 rows (taps * channels) has its gradient in two tiles, which
// both read a chunk of x and dy: once more than the least here, where blocks run one after another.
// On a GPU they run at once and meet in the L2; that is not counted, and the figure stays.
TEST_F(Traffic, Convolutions) {
    const Window2D window{3, 3, 1, 1, 1, 1, 1, 1, 1, 1}, strided{3, 3, 2, 2, 1, 1, 1, 1, 1, 1};
    for (const int channels : {8, 16})
        for (const Window2D& w : {window, strided}) {
            const ConvShape shape{{8, 24, 24, channels}, w, 24, 1};
            const double limit = 9 * channels > 128 ? 2.0 : most;
            convolutions<float>(shape, false, "float32", &expect_least, limit);
            convolutions<float>(shape, true, "TF32", &expect_least, limit);
            convolutions<BFloat16>(shape, true, "bfloat16", &expect_least, limit);
            convolutions<Float16>(shape, true, "float16", &expect_least, limit);
        }
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
