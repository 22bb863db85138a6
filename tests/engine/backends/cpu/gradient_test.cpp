// The CPU backend's accumulation and clipping of gradients against plain loops in float64, and the
// operands that the optimizers' ops refuse.
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "op_case.h"

namespace strata::test {
namespace {

const std::vector<std::int64_t> all_sizes{1, 19, 1003, 101770};

TEST(AccumulateGradient, OverwritesThenAdds) {
    for (std::int64_t n : all_sizes) {
        const Floats g = random_floats(n, 1), start = random_floats(n, 2);
        std::vector<BFloat16> wide;
        for (float x : g) wide.push_back(to_bfloat16(x));
        OpCase first{ops::AccumulateGradient{}};
        first.input({n}, Floats(g.size(), NAN)).input({n}, g).run();
        EXPECT_EQ(first.updated(0), g);
        ops::StepScalars later;
        later.first_in_window = false;
        OpCase next{ops::AccumulateGradient{}};
        next.input({n}, start).input({n}, wide).run(later, 2);
        Doubles sums = to_doubles(start);
        for (std::size_t i = 0; i < sums.size(); ++i)
            sums[i] += 2.0 * static_cast<double>(to_float(wide[i]));
        expect_close(next.updated(0), sums, 1e-6);
    }
}

TEST(AccumulateGradient, ReadsFloat16Exactly) {
    std::vector<Float16> half;
    Floats values;
    for (int bits = 0; bits < 65536; ++bits) {
        half.push_back({static_cast<std::uint16_t>(bits)});
        values.push_back(to_float(half.back()));
    }
    OpCase op{ops::AccumulateGradient{}};
    op.input({65536}, Floats(values.size())).input({65536}, half).run();
    const Floats sums = op.updated(0);
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_TRUE(sums[i] == values[i] || (std::isnan(sums[i]) && std::isnan(values[i]))) << i;
}

// Long enough for several threads, with a gap that stays as it is.
TEST(ClipByVariableNorm, TreatsEachSegmentByItself) {
    const std::int64_t n = 120000;
    const Floats g = random_floats(n, 3, -2.0F, 2.0F);
    const ops::ClipByVariableNorm op{{{0, 100000}, {100000, 7}, {100010, 19990}}};
    ops::StepScalars scalars;
    scalars.gradient_scale = 0.5;
    scalars.clip_limit = 4.0F;
    Doubles expected = to_doubles(g);
    for (const ops::Segment& segment : op.segments) {
        const auto begin = static_cast<std::size_t>(segment.offset);
        const auto end = begin + static_cast<std::size_t>(segment.count);
        double sum = 0.0;
        for (std::size_t i = begin; i < end; ++i) sum += expected[i] * expected[i];
        const double norm = std::sqrt(sum) * 0.5;
        for (std::size_t i = begin; i < end; ++i) expected[i] *= 4.0 / std::max(norm, 4.0);
    }
    OpCase clipped(op);
    clipped.input({n}, g).run(scalars);
    expect_close(clipped.updated(0), expected, 1e-6);
    EXPECT_EQ(clipped.updated(0)[100008], g[100008]);
    EXPECT_EQ(clipped.updated(0)[100003], g[100003]) << "a short segment's norm is below the limit";
}

TEST(ClipByVariableNorm, LeavesZerosAndWhatIsNotFinite) {
    const float inf = std::numeric_limits<float>::infinity();
    OpCase op{ops::ClipByVariableNorm{{{0, 2}, {2, 2}, {4, 128}}}};
    Floats g{0, 0, inf, 5};
    g.resize(132, 1e19F);
    ops::StepScalars scalars;
    scalars.clip_limit = 1.0F;
    op.input({132}, g).run(scalars);
    const Floats clipped = op.updated(0);
    EXPECT_EQ(Floats(clipped.begin(), clipped.begin() + 4), (Floats{0, 0, inf, 5}));
    expect_close(Floats(clipped.begin() + 4, clipped.end()), Doubles(128, std::sqrt(1.0 / 128)),
                 1e-6);
}

TEST(OptimizerOperands, AreChecked) {
    const Floats four(4);
    const std::vector<double> norm{1.0};
    const auto refused = [](OpCase& op) {
        try {
            op.run();
        } catch (const Error& error) {
            return error.message();
        }
        return std::string();
    };
    OpCase no_norm{ops::SgdUpdate{}};
    no_norm.input({4}, four).input({4}, four);
    EXPECT_NE(refused(no_norm).find("SgdUpdate cannot run: 2 inputs"), std::string::npos);
    OpCase float_norm{ops::SgdUpdate{}};
    float_norm.input({4}, four).input({4}, four).input({}, Floats{1.0F});
    EXPECT_NE(refused(float_norm).find("norm"), std::string::npos);
    OpCase short_velocity{ops::SgdUpdate{0.9F, false}};
    short_velocity.input({4}, four).input({4}, four).input({3}, Floats(3)).input({}, norm);
    EXPECT_NE(refused(short_velocity).find("differ in size"), std::string::npos);
    OpCase outside{ops::ClipByVariableNorm{{{2, 3}}}};
    outside.input({4}, four);
    EXPECT_NE(refused(outside).find("outside"), std::string::npos);
    OpCase whole{ops::AccumulateGradient{}};
    whole.input({4}, four).input({4}, std::vector<std::int32_t>(4));
    EXPECT_NE(refused(whole).find("bfloat16"), std::string::npos);
    OpCase fine{ops::AccumulateGradient{}};
    fine.input({4}, four).input({4}, four);
    EXPECT_EQ(refused(fine), "");
}

}  // namespace
}  // namespace strata::test
