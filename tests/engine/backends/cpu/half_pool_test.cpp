// Pooling of 16-bit images: the float32 op's result, rounded once.
#include "engine/core/error.h"
#include "engine/ops/pool2d.h"
#include "half_case.h"

namespace strata::test {
namespace {

struct PoolCase {
    Shape x, y;
    ops::Window2D window;
};

// {kernel h, w, stride h, w, dilation h, w, pad top, left, bottom, right}
const PoolCase cases[] = {
    {{5, 8, 8, 32}, {5, 4, 4, 32}, {2, 2, 2, 2, 1, 1, 0, 0, 0, 0}},
    {{3, 7, 9, 5}, {3, 7, 9, 5}, {3, 3, 1, 1, 1, 1, 1, 1, 1, 1}},
    {{2, 40, 40, 24}, {2, 19, 19, 24}, {3, 3, 2, 2, 1, 1, 0, 0, 0, 0}},
};

TYPED_TEST(HalfOps, Pooling) {
    for (const PoolCase& k : cases) {
        const Floats x = random_floats(k.x.elements(), 1), dy = random_floats(k.y.elements(), 2);
        for (const ops::PoolKind kind : {ops::PoolKind::max, ops::PoolKind::average}) {
            HalfCase<TypeParam> forward{ops::Pool2D{kind, k.window}};
            forward.input(k.x, x).output(k.y).run().expect_rounded(k.x.text());
        }
        HalfCase<TypeParam> training{ops::Pool2D{ops::PoolKind::max, k.window}};
        training.input(k.x, x).output(k.y).template shared_output<std::uint8_t>(k.y);
        training.run().expect_rounded(k.x.text());
        const auto argmax = training.half().template result<std::uint8_t>(1);

        HalfCase<TypeParam> max{ops::Pool2DBackward{ops::PoolKind::max, k.window}};
        max.input(k.y, dy).shared_input(k.y, argmax).output(k.x).run().expect_rounded(k.x.text());
        HalfCase<TypeParam> masked{ops::Pool2DBackward{ops::PoolKind::max, k.window, true}};
        masked.input(k.y, dy)
            .shared_input(k.y, argmax)
            .input(k.y, random_floats(k.y.elements(), 3));
        masked.output(k.x).run().expect_rounded(k.x.text());
        HalfCase<TypeParam> mean{ops::Pool2DBackward{ops::PoolKind::average, k.window}};
        mean.input(k.y, dy).output(k.x).run().expect_rounded(k.x.text());
    }
}

TYPED_TEST(HalfOps, TheWinnersAreThoseOfFloat32) {
    const PoolCase& k = cases[1];
    const Floats x = random_floats(k.x.elements(), 4);
    OpCase half{ops::Pool2D{ops::PoolKind::max, k.window}},
        wide{ops::Pool2D{ops::PoolKind::max, k.window}};
    half.input(k.x, rounded<TypeParam>(x)).template output<TypeParam>(k.y);
    half.template output<std::uint8_t>(k.y).run();
    wide.input(k.x, widened(rounded<TypeParam>(x))).output(k.y);
    wide.output<std::uint8_t>(k.y).run();
    EXPECT_EQ(half.template result<std::uint8_t>(1), wide.result<std::uint8_t>(1));
}

TYPED_TEST(HalfOps, GlobalAveragePooling) {
    const Shape image{7, 13, 11, 40}, pooled{7, 40};
    HalfCase<TypeParam> forward{ops::GlobalAveragePool2D{}};
    forward.input(image, random_floats(image.elements(), 5)).output(pooled).run().expect_rounded();
    HalfCase<TypeParam> backward{ops::GlobalAveragePool2DBackward{}};
    backward.input(pooled, random_floats(pooled.elements(), 6)).output(image).run();
    backward.expect_rounded();
}

TYPED_TEST(HalfOps, PoolingOfNoSamples) {
    OpCase op{ops::Pool2D{ops::PoolKind::average, {2, 2, 2, 2}}};
    op.input({0, 4, 4, 3}, std::vector<TypeParam>{}).template output<TypeParam>({0, 2, 2, 3});
    EXPECT_TRUE(op.run().template result<TypeParam>().empty());
}

TYPED_TEST(HalfOps, PoolingRefusesTwoTypes) {
    OpCase op{ops::Pool2D{ops::PoolKind::average, {2, 2, 2, 2}}};
    op.input({1, 2, 2, 1}, rounded<TypeParam>({1, 2, 3, 4})).output({1, 1, 1, 1});
    EXPECT_THROW(op.run(), Error);
}

}  // namespace
}  // namespace strata::test
