// CPU = CUDA for the image transforms.
#include <gtest/gtest.h>

#include "tests/engine/backends/cuda/both.h"

namespace strata::test {
namespace {

constexpr ops::StepScalars scalars{.seed = 77, .step = 12, .first_sample = 345, .sample_stride = 5};

ops::AugmentImages op_of(ops::AugmentKind kind) {
    ops::AugmentImages op;
    op.kind = kind;
    op.stream = 6;
    op.horizontal = op.vertical = true;
    op.first = {-0.3F, 0.45F};
    op.second = {-0.6F, 0.2F};
    op.values = {-0.8F, 0.7F};
    return op;
}

TEST(CpuIsCuda, ImageTransforms) {
    const Shape shape{9, 6, 7, 3};
    for (int kind = 0; kind <= static_cast<int>(ops::AugmentKind::contrast); ++kind) {
        SCOPED_TRACE(kind);
        const ops::AugmentImages op = op_of(static_cast<ops::AugmentKind>(kind));
        Both(op).random_input(shape).output(shape).expect_equal(1e-5, scalars);
        Both both(ops::AugmentImagesBackward{op});
        both.random_input(shape);
        if (op.kind == ops::AugmentKind::contrast) both.random_input(shape);
        both.output(shape).misaligned().expect_equal(1e-5, scalars);
    }
}

TEST(CpuIsCuda, ImageTransformsInEachMode) {
    const Shape shape{4, 5, 8, 1};
    for (const ops::FillMode mode : {ops::FillMode::constant, ops::FillMode::nearest,
                                     ops::FillMode::reflect, ops::FillMode::wrap})
        for (const bool bilinear : {true, false}) {
            ops::AugmentImages op = op_of(ops::AugmentKind::rotation);
            op.fill_mode = mode;
            op.bilinear = bilinear;
            op.fill_value = 0.5F;
            Both(op).random_input(shape).output(shape).expect_equal(1e-5, scalars);
        }
}

}  // namespace
}  // namespace strata::test
