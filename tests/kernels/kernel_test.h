// What the kernel tests share: arrays in the emulator's device memory, random data, comparison, and
// a fixture that runs each test in both orders of threads.
#pragma once

#include <cuda_emulator.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/core/half.h"
#include "engine/core/random.h"
#include "kernels/storage.h"

namespace strata::kernels::testing {

// Device memory filled from the host. `skip` elements lie before it, so that 16-byte alignment can
// be broken; without values its bytes read as NaN.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count, std::size_t skip = 0) : count_(count), skip_(skip) {
        EXPECT_EQ(cudaMalloc(&memory_, (count + skip) * sizeof(T)), cudaSuccess);
    }
    explicit DeviceArray(const std::vector<T>& values, std::size_t skip = 0)
        : DeviceArray(values.size(), skip) {
        EXPECT_EQ(
            cudaMemcpy(get(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
            cudaSuccess);
    }
    ~DeviceArray() { EXPECT_EQ(cudaFree(memory_), cudaSuccess); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* get() const { return memory_ == nullptr ? nullptr : memory_ + skip_; }

    // Waits for the kernels before.
    std::vector<T> read() const {
        std::vector<T> values(count_);
        EXPECT_EQ(cudaMemcpy(values.data(), get(), count_ * sizeof(T), cudaMemcpyDeviceToHost),
                  cudaSuccess);
        return values;
    }
    T value() const { return read().at(0); }

private:
    std::size_t count_, skip_;
    T* memory_ = nullptr;
};

inline std::vector<float> random_floats(std::size_t count, std::uint32_t stream, float low = -1.0F,
                                        float high = 1.0F) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float u = random::uniform(random::draw(7, stream, 0, i / 4)[i % 4]);
        values[i] = low + (high - low) * u;
    }
    return values;
}

inline std::vector<std::int32_t> random_labels(std::size_t count, std::int64_t classes,
                                               std::uint32_t stream) {
    std::vector<std::int32_t> labels(count);
    for (std::size_t i = 0; i < count; ++i) {
        labels[i] = static_cast<std::int32_t>(random::draw(7, stream, 1, i)[0] %
                                              static_cast<std::uint64_t>(classes));
    }
    return labels;
}

// One number of a storage type as float32, and back to the nearest.
inline float widened(float x) {
    return x;
}
inline float widened(BFloat16 x) {
    return to_float(strata::BFloat16{x.bits});
}
inline float widened(Float16 x) {
    return to_float(strata::Float16{x.bits});
}
template <class T>
T narrowed(float x) {
    if constexpr (std::is_same_v<T, BFloat16>) return {to_bfloat16(x).bits};
    if constexpr (std::is_same_v<T, Float16>) return {to_float16(x).bits};
    if constexpr (std::is_same_v<T, float>) return x;
}

template <class T>
std::vector<T> narrowed(const std::vector<float>& values) {
    std::vector<T> result;
    for (float x : values) result.push_back(narrowed<T>(x));
    return result;
}
template <class T>
std::vector<float> widened(const std::vector<T>& values) {
    std::vector<float> result;
    for (T x : values) result.push_back(widened(x));
    return result;
}

inline std::vector<double> doubles(std::span<const float> values) {
    return {values.begin(), values.end()};
}

inline std::vector<float> floats(std::span<const double> values) {
    std::vector<float> result;
    for (double v : values) result.push_back(static_cast<float>(v));
    return result;
}

// |got - want| <= tolerance * max(1, |want|) for every element; both NaN is equal.
inline ::testing::AssertionResult near(std::span<const float> got, std::span<const double> want,
                                       double tolerance) {
    if (got.size() != want.size()) {
        return ::testing::AssertionFailure()
               << got.size() << " elements, " << want.size() << " expected";
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double g = got[i];
        const double w = want[i];
        if (g == w || (std::isnan(g) && std::isnan(w))) continue;
        if (!(std::fabs(g - w) <= tolerance * std::fmax(1.0, std::fabs(w)))) {
            return ::testing::AssertionFailure()
                   << "element " << i << " of " << got.size() << " is " << g << ", expected " << w;
        }
    }
    return ::testing::AssertionSuccess();
}

// Sizes around a thread, a warp, a block and several blocks; none but 0 is a multiple of a block.
inline constexpr std::size_t sizes[] = {0, 1, 3, 31, 33, 257, 1023, 4099};

class KernelTest : public ::testing::TestWithParam<cuda_emulator::Order> {
protected:
    void SetUp() override {
        cuda_emulator::set_machine({});
        cuda_emulator::set_order(GetParam());
        cuda_emulator::take_fault();
    }
    void TearDown() override {
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(cuda_emulator::take_fault(), "");
        EXPECT_EQ(cuda_emulator::live_allocations(), 0U);
        cuda_emulator::set_order(cuda_emulator::Order::forward);
    }
};

inline auto both_orders() {
    return ::testing::Values(cuda_emulator::Order::forward, cuda_emulator::Order::reverse);
}
inline std::string order_name(const ::testing::TestParamInfo<cuda_emulator::Order>& info) {
    return info.param == cuda_emulator::Order::forward ? "forward" : "reverse";
}

}  // namespace strata::kernels::testing
