// The ops between gradients and weights: the emulated CUDA backend against the CPU's.
#include "engine/ops/optimizer.h"

#include <cmath>
#include <limits>

#include "tests/engine/backends/cuda/both.h"

namespace strata::test {
namespace {

using ops::ClipKind;

const Shape n{1031};

ops::StepScalars usual_scalars() {
    ops::StepScalars scalars;
    scalars.learning_rate = 0.05F;
    scalars.gradient_scale = 1.0 / 64.0;
    scalars.update = 3;
    scalars.weight_decay = 0.3F;
    return scalars;
}

// The norm need not be the gradient's own: both read the number that they are given.
Both& add_norm(Both& both, double norm) {
    return both.input<double>({}, {norm});
}

TEST(CpuIsCuda, OptimizersWithEveryClipping) {
    for (const ClipKind clip : {ClipKind::none, ClipKind::value, ClipKind::global_norm})
        for (const float limit : {0.0F, 0.05F, 3.0F})
            for (const double norm : {0.0, 3e4, HUGE_VAL, std::nan("")}) {
                ops::StepScalars scalars = usual_scalars();
                scalars.clip_limit = limit;
                Both plain(ops::SgdUpdate{.clip = clip});
                plain.random_input(n).random_input(n, -9, 9);
                add_norm(plain, norm).expect_equal(1e-6, scalars, 3);
                for (bool nesterov : {false, true}) {
                    Both momentum(ops::SgdUpdate{0.9F, nesterov, clip});
                    momentum.random_input(n).random_input(n, -9, 9).random_input(n);
                    add_norm(momentum, norm).expect_equal(1e-6, scalars, 3);
                }
                Both adam(ops::AdamUpdate{.clip = clip});
                adam.random_input(n).random_input(n, -9, 9).random_input(n);
                adam.random_input(n, 0, 1);
                add_norm(adam, norm).expect_equal(1e-6, scalars, 3);
            }
}

TEST(CpuIsCuda, MovingAverage) {
    for (const double norm : {1.0, HUGE_VAL})
        for (const std::int64_t update : {1, 2}) {
            ops::StepScalars scalars;
            scalars.update = update;
            Both average(ops::EmaUpdate{0.9F});
            average.random_input(n).random_input(n);
            add_norm(average, norm).expect_equal(1e-6, scalars, 2);
        }
}

TEST(CpuIsCuda, Accumulation) {
    std::vector<BFloat16> wide;
    std::vector<Float16> half;
    for (float x : random_floats(n[0], 5, -3.0F, 3.0F)) {
        wide.push_back(to_bfloat16(x));
        half.push_back(to_float16(x * 1e-4F));
    }
    for (const bool first : {false, true}) {
        ops::StepScalars scalars;
        scalars.first_in_window = first;
        Both(ops::AccumulateGradient{})
            .random_input(n)
            .random_input(n)
            .expect_equal(0.0, scalars, 2);
        Both(ops::AccumulateGradient{}).random_input(n).input(n, wide).expect_equal(0.0, scalars);
        Both(ops::AccumulateGradient{}).random_input(n).input(n, half).expect_equal(0.0, scalars);
        Both(ops::AccumulateGradient{})
            .random_input(n)
            .random_input(n)
            .misaligned()
            .expect_equal(0.0, scalars, 2);
    }
}

TEST(CpuIsCuda, ClippingByVariable) {
    const ops::ClipByVariableNorm op{{{0, 700}, {700, 1}, {701, 0}, {703, 328}}};
    for (const float limit : {0.0F, 0.5F, 2.0F, 1e6F}) {
        ops::StepScalars scalars = usual_scalars();
        scalars.clip_limit = limit;
        Both(op).random_input(n, -9, 9).expect_equal(1e-6, scalars);
    }
    std::vector<float> bad = random_floats(n[0], 1);
    bad[3] = std::numeric_limits<float>::infinity();
    ops::StepScalars scalars;
    scalars.clip_limit = 0.5F;
    Both(op).input(n, bad).expect_equal(1e-6, scalars);
    Both(ops::ClipByVariableNorm{}).random_input(n).expect_equal(0.0, scalars);
}

TEST(CpuIsCuda, SumOfSquares) {
    Both(ops::SumOfSquares{}).random_input({20011}).output<double>({}).expect_equal(1e-12);
    Both(ops::SumOfSquares{}).random_input({0}).output<double>({}).expect_equal(0.0);
}

}  // namespace
}  // namespace strata::test
