// Batch normalisation of 16-bit rows on the CPU: float32's statistics and sums, rows rounded once.
#include "engine/ops/batch_norm.h"

#include "half_case.h"

namespace strata::test {
namespace {

struct Rows {
    Shape shape;
    Shape channels{shape[-1]};
    Floats x = random_floats(shape.elements(), 1, -2.0F, 3.0F);
    Floats gamma = random_floats(shape[-1], 2, 0.5F, 2.0F), beta = random_floats(shape[-1], 3);
    Floats mean = random_floats(shape[-1], 4), spread = random_floats(shape[-1], 5, 0.5F, 2.0F);
};

std::vector<Rows> all_rows() {
    return {Rows{{64, 33}}, Rows{{3, 5, 4, 7}}, Rows{{300, 16}}};
}

TYPED_TEST(HalfOps, BatchNormTrainingRoundsRowsAlone) {
    for (const Rows& r : all_rows()) {
        HalfCase<TypeParam> op{ops::BatchNormTraining{0.9F, 1e-3F}};
        op.input(r.shape, r.x).shared_input(r.channels, r.gamma).shared_input(r.channels, r.beta);
        op.shared_input(r.channels, r.mean).shared_input(r.channels, r.spread).output(r.shape);
        for (int i = 0; i < 3; ++i) op.shared_output(r.channels);
        op.run().expect_rounded("y");
        for (const std::size_t i : {1U, 2U, 3U}) op.expect_close(0.0, "statistics", i);
        // The moving averages are float32's: a tenth of the way to the batch's.
        const Floats moved = op.half().template updated<float>(3);
        const Floats mean = op.half().result(1);
        for (std::size_t c = 0; c < moved.size(); ++c)
            EXPECT_NEAR(moved[c], 0.9F * r.mean[c] + 0.1F * mean[c], 1e-6F);
    }
}

TYPED_TEST(HalfOps, BatchNormInferenceInPlaceIsRoundedOnce) {
    for (const Rows& r : all_rows()) {
        HalfCase<TypeParam> op{ops::BatchNormInference{1e-3F}};
        op.input(r.shape, r.x).shared_input(r.channels, r.gamma).shared_input(r.channels, r.beta);
        op.shared_input(r.channels, r.mean).shared_input(r.channels, r.spread);
        op.output_in_place(0).run().expect_rounded("y");
    }
}

TYPED_TEST(HalfOps, BatchNormBackwardRoundsRowsAlone) {
    for (const Rows& r : all_rows()) {
        HalfCase<TypeParam> op{ops::BatchNormBackward{}};
        op.input(r.shape, random_floats(r.shape.elements(), 6)).input(r.shape, r.x);
        op.shared_input(r.channels, r.gamma).shared_input(r.channels, r.mean);
        op.shared_input(r.channels, r.spread).output(r.shape);
        op.shared_output(r.channels).shared_output(r.channels).run().expect_rounded("dx");
        op.expect_close(0.0, "dgamma", 1);
        op.expect_close(0.0, "dbeta", 2);
    }
}

}  // namespace
}  // namespace strata::test
