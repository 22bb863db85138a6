// Element-wise and row-wise ops on 16-bit operands: the float32 op's result, rounded once.
#include "engine/ops/elementwise.h"

#include <limits>

#include "engine/backends/cpu/convert.h"
#include "engine/core/error.h"
#include "half_case.h"

namespace strata::test {
namespace {

constexpr std::int64_t n = 50003;  // several slices and a rest

// Over all exponents of T, with zeros, infinities and NaN.
Floats spread_floats(std::int64_t count, unsigned seed) {
    Floats values = random_floats(count, seed, -24.0F, 16.0F);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (i % 2 == 0 ? 1.0F : -1.0F) * std::exp2(values[i]);
    values[5] = 0.0F;
    values[6] = -0.0F;
    values[7] = std::numeric_limits<float>::infinity();
    values[8] = std::numeric_limits<float>::quiet_NaN();
    return values;
}

TYPED_TEST(HalfOps, EveryActivationIsRoundedOnce) {
    for (const std::string& name : ops::activation_names()) {
        const ops::Activation activation{ops::activation_from_name(name).kind, 0.3F};
        const Shape shape = ops::is_row_wise(activation.kind) ? Shape{1351, 37} : Shape{n};
        const Floats x = random_floats(shape.elements(), 1, -6.0F, 6.0F);
        HalfCase<TypeParam> forward{ops::ActivationForward{activation}};
        forward.input(shape, x).output(shape).run().expect_rounded(name);
        const Floats v = random_floats(shape.elements(), 2, -2.0F, 2.0F);
        HalfCase<TypeParam> backward{ops::ActivationBackward{activation}};
        backward.input(shape, x).input(shape, v).output(shape).run().expect_rounded(name);
    }
}

TYPED_TEST(HalfOps, ActivationsInPlaceOnAnyThreadsAreTheSame) {
    const Floats x = spread_floats(n, 3);
    for (const int threads : {1, 3}) {
        HalfCase<TypeParam> relu{ops::ActivationForward{{ops::ActivationKind::relu}}, threads};
        relu.input({n}, x).output_in_place(0).run().expect_rounded();
        HalfCase<TypeParam> back{ops::ActivationBackward{{ops::ActivationKind::tanh}}, threads};
        back.input({n}, x).input({n}, random_floats(n, 4)).output_in_place(0);
        back.run().expect_rounded();
    }
}

TYPED_TEST(HalfOps, RowsLongerThanASlice) {
    const Shape shape{3, 20011};
    HalfCase<TypeParam> op{ops::ActivationForward{{ops::ActivationKind::softmax}}};
    op.input(shape, random_floats(shape.elements(), 5, -9.0F, 9.0F)).output(shape).run();
    op.expect_rounded();
}

TYPED_TEST(HalfOps, SumsAreFloat32AndRoundedOnce) {
    HalfCase<TypeParam> two{ops::AddN{}};
    two.input({n}, spread_floats(n, 6)).input({n}, random_floats(n, 7)).output_in_place(0);
    two.run().expect_rounded("two");
    HalfCase<TypeParam> four{ops::AddN{}};
    for (unsigned seed = 8; seed < 12; ++seed) four.input({n}, random_floats(n, seed));
    four.output({n}).run().expect_rounded("four");
    // A sum that rounded after each addition would stay at 1.
    const float step = to_float(TypeParam{1}) > 1e-20F ? 0x1p-11F : 0x1p-8F;
    OpCase small{ops::AddN{}};
    small.input({1}, rounded<TypeParam>({1.0F}));
    for (int i = 0; i < 4; ++i) small.input({1}, rounded<TypeParam>({step}));
    small.template output<TypeParam>({1}).run();
    EXPECT_EQ(to_float(small.template result<TypeParam>()[0]), 1.0F + 4 * step);
}

TYPED_TEST(HalfOps, DropoutKeepsWhatItKeepsInFloat32) {
    ops::StepScalars scalars;
    scalars.seed = 11;
    scalars.step = 5;
    scalars.first_sample = 77;
    for (const std::int64_t sample : {1, 7, 1024, 9001}) {
        const Shape shape{13, sample};
        HalfCase<TypeParam> op{ops::Dropout{0.4F, 3}};
        op.input(shape, random_floats(shape.elements(), 12, 0.5F, 1.0F)).output(shape);
        scalars.sample_stride = 1;
        op.run(scalars).expect_rounded(shape.text());
        scalars.sample_stride = 3;
        op.run(scalars).expect_rounded(shape.text() + ", every third sample");
    }
}

TYPED_TEST(HalfOps, FillAndCopy) {
    OpCase fill{ops::Fill{0.1F}};
    fill.template output<TypeParam>({n}).run();
    EXPECT_EQ(fill.template result<TypeParam>(),
              std::vector<TypeParam>(n, from_float<TypeParam>(0.1F)));
    OpCase copy{ops::CopyBlock{2, 2, 3, 1, 4, 0}};
    copy.input({2, 3}, rounded<TypeParam>({1, 2, 3, 4, 5, 6}));
    copy.input_again(0).template output<TypeParam>({2, 4});
    EXPECT_THROW(copy.run(), Error);  // two inputs
    OpCase block{ops::CopyBlock{2, 2, 3, 1, 2, 0}};
    block.input({2, 3}, rounded<TypeParam>({1, 2, 3, 4, 5, 6})).template output<TypeParam>({2, 2});
    EXPECT_EQ(block.run().template result<TypeParam>(), rounded<TypeParam>({2, 3, 5, 6}));
}

TYPED_TEST(HalfOps, CastsOfFloat32RoundToNearestEven) {
    const Floats x = spread_floats(n, 13);
    OpCase down{ops::ScaleShift{}};
    down.input({n}, x).template output<TypeParam>({n}).run();
    const auto narrow = down.template result<TypeParam>();
    const auto expected = rounded<TypeParam>(x);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(narrow[i], expected[i]) << x[i];
    OpCase up{ops::ScaleShift{}};
    up.input({n}, narrow).output({n}).run();
    const Floats wide = up.result();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]),
                  std::bit_cast<std::uint32_t>(to_float(narrow[i])));
}

TYPED_TEST(HalfOps, CastsFromBytesAndTheOther16BitType) {
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < n; ++i) bytes.push_back(static_cast<std::uint8_t>(i % 256));
    OpCase of_bytes{ops::ScaleShift{1.0F / 255.0F, -0.5F}},
        wide{ops::ScaleShift{1.0F / 255.0F, -0.5F}};
    of_bytes.input({n}, bytes).template output<TypeParam>({n}).run();
    wide.input({n}, bytes).output({n}).run();
    EXPECT_EQ(of_bytes.template result<TypeParam>(), rounded<TypeParam>(wide.result()));
    using Other = std::conditional_t<std::is_same_v<TypeParam, Float16>, BFloat16, Float16>;
    const Floats x = random_floats(n, 14, -100.0F, 100.0F);
    OpCase across{ops::ScaleShift{}};
    across.input({n}, rounded<TypeParam>(x)).template output<Other>({n}).run();
    EXPECT_EQ(across.template result<Other>(), rounded<Other>(widened(rounded<TypeParam>(x))));
    HalfCase<TypeParam> scaled{ops::ScaleShift{0.7F, 0.1F}};
    scaled.input({n}, x).output_in_place(0).run().expect_rounded();
}

TEST(Convert, EveryPatternAsTheScalarConversion) {
    std::vector<std::uint16_t> bits(65536);
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
    for (const DType type : {DType::bfloat16, DType::float16}) {
        const auto scalar = [type](std::uint16_t b) {
            return type == DType::bfloat16 ? to_float(BFloat16{b}) : to_float(Float16{b});
        };
        Floats wide(bits.size());
        cpu::to_float32(type, bits.data(), wide.data(), 65535, 2);
        wide[65535] = scalar(65535);
        std::vector<std::uint16_t> back(bits.size());
        cpu::from_float32(type, wide.data(), back.data(), 65536, 2);
        for (std::size_t i = 0; i < bits.size(); ++i) {
            ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]),
                      std::bit_cast<std::uint32_t>(scalar(bits[i])))
                << i;
            const std::uint16_t expected =
                type == DType::bfloat16 ? to_bfloat16(wide[i]).bits : to_float16(wide[i]).bits;
            ASSERT_EQ(back[i], expected) << i;
        }
    }
}

TYPED_TEST(HalfOps, RefuseTwoTypesInOneOp) {
    OpCase add{ops::AddN{}};
    add.input({2}, rounded<TypeParam>({1, 2})).input({2}, Floats{1, 2}).output({2});
    EXPECT_THROW(add.run(), Error);
    OpCase relu{ops::ActivationForward{{ops::ActivationKind::relu}}};
    relu.input({2}, rounded<TypeParam>({1, 2})).output({2});
    EXPECT_THROW(relu.run(), Error);
}

}  // namespace
}  // namespace strata::test
