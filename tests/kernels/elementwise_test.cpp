// Fills, scaling, sums and block copies: every size, aligned and not, in place where allowed.
#include "kernels/elementwise.h"

#include <memory>

#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

class ElementwiseKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, ElementwiseKernel, both_orders(), order_name);

TEST_P(ElementwiseKernel, Fill) {
    for (std::size_t n : sizes) {
        const DeviceArray<float> y(n, 1);
        ASSERT_EQ(fill(y.get(), 2.5F, static_cast<std::int64_t>(n), nullptr), cudaSuccess);
        EXPECT_EQ(y.read(), std::vector<float>(n, 2.5F));
    }
    EXPECT_EQ(fill<float>(nullptr, 0.0F, -1, nullptr), cudaErrorInvalidValue);
}

TEST_P(ElementwiseKernel, ScaleShiftOfFloats) {
    for (std::size_t n : sizes) {
        for (std::size_t skip : {0U, 3U}) {
            const std::vector<float> x = random_floats(n, 1, -5.0F, 5.0F);
            const DeviceArray<float> in(x, skip), out(n);
            ASSERT_EQ(scale_shift(out.get(), in.get(), static_cast<std::int64_t>(n), 1.5F, -0.25F,
                                  nullptr),
                      cudaSuccess);
            std::vector<double> want;
            for (float v : x) want.push_back(v * 1.5 - 0.25);
            EXPECT_TRUE(near(out.read(), want, 1e-6)) << n << " elements, skip " << skip;
        }
    }
}

// More packs than threads, some of which have one and some two, and a tail.
TEST_P(ElementwiseKernel, ScaleShiftOfManyInPlace) {
    constexpr std::size_t n = (1024 * 256 + 100) * 4 + 3;
    const std::vector<float> x = random_floats(n, 1, -5.0F, 5.0F);
    const DeviceArray<float> data(x);
    ASSERT_EQ(scale_shift(data.get(), static_cast<const float*>(data.get()),
                          static_cast<std::int64_t>(n), 1.5F, -0.25F, nullptr),
              cudaSuccess);
    std::vector<double> want;
    for (float v : x) want.push_back(v * 1.5 - 0.25);
    EXPECT_TRUE(near(data.read(), want, 1e-6));
}

TEST_P(ElementwiseKernel, ScaleShiftOfBytes) {
    for (std::size_t n : sizes) {
        for (std::size_t skip : {0U, 1U}) {
            std::vector<std::uint8_t> x(n);
            std::vector<double> want;
            for (std::size_t i = 0; i < n; ++i) {
                x[i] = static_cast<std::uint8_t>(i * 37 % 256);
                want.push_back(x[i] / 255.0 - 0.5);
            }
            const DeviceArray<std::uint8_t> in(x, skip);
            const DeviceArray<float> out(n, skip);
            ASSERT_EQ(scale_shift(out.get(), in.get(), static_cast<std::int64_t>(n), 1.0F / 255.0F,
                                  -0.5F, nullptr),
                      cudaSuccess);
            EXPECT_TRUE(near(out.read(), want, 1e-6)) << n << " bytes, skip " << skip;
        }
    }
}

TEST_P(ElementwiseKernel, AddInPlace) {
    for (std::size_t n : sizes) {
        const auto count = static_cast<std::int64_t>(n);
        const std::vector<float> a = random_floats(n, 1);
        const std::vector<float> b = random_floats(n, 2);
        const DeviceArray<float> sum(a), other(b, 1);
        const float* const both[] = {sum.get(), other.get()};
        ASSERT_EQ(add_n(sum.get(), both, 2, count, nullptr), cudaSuccess);
        std::vector<double> sums;
        for (std::size_t i = 0; i < n; ++i) sums.push_back(double{a[i]} + b[i]);
        EXPECT_TRUE(near(sum.read(), sums, 1e-6));
    }
}

TEST_P(ElementwiseKernel, AddAnyNumberOfArrays) {
    constexpr std::size_t n = 259;
    for (int count = 1; count <= 11; ++count) {
        std::vector<std::unique_ptr<DeviceArray<float>>> arrays;
        std::vector<const float*> pointers;
        std::vector<double> want(n, 0.0);
        for (int k = 0; k < count; ++k) {
            const std::vector<float> x = random_floats(n, static_cast<std::uint32_t>(20 + k));
            for (std::size_t i = 0; i < n; ++i) want[i] += x[i];
            arrays.push_back(std::make_unique<DeviceArray<float>>(x));
            pointers.push_back(arrays.back()->get());
        }
        const DeviceArray<float> y(n);
        ASSERT_EQ(add_n(y.get(), pointers.data(), count, n, nullptr), cudaSuccess);
        ASSERT_EQ(add_n(arrays[0]->get(), pointers.data(), count, n, nullptr), cudaSuccess);
        pointers.assign(pointers.size(), nullptr);  // free again on return
        EXPECT_TRUE(near(y.read(), want, 1e-6)) << count;
        EXPECT_EQ(arrays[0]->read(), y.read());
    }
    EXPECT_EQ(add_n<float>(nullptr, nullptr, 0, 1, nullptr), cudaErrorInvalidValue);
}

TEST_P(ElementwiseKernel, CopyBlockLeavesTheRest) {
    const BlockCopy blocks[] = {{1, 1, 1, 0, 1, 0},         {5, 3, 7, 2, 11, 4},
                                {33, 31, 31, 0, 40, 9},     {9, 8, 16, 4, 12, 4},
                                {4, 256, 256, 0, 512, 256}, {0, 5, 5, 0, 5, 0}};
    for (const BlockCopy& b : blocks) {
        const auto x_size = static_cast<std::size_t>(b.x_offset + b.rows * b.x_stride + b.width);
        const auto y_size = static_cast<std::size_t>(b.y_offset + b.rows * b.y_stride + b.width);
        const std::vector<float> x = random_floats(x_size, 1);
        std::vector<float> want = random_floats(y_size, 2);
        const DeviceArray<float> in(x), out(want);
        ASSERT_EQ(copy_block(out.get(), in.get(), b, 4, nullptr), cudaSuccess);
        for (std::int64_t r = 0; r < b.rows; ++r) {
            for (std::int64_t i = 0; i < b.width; ++i) {
                want[static_cast<std::size_t>(b.y_offset + r * b.y_stride + i)] =
                    x[static_cast<std::size_t>(b.x_offset + r * b.x_stride + i)];
            }
        }
        EXPECT_EQ(out.read(), want) << b.rows << " rows of " << b.width;
    }
    EXPECT_EQ(copy_block(nullptr, nullptr, {-1, 1, 1, 0, 1, 0}, 4, nullptr), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
