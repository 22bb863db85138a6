// One op on a CPU device with operands from the test: prepares, binds, runs and gives the results.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "engine/core/half.h"
#include "engine/ops/backend.h"

namespace strata::test {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

template <typename T>
constexpr DType dtype_of() {
    if constexpr (std::is_same_v<T, float>) return DType::float32;
    if constexpr (std::is_same_v<T, double>) return DType::float64;
    if constexpr (std::is_same_v<T, std::int32_t>) return DType::int32;
    if constexpr (std::is_same_v<T, BFloat16>) return DType::bfloat16;
    if constexpr (std::is_same_v<T, Float16>) return DType::float16;
    return DType::uint8;
}

class OpCase {
public:
    explicit OpCase(ops::Attributes attributes, int threads = 2);
    ~OpCase();

    template <typename T>
    OpCase& input(const Shape& shape, const std::vector<T>& values) {
        EXPECT_EQ(shape.elements(), static_cast<std::int64_t>(values.size()));
        inputs_.push_back(make(shape, dtype_of<T>()));
        std::memcpy(inputs_.back().data, values.data(), inputs_.back().bytes());
        return *this;
    }
    // The same memory once more.
    OpCase& input_again(std::size_t input) {
        inputs_.push_back(Tensor(inputs_.at(input)));
        return *this;
    }
    // Filled with a pattern that is NaN as a float, so that an op which adds instead of overwriting
    // is seen.
    template <typename T = float>
    OpCase& output(const Shape& shape) {
        outputs_.push_back(make(shape, dtype_of<T>()));
        std::memset(outputs_.back().data, 0xFF, outputs_.back().bytes());
        return *this;
    }
    // The result in the place of an input.
    OpCase& output_in_place(std::size_t input) {
        outputs_.push_back(inputs_[input]);
        return *this;
    }

    OpCase& run(const ops::StepScalars& scalars = {}, int times = 1);

    template <typename T = float>
    std::vector<T> result(std::size_t i = 0) const {
        return copy<T>(outputs_.at(i));
    }
    template <typename T = float>
    std::vector<T> updated(std::size_t input) const {
        return copy<T>(inputs_.at(input));
    }

private:
    Tensor make(const Shape& shape, DType dtype);
    template <typename T>
    static std::vector<T> copy(const Tensor& tensor) {
        return {tensor.as<T>(), tensor.as<T>() + tensor.elements()};
    }

    ops::Attributes attributes_;
    std::unique_ptr<device::Device> device_;
    std::vector<void*> memory_;
    std::vector<Tensor> inputs_, outputs_;
};

// Uniform in [low, high); the same numbers for the same seed.
Floats random_floats(std::int64_t count, unsigned seed, float low = -1.0F, float high = 1.0F);
Doubles to_doubles(const Floats& values);

// Every |actual - expected| <= tolerance * (1 + |expected|).
void expect_close(const Floats& actual, const Doubles& expected, double tolerance,
                  const std::string& what = {});

}  // namespace strata::test
