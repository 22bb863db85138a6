// One op on 16-bit operands beside the same op in float32 on the same numbers.
#pragma once

#include <cmath>
#include <utility>

#include "op_case.h"

namespace strata::test {

template <typename T>
std::vector<T> rounded(const Floats& values) {
    std::vector<T> result;
    for (const float value : values) result.push_back(from_float<T>(value));
    return result;
}

template <typename T>
Floats widened(const std::vector<T>& values) {
    Floats result;
    for (const T value : values) result.push_back(to_float(value));
    return result;
}

// Numbers of T so that neighbours differ by one.
template <typename T>
int place_of(T value) {
    const int magnitude = value.bits & 0x7FFF;
    return (value.bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename T>
class HalfCase {
public:
    explicit HalfCase(const ops::Attributes& attributes, int threads = 2)
        : half_(attributes, threads), wide_(attributes, threads) {}

    HalfCase& input(const Shape& shape, const Floats& values) {
        half_.input(shape, rounded<T>(values));
        wide_.input(shape, widened(rounded<T>(values)));
        return *this;
    }
    // The same numbers for both.
    template <typename Other>
    HalfCase& shared_input(const Shape& shape, const std::vector<Other>& values) {
        half_.input(shape, values);
        wide_.input(shape, values);
        return *this;
    }
    HalfCase& output(const Shape& shape) {
        half_.template output<T>(shape);
        wide_.output(shape);
        return *this;
    }
    template <typename Other = float>
    HalfCase& shared_output(const Shape& shape) {
        half_.template output<Other>(shape);
        wide_.template output<Other>(shape);
        return *this;
    }
    HalfCase& output_in_place(std::size_t input) {
        half_.output_in_place(input);
        wide_.output_in_place(input);
        return *this;
    }
    HalfCase& run(const ops::StepScalars& scalars = {}) {
        half_.run(scalars);
        wide_.run(scalars);
        return *this;
    }

    OpCase& half() { return half_; }

    // Result i is the float32 one rounded once, bit for bit; NaN counts as equal to NaN.
    void expect_rounded(const std::string& what = {}, std::size_t i = 0) const {
        const std::vector<T> actual = half_.template result<T>(i);
        const std::vector<T> expected = rounded<T>(wide_.result(i));
        ASSERT_EQ(actual.size(), expected.size());
        for (std::size_t k = 0; k < actual.size(); ++k)
            ASSERT_TRUE(actual[k] == expected[k] || both_nan(actual[k], expected[k]))
                << what << ": element " << k << " is " << to_float(actual[k]) << ", expected "
                << to_float(expected[k]);
    }
    // Result i is at most one step of T and `tolerance`, an error of float32 sums, from there.
    void expect_near(double tolerance, const std::string& what = {}, std::size_t i = 0) const {
        const std::vector<T> actual = half_.template result<T>(i);
        const Floats wide = wide_.result(i);
        ASSERT_EQ(actual.size(), wide.size());
        for (std::size_t k = 0; k < actual.size(); ++k) {
            const auto low = static_cast<float>(static_cast<double>(wide[k]) - tolerance);
            const auto high = static_cast<float>(static_cast<double>(wide[k]) + tolerance);
            ASSERT_GE(place_of(actual[k]), place_of(from_float<T>(low)) - 1) << what << ' ' << k;
            ASSERT_LE(place_of(actual[k]), place_of(from_float<T>(high)) + 1) << what << ' ' << k;
        }
    }
    // A result that both have in the same type.
    void expect_close(double tolerance, const std::string& what = {}, std::size_t i = 0) const {
        test::expect_close(half_.result(i), to_doubles(wide_.result(i)), tolerance, what);
    }

private:
    static bool both_nan(T a, T b) { return std::isnan(to_float(a)) && std::isnan(to_float(b)); }

    OpCase half_, wide_;
};

template <typename T>
class HalfOps : public testing::Test {};
using HalfTypes = testing::Types<BFloat16, Float16>;
TYPED_TEST_SUITE(HalfOps, HalfTypes);

}  // namespace strata::test
