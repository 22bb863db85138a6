// One op with the same operands on the CPU backend and on the emulated CUDA backend, compared.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "engine/core/half.h"
#include "engine/core/random.h"
#include "engine/ops/backend.h"

namespace strata::test {

template <typename T>
constexpr DType dtype_of() {
    if constexpr (std::is_same_v<T, float>) return DType::float32;
    if constexpr (std::is_same_v<T, double>) return DType::float64;
    if constexpr (std::is_same_v<T, std::int32_t>) return DType::int32;
    if constexpr (std::is_same_v<T, BFloat16>) return DType::bfloat16;
    if constexpr (std::is_same_v<T, Float16>) return DType::float16;
    return DType::uint8;
}

class Both {
public:
    explicit Both(ops::Attributes attributes) : attributes_(std::move(attributes)) {}

    template <typename T>
    Both& input(const Shape& shape, const std::vector<T>& values) {
        EXPECT_EQ(shape.elements(), static_cast<std::int64_t>(values.size()));
        std::vector<unsigned char> bytes(values.size() * sizeof(T));
        if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
        inputs_.push_back({{nullptr, dtype_of<T>(), shape}, std::move(bytes)});
        return *this;
    }
    Both& random_input(const Shape& shape, float low = -1.0F, float high = 1.0F);
    Both& random_input_of(DType type, const Shape& shape, float low = -1.0F, float high = 1.0F);
    // Filled with bytes that read as NaN, so that an element which is not written is seen.
    template <typename T = float>
    Both& output(const Shape& shape) {
        return output_of(dtype_of<T>(), shape);
    }
    Both& output_of(DType type, const Shape& shape);
    Both& output_in_place(std::size_t input) {
        outputs_.push_back(inputs_.at(input));
        outputs_.back().alias = static_cast<int>(input);
        return *this;
    }
    // Also at an address that is a multiple of 4 bytes only.
    Both& misaligned() {
        misaligned_ = true;
        return *this;
    }
    Both& memory_limit(std::size_t bytes) {
        memory_limit_ = bytes;
        return *this;
    }

    // Every operand after `times` runs: |cuda - cpu| <= tolerance * (1 + |cpu|).
    void expect_equal(double tolerance = 1e-5, const ops::StepScalars& scalars = {},
                      int times = 1) const;

private:
    struct Operand {
        Tensor tensor;
        std::vector<unsigned char> bytes;
        int alias = -1;
    };
    std::vector<std::vector<double>> run(ops::Backend& backend, const ops::StepScalars& scalars,
                                         int times) const;

    ops::Attributes attributes_;
    std::vector<Operand> inputs_, outputs_;
    bool misaligned_ = false;
    std::size_t memory_limit_ = 0;
};

ops::Backend& cpu_backend();

std::vector<float> random_floats(std::int64_t count, std::uint32_t stream, float low = -1.0F,
                                 float high = 1.0F);
std::vector<std::int32_t> labels_below(std::int64_t count, std::int32_t classes);

}  // namespace strata::test
