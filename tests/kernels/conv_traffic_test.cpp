// What the tiled convolutions move, counted as tests/kernels/traffic.h says.
#include "kernels/conv2d.h"
#include "tests/kernels/traffic.h"

namespace strata::kernels {
namespace {

using namespace testing;

class ConvTraffic : public TrafficTest {};

// Operands and results of one type.
template <class T>
class Convolution {
public:
    Convolution(const ConvShape& shape, bool tensor_cores, const char* type)
        : shape_(shape),
          tensor_cores_(tensor_cores),
          name_(std::string("convolution, ") + type + ", " + std::to_string(shape.x.channels) +
                " to " + std::to_string(shape.filters)) {}

    void forward(const cuda_emulator::Counting& counting) const {
        expect(
            "",
            [&] {
                return conv_forward({y_.get(), is_float}, x_.get(), kernel_.get(),
                                    {bias_.get(), true}, shape_, {ActivationKind::relu, 1.0F},
                                    tensor_cores_, nullptr);
            },
            {all() + filters_ * 4}, counting);
    }
    void backward_data(const cuda_emulator::Counting& counting) const {
        expect(
            ", data",
            [&] {
                return conv_backward_data({dx_.get(), is_float}, dy_.get(), kernel_.get(), shape_,
                                          tensor_cores_, nullptr);
            },
            {all()}, counting);
    }
    // The chunks' sums are the second launch's to read.
    void backward_weights() const {
        const std::size_t sums = sums_bytes();
        const std::vector<std::size_t> least =
            sums == 0 ? std::vector{all() + filters_ * 4}
                      : std::vector{(cells_ + outputs_) * sizeof(T) + sums,
                                    sums + weights_ * sizeof(T) + filters_ * 4};
        const DeviceArray<char> workspace(sums);
        expect(
            ", weights", [&] { return run_weights(workspace.get()); }, least, side_by_side);
    }
    // Both launches, with the sums of the chunks between them.
    void backward_weights_in_all() const {
        const DeviceArray<char> workspace(sums_bytes());
        const double bytes =
            TrafficTest::moved([&] { return run_weights(workspace.get()); }, side_by_side);
        const auto least = static_cast<double>(all() + filters_ * 4);
        std::printf("%s, weights in all: %.3f of the least\n", name_.c_str(), bytes / least);
        EXPECT_LE(bytes, most * least) << name_;
    }

private:
    static constexpr bool is_float = std::is_same_v<T, float>;

    template <class Run>
    void expect(const char* pass, const Run& run, const std::vector<std::size_t>& least,
                const cuda_emulator::Counting& counting) const {
        TrafficTest::expect_least((name_ + pass).c_str(), run, least, counting);
    }
    std::size_t sums_bytes() const { return conv_backward_weights_workspace_bytes(shape_); }
    cudaError_t run_weights(void* workspace) const {
        return conv_backward_weights({dkernel_.get(), is_float}, {dbias_.get(), true}, x_.get(),
                                     dy_.get(), shape_, tensor_cores_, workspace, nullptr);
    }
    std::size_t all() const { return (cells_ + weights_ + outputs_) * sizeof(T); }

    ConvShape shape_;
    bool tensor_cores_;
    std::string name_;
    std::size_t cells_ = static_cast<std::size_t>(shape_.x.batch * shape_.x.height *
                                                  shape_.x.width * shape_.x.channels),
                outputs_ = static_cast<std::size_t>(shape_.positions() * shape_.filters),
                weights_ = static_cast<std::size_t>(shape_.weights()),
                filters_ = static_cast<std::size_t>(shape_.filters);
    DeviceArray<T> x_{narrowed<T>(random_floats(cells_, 1))},
        kernel_{narrowed<T>(random_floats(weights_, 2))},
        dy_{narrowed<T>(random_floats(outputs_, 3))}, y_{outputs_}, dx_{cells_}, dkernel_{weights_};
    DeviceArray<float> bias_{random_floats(filters_, 4)}, dbias_{filters_};
};

template <class T>
void all_passes(const ConvShape& shape, bool tensor_cores, const char* type) {
    const Convolution<T> convolution(shape, tensor_cores, type);
    convolution.forward(in_turn);
    convolution.backward_data(in_turn);
    convolution.backward_weights();
}

constexpr Window2D window{3, 3, 1, 1, 1, 1, 1, 1, 1, 1};

TEST_F(ConvTraffic, OfEveryPass) {
    constexpr Window2D strided{3, 3, 2, 2, 1, 1, 1, 1, 1, 1};
    for (const int channels : {8, 16})
        for (const Window2D& w : {window, strided}) {
            const ConvShape shape{{8, 24, 24, channels}, w, 24, 1};
            all_passes<float>(shape, false, "float32");
            all_passes<float>(shape, true, "TF32");
            all_passes<BFloat16>(shape, true, "bfloat16");
            all_passes<Float16>(shape, true, "float16");
        }
    const ConvShape grouped{{8, 24, 24, 16}, window, 24, 4};
    all_passes<float>(grouped, false, "float32, 4 groups");
    all_passes<BFloat16>(grouped, true, "bfloat16, 4 groups");
}

// A kernel of 144 KiB, which the cache has to hold beside what the blocks read of the images: 16 of
// them, with 64 KiB each.
TEST_F(ConvTraffic, OfWideKernels) {
    const Convolution<float> convolution({{16, 16, 16, 64}, window, 64, 1}, false, "float32");
    const cuda_emulator::Counting counting{.cache = 16 * in_turn.cache, .blocks_at_once = 16};
    convolution.forward(counting);
    convolution.backward_data(counting);
}

// Several tiles share a chunk of x and dy: 5 of rows for 3 x 3 taps of 64 channels, 7 for 5 x 5 of
// 32, and two of columns for 128 filters.
TEST_F(ConvTraffic, OfTheWeightsOfWideKernels) {
    constexpr Window2D large{5, 5, 1, 1, 1, 1, 2, 2, 2, 2};
    for (const ConvShape& shape :
         {ConvShape{{2, 16, 16, 64}, window, 64, 1}, ConvShape{{2, 16, 16, 64}, window, 128, 1},
          ConvShape{{2, 16, 16, 32}, large, 64, 1}}) {
        Convolution<float>(shape, false, "float32").backward_weights();
        Convolution<BFloat16>(shape, true, "bfloat16").backward_weights();
    }
    // Many more blocks than run side by side.
    const ConvShape long_one{{8, 48, 48, 16}, window, 16, 1};
    const Convolution<BFloat16> convolution(long_one, true, "bfloat16");
    convolution.backward_weights();
    convolution.backward_weights_in_all();
}

}  // namespace
}  // namespace strata::kernels
