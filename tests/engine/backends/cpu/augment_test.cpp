// The CPU backend's image transforms: each image by the host's formula, whatever the batch and the
// number of threads.
#include "engine/ops/augment.h"

#include "engine/core/error.h"
#include "op_case.h"

namespace strata::test {
namespace {

constexpr std::int64_t images = 11;
const Shape shape{images, 9, 8, 3};
const ops::ImageSize size{9, 8, 3};

ops::AugmentImages zoom() {
    ops::AugmentImages op;
    op.kind = ops::AugmentKind::zoom;
    op.stream = 3;
    op.first = {-0.5F, 0.5F};
    op.second = {-0.5F, 0.5F};
    return op;
}

TEST(AugmentImages, TransformsEachImageByItsNumber) {
    const Floats x = random_floats(shape.elements(), 1), dy = random_floats(shape.elements(), 2);
    const ops::StepScalars scalars{.seed = 5, .step = 8, .first_sample = 100, .sample_stride = 4};
    Floats y(x.size()), dx(x.size());
    for (std::int64_t i = 0; i < images; ++i) {
        const auto drawn =
            ops::draw_transform(zoom(), size, 5, 8, static_cast<std::uint64_t>(100 + 4 * i));
        const std::int64_t at = i * size.elements();
        ops::transform_image(zoom(), drawn, size, x.data() + at, y.data() + at);
        ops::transform_image_backward(zoom(), drawn, size, dy.data() + at, nullptr, dx.data() + at);
    }
    for (const int threads : {1, 3}) {
        OpCase forward(zoom(), threads);
        forward.input(shape, x).output(shape).run(scalars, 2);
        EXPECT_EQ(forward.result(), y);
        OpCase backward(ops::AugmentImagesBackward{zoom()}, threads);
        backward.input(shape, dy).output(shape).run(scalars, 2);
        EXPECT_EQ(backward.result(), dx);
    }
    OpCase part(zoom());
    part.input({1, 9, 8, 3}, Floats(x.end() - size.elements(), x.end())).output({1, 9, 8, 3});
    part.run({.seed = 5, .step = 8, .first_sample = 100 + 4 * (images - 1)});
    EXPECT_EQ(part.result(), Floats(y.end() - size.elements(), y.end()));
}

TEST(AugmentImages, TakesImagesAlone) {
    OpCase rows(zoom());
    rows.input({4, 6}, Floats(24)).output({4, 6});
    EXPECT_THROW(rows.run(), Error);
    ops::AugmentImages contrast;
    contrast.kind = ops::AugmentKind::contrast;
    OpCase lacks_x(ops::AugmentImagesBackward{contrast});
    lacks_x.input({1, 2, 2, 1}, Floats(4)).output({1, 2, 2, 1});
    EXPECT_THROW(lacks_x.run(), Error);
}

}  // namespace
}  // namespace strata::test
