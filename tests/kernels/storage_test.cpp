// Every launcher that takes 16-bit floats gives, bit for bit, what its float32 form gives for the
// same numbers, rounded once. The float32 forms are held against float64 in the other files.
#include "kernels/storage.h"

#include "kernels/activation.h"
#include "kernels/conv_gather.h"
#include "kernels/dropout.h"
#include "kernels/elementwise.h"
#include "kernels/pooling.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

// Compares the two forms for one type.
template <class T>
class Check {
public:
    using Type = T;

    // run(y, inputs, scratch elements) on arrays of T and of float32 with the same numbers; `skip`
    // elements lie before each, so that wide accesses are and are not allowed.
    template <class Run>
    static void expect_rounded(std::size_t results, const std::vector<std::vector<float>>& inputs,
                               const Run& run) {
        for (const std::size_t skip : {0U, 1U}) {
            const std::vector<T> got = result_of<T>(results, inputs, skip, run);
            const std::vector<float> wide = result_of<float>(results, inputs, skip, run);
            for (std::size_t i = 0; i < results; ++i)
                ASSERT_EQ(got[i].bits, narrowed<T>(wide[i]).bits)
                    << i << " of " << results << ", skip " << skip << ": " << wide[i];
        }
    }

private:
    template <class Type, class Run>
    static std::vector<Type> result_of(std::size_t results,
                                       const std::vector<std::vector<float>>& inputs,
                                       std::size_t skip, const Run& run) {
        std::vector<std::unique_ptr<DeviceArray<Type>>> arrays;
        std::vector<const Type*> pointers;
        for (const std::vector<float>& input : inputs) {
            const std::vector<float> exact = widened(narrowed<T>(input));
            arrays.push_back(std::make_unique<DeviceArray<Type>>(narrowed<Type>(exact), skip));
            pointers.push_back(arrays.back()->get());
        }
        const DeviceArray<Type> y(results, skip);
        EXPECT_EQ(run(y.get(), pointers), cudaSuccess);
        return y.read();
    }
};

enum class Type : std::uint8_t { bfloat16, float16 };

class StorageType : public ::testing::TestWithParam<Type> {
protected:
    void SetUp() override {
        cuda_emulator::set_machine({});
        cuda_emulator::take_fault();
    }
    void TearDown() override {
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cuda_emulator::take_fault(), "");
    }
    template <class Body>
    static void in_type(const Body& body) {
        if (GetParam() == Type::bfloat16)
            body(Check<BFloat16>{});
        else
            body(Check<Float16>{});
    }
};
INSTANTIATE_TEST_SUITE_P(Types, StorageType, ::testing::Values(Type::bfloat16, Type::float16),
                         [](const auto& test) {
                             return test.param == Type::bfloat16 ? "bfloat16" : "float16";
                         });

std::vector<float> some(std::size_t n, std::uint32_t stream) {
    return random_floats(n, stream, -3.0F, 3.0F);
}

TEST_P(StorageType, Activations) {
    in_type([](auto check) {
        for (const std::size_t n : sizes)
            for (const auto kind :
                 {ActivationKind::relu, ActivationKind::tanh, ActivationKind::silu}) {
                const Activation f{kind, 1.0F};
                const auto count = static_cast<std::int64_t>(n);
                check.expect_rounded(n, {some(n, 1)}, [&](auto* y, auto& x) {
                    return activation_forward(y, x[0], count, f, nullptr);
                });
                const Saved saved = derivative_from_output(kind) ? Saved::output : Saved::input;
                check.expect_rounded(n, {some(n, 1), some(n, 2)}, [&](auto* y, auto& x) {
                    return activation_backward(y, x[0], x[1], saved, count, f, nullptr);
                });
            }
    });
}

TEST_P(StorageType, BiasAndActivation) {
    in_type([](auto check) {
        for (const std::int64_t cols : {1, 7, 8, 32}) {
            const Activation f{ActivationKind::sigmoid, 1.0F};
            const auto n = static_cast<std::size_t>(5 * cols);
            check.expect_rounded(
                n, {some(n, 1), some(static_cast<std::size_t>(cols), 2)}, [&](auto* y, auto& x) {
                    return bias_activation_forward(y, x[0], x[1], 5, cols, f, nullptr);
                });
            const DeviceArray<float> bias(some(static_cast<std::size_t>(cols), 3));
            check.expect_rounded(n, {some(n, 1)}, [&](auto* y, auto& x) {
                return bias_activation_forward(y, x[0], bias.get(), 5, cols, f, nullptr);
            });
        }
    });
}

TEST_P(StorageType, RowActivations) {
    in_type([](auto check) {
        for (const auto kind :
             {RowActivation::softmax, RowActivation::log_softmax, RowActivation::sparsemax})
            for (const std::int64_t cols : {1, 10, 33, 1100}) {
                const auto n = static_cast<std::size_t>(9 * cols);
                check.expect_rounded(n, {some(n, 1)}, [&](auto* y, auto& x) {
                    return row_activation_forward(y, x[0], 9, cols, kind, nullptr);
                });
                check.expect_rounded(
                    n, {some(n, 1), random_floats(n, 2, 0.01F, 1.0F)}, [&](auto* y, auto& x) {
                        return row_activation_backward(y, x[0], x[1], 9, cols, kind, nullptr);
                    });
            }
    });
}

TEST_P(StorageType, ScaleFillAndSums) {
    in_type([](auto check) {
        for (const std::size_t n : sizes) {
            const auto count = static_cast<std::int64_t>(n);
            check.expect_rounded(n, {some(n, 1)}, [&](auto* y, auto& x) {
                return scale_shift(y, x[0], count, 1.7F, -0.3F, nullptr);
            });
            check.expect_rounded(n, {},
                                 [&](auto* y, auto&) { return fill(y, 0.1F, count, nullptr); });
            check.expect_rounded(n, {some(n, 1), some(n, 2), some(n, 3)}, [&](auto* y, auto& x) {
                return add_n(y, x.data(), 3, count, nullptr);
            });
        }
    });
}

TEST_P(StorageType, CastsOfEveryPair) {
    in_type([](auto check) {
        using Narrow = typename decltype(check)::Type;
        const std::size_t n = 1027;
        std::vector<float> values = random_floats(n, 1, -70000.0F, 70000.0F);
        values[3] = INFINITY;
        values[4] = 1e-8F;
        values[5] = 65519.0F;
        values[6] = 65520.0F;
        for (const std::size_t skip : {0U, 1U}) {
            const DeviceArray<float> wide(values, skip), back(n, skip);
            const DeviceArray<Narrow> narrow(n, skip);
            const DeviceArray<BFloat16> other(n, skip);
            const auto count = static_cast<std::int64_t>(n);
            ASSERT_EQ(scale_shift(narrow.get(), wide.get(), count, 1, 0, nullptr), cudaSuccess);
            ASSERT_EQ(scale_shift(back.get(), narrow.get(), count, 1, 0, nullptr), cudaSuccess);
            ASSERT_EQ(scale_shift(other.get(), narrow.get(), count, 1, 0, nullptr), cudaSuccess);
            const std::vector<float> exact = widened(narrowed<Narrow>(values));
            EXPECT_EQ(back.read(), exact);
            EXPECT_EQ(widened(other.read()), widened(narrowed<BFloat16>(exact)));
        }
    });
}

TEST_P(StorageType, DropoutHasTheSameMask) {
    in_type([](auto check) {
        for (const std::int64_t stride : {1, 3}) {
            const Dropout p{0.3F, 77, 5, 9, 3, 21, stride};
            check.expect_rounded(210, {some(210, 1)}, [&](auto* y, auto& x) {
                return dropout(y, x[0], 210, p, nullptr);
            });
        }
    });
}

// In one call or two, so that whole accesses, halves of them and single elements have their turn.
TEST_P(StorageType, DropoutHasTheSameMaskAtEveryStart) {
    in_type([](auto check) {
        for (std::int64_t first = 0; first <= 9; ++first) {
            for (const std::int64_t cut : {0, 3, 4, 8, 13, 64}) {
                check.expect_rounded(67, {some(67, 1)}, [&](auto* y, auto& x) {
                    Dropout p{0.3F, 77, 5, 9, first, 1};
                    const cudaError_t error = dropout(y, x[0], cut, p, nullptr);
                    p.first_sample += cut;
                    return error != cudaSuccess
                               ? error
                               : dropout(y + cut, x[0] + cut, 67 - cut, p, nullptr);
                });
            }
        }
    });
}

TEST_P(StorageType, CopiesOfBlocks) {
    in_type([](auto check) {
        for (const std::int64_t width : {1, 2, 4, 8}) {
            const BlockCopy block{6, width, 3 * width, width, 2 * width, 0};
            check.expect_rounded(
                static_cast<std::size_t>(12 * width),
                {some(static_cast<std::size_t>(18 * width), 1)}, [&](auto* y, auto& x) {
                    const auto bytes = static_cast<int>(sizeof(*y));
                    const cudaError_t error = fill(y, 0.5F, 12 * width, nullptr);
                    return error != cudaSuccess ? error
                                                : copy_block(y, x[0], block, bytes, nullptr);
                });
        }
    });
}

TEST_P(StorageType, Pooling) {
    for (const int channels : {5, 4, 16, 40})
        in_type([&](auto check) {
            const ImageShape image{2, 7, 6, channels};
            const Window2D window{3, 2, 2, 2, 1, 1, 1, 0, 0, 0};
            const auto pooled = static_cast<std::size_t>(2 * channels);
            const auto cells = 7 * 6 * pooled;
            const auto outputs = static_cast<std::size_t>(output_height(image, window) *
                                                          output_width(image, window)) *
                                 pooled;
            std::vector<std::uint8_t> winners(outputs);
            for (std::size_t i = 0; i < outputs; ++i) winners[i] = static_cast<std::uint8_t>(i % 6);
            const DeviceArray<std::uint8_t> argmax(winners);
            check.expect_rounded(outputs, {some(cells, 1)}, [&](auto* y, auto& x) {
                return max_pool_forward(y, nullptr, x[0], image, window, nullptr);
            });
            check.expect_rounded(cells, {some(outputs, 1), some(outputs, 2)},
                                 [&](auto* dx, auto& in) {
                                     return max_pool_backward(dx, in[0], argmax.get(), in[1], image,
                                                              window, nullptr);
                                 });
            check.expect_rounded(outputs, {some(cells, 1)}, [&](auto* y, auto& x) {
                return average_pool_forward(y, x[0], image, window, nullptr);
            });
            check.expect_rounded(cells, {some(outputs, 1)}, [&](auto* dx, auto& dy) {
                return average_pool_backward(dx, dy[0], image, window, nullptr);
            });
            check.expect_rounded(pooled, {some(cells, 1)}, [&](auto* y, auto& x) {
                return global_average_pool_forward(y, x[0], image, nullptr);
            });
            check.expect_rounded(cells, {some(pooled, 1)}, [&](auto* dx, auto& dy) {
                return global_average_pool_backward(dx, dy[0], image, nullptr);
            });
        });
}

TEST_P(StorageType, ColumnSums) {
    in_type([](auto check) {
        for (const std::size_t cols : {33U, 24U, 68U}) {
            const auto columns = static_cast<std::int64_t>(cols);
            const DeviceArray<char> workspace(column_sums_workspace_bytes(300, columns));
            check.expect_rounded(cols, {some(300 * cols, 1)}, [&](auto* sums, auto& x) {
                return column_sums(sums, x[0], 300, columns, workspace.get(), nullptr);
            });
        }
    });
}

TEST_P(StorageType, ConvolutionsGather) {
    in_type([](auto check) {
        const ImageShape image{2, 5, 6, 8};
        const Window2D window{3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
        for (const int groups : {1, 2, 4, 8}) {
            const auto columns =
                static_cast<std::size_t>(conv_columns_elements(image, window, groups));
            check.expect_rounded(columns, {some(480, 1)}, [&](auto* to, auto& x) {
                const auto bytes = static_cast<int>(sizeof(*to));
                return conv_gather(to, x[0], image, window, groups, bytes, nullptr);
            });
            const DeviceArray<float> gradient(some(columns, 2));
            check.expect_rounded(480, {}, [&](auto* dx, auto&) {
                return conv_gather_backward(dx, gradient.get(), image, window, groups, nullptr);
            });
        }
    });
}

}  // namespace
}  // namespace strata::kernels
