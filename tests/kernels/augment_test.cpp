// Image transforms on the GPU are the host function's, for every kind, mode and direction.
#include "kernels/augment.h"

#include "engine/ops/augment.h"
#include "tests/kernels/kernel_test.h"

namespace strata::kernels {
namespace {

using namespace testing;

class AugmentKernel : public KernelTest {};
INSTANTIATE_TEST_SUITE_P(Orders, AugmentKernel, both_orders(), order_name);

constexpr ImageBatch shape{5, 7, 6, 3};

Augment parameters_of(AugmentKind kind) {
    Augment p;
    p.kind = kind;
    p.seed = 0x123456789ULL;
    p.stream = 4;
    p.step = 9;
    p.first_sample = 1000003;
    p.sample_stride = 3;
    p.horizontal = p.vertical = true;
    p.first_lower = -0.4F;
    p.first_upper = 0.6F;
    p.second_lower = -0.7F;
    p.second_upper = 0.3F;
    p.fill_value = 0.25F;
    p.value_lower = -0.7F;
    p.value_upper = 0.6F;
    return p;
}

ops::AugmentImages op_of(const Augment& p) {
    ops::AugmentImages op;
    op.kind = static_cast<ops::AugmentKind>(p.kind);
    op.stream = p.stream;
    op.horizontal = p.horizontal;
    op.vertical = p.vertical;
    op.one_zoom = p.one_zoom;
    op.first = {p.first_lower, p.first_upper};
    op.second = {p.second_lower, p.second_upper};
    op.fill_mode = static_cast<ops::FillMode>(p.fill_mode);
    op.bilinear = p.bilinear;
    op.fill_value = p.fill_value;
    op.values = {p.value_lower, p.value_upper};
    return op;
}

// body(op, what was drawn, size, elements before the image)
template <class Body>
void for_each_image(const Augment& p, const Body& body) {
    const ops::AugmentImages op = op_of(p);
    const ops::ImageSize size{shape.height, shape.width, shape.channels};
    for (std::int64_t i = 0; i < shape.batch; ++i)
        body(op,
             ops::draw_transform(op, size, p.seed, p.step,
                                 static_cast<std::uint64_t>(p.first_sample + i * p.sample_stride)),
             size, i * size.elements());
}

void expect_hosts(const Augment& p) {
    const auto n = static_cast<std::size_t>(shape.elements());
    const std::vector<float> x = random_floats(n, 1), dy = random_floats(n, 2);
    std::vector<float> y(n), dx(n);
    for_each_image(p, [&](const auto& op, const auto& drawn, const auto& size, std::int64_t at) {
        ops::transform_image(op, drawn, size, x.data() + at, y.data() + at);
        ops::transform_image_backward(op, drawn, size, dy.data() + at, x.data() + at,
                                      dx.data() + at);
    });
    const DeviceArray<float> in(x), gradient(dy), out(n), result(n);
    const DeviceArray<std::uint64_t> scratch((augment_scratch_bytes(p, shape) + 7) / 8);
    ASSERT_EQ(augment(out.get(), in.get(), shape, p, scratch.get(), nullptr), cudaSuccess);
    EXPECT_TRUE(near(out.read(), doubles(y), 1e-5));
    ASSERT_EQ(
        augment_backward(result.get(), gradient.get(), in.get(), shape, p, scratch.get(), nullptr),
        cudaSuccess);
    EXPECT_TRUE(near(result.read(), doubles(dx), 1e-5));
}

TEST_P(AugmentKernel, FlipsAndContrast) {
    Augment p = parameters_of(AugmentKind::flip);
    expect_hosts(p);
    p.vertical = false;
    expect_hosts(p);
    expect_hosts(parameters_of(AugmentKind::contrast));
}

TEST_P(AugmentKernel, MovesTurnsAndZooms) {
    for (const AugmentKind kind :
         {AugmentKind::translation, AugmentKind::rotation, AugmentKind::zoom})
        for (const FillMode mode :
             {FillMode::constant, FillMode::nearest, FillMode::reflect, FillMode::wrap})
            for (const bool bilinear : {true, false}) {
                SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + " " +
                             std::to_string(static_cast<int>(mode)));
                Augment p = parameters_of(kind);
                p.fill_mode = mode;
                p.bilinear = bilinear;
                p.one_zoom = mode == FillMode::wrap;
                expect_hosts(p);
            }
}

TEST_P(AugmentKernel, NothingIsNoFault) {
    const Augment p = parameters_of(AugmentKind::zoom);
    EXPECT_EQ(augment(nullptr, nullptr, {0, 7, 6, 3}, p, nullptr, nullptr), cudaSuccess);
    EXPECT_EQ(augment(nullptr, nullptr, {-1, 7, 6, 3}, p, nullptr, nullptr), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace strata::kernels
