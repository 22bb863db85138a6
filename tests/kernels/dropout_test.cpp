// Dropout's mask is the engine's: the words of engine/core/random.h, at any start and alignment.
#include "kernels/dropout.h"

#include "kernels/common/philox.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

class DropoutKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, DropoutKernel, both_orders(), order_name);

// The definition of engine/ops/elementwise.h, one element after the other.
std::vector<double> reference(const std::vector<float>& x, const Dropout& p) {
    std::vector<double> y;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto e = static_cast<std::int64_t>(i) % p.elements_per_sample;
        const auto sample = static_cast<std::int64_t>(i) / p.elements_per_sample;
        const auto flat = static_cast<std::uint64_t>(
            (p.first_sample + sample * p.sample_stride) * p.elements_per_sample + e);
        const auto word = random::draw(p.seed, p.stream, p.step, flat / 4)[flat % 4];
        y.push_back(random::uniform(word) >= p.rate ? x[i] / (1.0 - double{p.rate}) : 0.0);
    }
    return y;
}

TEST_P(DropoutKernel, WordsAreTheEngines) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const std::uint64_t seed = i * 0x9E3779B97F4A7C15U;
        const auto stream = static_cast<std::uint32_t>(i * 7);
        const std::uint64_t index = i * i * i * 1000003;
        const RandomWords words = draw(seed, stream, static_cast<std::uint32_t>(i), index);
        const random::Block block =
            random::draw(seed, stream, static_cast<std::uint32_t>(i), index);
        for (std::size_t k = 0; k < 4; ++k) ASSERT_EQ(words.word[k], block[k]) << i;
        ASSERT_EQ(uniform(words.word[0]), random::uniform(block[0]));
    }
}

TEST_P(DropoutKernel, MaskAtEveryStart) {
    for (std::size_t n : sizes) {
        for (std::int64_t first : {0, 1, 2, 3, 1000}) {
            for (std::int64_t elements : {1, 3, 4, 7}) {
                for (std::size_t skip : {0U, 1U}) {
                    const Dropout p{0.3F, 0x123456789ABCU, 5, 17, first, elements};
                    const std::vector<float> x = random_floats(n, 1, 0.5F, 1.5F);
                    const DeviceArray<float> data(x, skip);
                    ASSERT_EQ(
                        dropout(data.get(), data.get(), static_cast<std::int64_t>(n), p, nullptr),
                        cudaSuccess);
                    ASSERT_TRUE(near(data.read(), reference(x, p), 1e-6))
                        << n << " elements from sample " << first << " of " << elements;
                }
            }
        }
    }
}

TEST_P(DropoutKernel, ACutBatchHasTheSameMask) {
    const std::vector<float> x(60, 1.0F);
    const DeviceArray<float> in(x), whole(60), parts(60);
    Dropout p{0.5F, 3, 1, 2, 10, 5};
    ASSERT_EQ(dropout(whole.get(), in.get(), 60, p, nullptr), cudaSuccess);
    ASSERT_EQ(dropout(parts.get(), in.get(), 35, p, nullptr), cudaSuccess);
    p.first_sample += 7;
    ASSERT_EQ(dropout(parts.get() + 35, in.get() + 35, 25, p, nullptr), cudaSuccess);
    EXPECT_EQ(whole.read(), parts.read());
}

// The samples of one of several processes.
TEST_P(DropoutKernel, SamplesApartHaveTheirOwnMasks) {
    for (std::int64_t elements : {1, 2, 3, 4, 5, 7, 8, 33, 300}) {
        for (std::int64_t stride : {2, 3, 5}) {
            const std::int64_t samples = 9;
            const Dropout p{0.4F, 0x123456789ABCU, 5, 17, 11, elements, stride};
            const std::vector<float> x =
                random_floats(static_cast<std::size_t>(samples * elements), 1, 0.5F, 1.5F);
            const DeviceArray<float> data(x, 1);
            ASSERT_EQ(dropout(data.get(), data.get(), samples * elements, p, nullptr), cudaSuccess);
            ASSERT_TRUE(near(data.read(), reference(x, p), 1e-6)) << elements << " by " << stride;
        }
    }
    EXPECT_EQ(dropout<float>(nullptr, nullptr, 7, {0.5F, 0, 0, 0, 0, 4, 2}, nullptr),
              cudaErrorInvalidValue);
}

TEST_P(DropoutKernel, RatesOutsideTheRangeAreRefused) {
    for (float rate : {-0.1F, 1.0F, NAN}) {
        EXPECT_EQ(dropout<float>(nullptr, nullptr, 4, {rate, 0, 0, 0, 0, 1}, nullptr),
                  cudaErrorInvalidValue);
    }
}

}  // namespace
}  // namespace strata::kernels
