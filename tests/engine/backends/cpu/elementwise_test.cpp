// The CPU backend's elementwise ops against plain loops in float64.
#include "engine/ops/elementwise.h"

#include "engine/core/error.h"
#include "engine/core/random.h"
#include "op_case.h"

namespace strata::test {
namespace {

TEST(ScaleShift, OfBytesAndFloats) {
    constexpr std::int64_t n = 50003;
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < n; ++i) bytes.push_back(static_cast<std::uint8_t>(i % 256));
    Doubles expected;
    for (std::uint8_t b : bytes) expected.push_back(b / 255.0 - 0.5);
    OpCase of_bytes{ops::ScaleShift{1.0F / 255.0F, -0.5F}};
    of_bytes.input({n}, bytes).output({n}).run();
    expect_close(of_bytes.result(), expected, 1e-7);
    OpCase of_floats{ops::ScaleShift{1.0F / 255.0F, -0.5F}};
    of_floats.input({n}, Floats(bytes.begin(), bytes.end())).output_in_place(0).run();
    expect_close(of_floats.result(), expected, 1e-7);
}

TEST(ScaleShift, CastOfBytesIsExact) {
    OpCase op{ops::ScaleShift{}};
    op.input({3}, std::vector<std::uint8_t>{0, 127, 255}).output({3}).run();
    EXPECT_EQ(op.result(), (Floats{0, 127, 255}));
}

TEST(AddN, SumsAllInputs) {
    constexpr std::int64_t n = 20001;
    const Floats a = random_floats(n, 1), b = random_floats(n, 2), c = random_floats(n, 3);
    Doubles expected;
    for (std::size_t i = 0; i < a.size(); ++i)
        expected.push_back(static_cast<double>(a[i]) + static_cast<double>(b[i]) +
                           static_cast<double>(c[i]));
    OpCase op{ops::AddN{}};
    op.input({n}, a).input({n}, b).input({n}, c).output({n}).run({}, 2);
    expect_close(op.result(), expected, 3e-7);
    OpCase in_place{ops::AddN{}};
    in_place.input({n}, a).input({n}, b).input({n}, c).output_in_place(0).run();
    EXPECT_EQ(in_place.result(), op.result());
}

// y may be an input that comes again later in the list.
TEST(AddN, SumsInputsThatRecurInPlace) {
    constexpr std::int64_t n = 20001;
    const Floats a = random_floats(n, 1), b = random_floats(n, 2);
    Doubles expected;
    for (std::size_t i = 0; i < a.size(); ++i)
        expected.push_back(3 * static_cast<double>(a[i]) + 2 * static_cast<double>(b[i]));
    for (const std::size_t y : {0U, 1U}) {
        OpCase op{ops::AddN{}};
        op.input({n}, a).input({n}, b).input_again(0).input_again(1).input_again(0);
        op.output_in_place(y).run();
        expect_close(op.result(), expected, 1e-6);
    }
    OpCase twice{ops::AddN{}};
    twice.input({n}, a).input_again(0).output_in_place(0).run();
    const Floats doubled = twice.result();
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(doubled[i], 2 * a[i]) << i;
}

TEST(Fill, SetsEveryElement) {
    OpCase op{ops::Fill{2.5F}};
    op.output({30000}).run();
    EXPECT_EQ(op.result(), Floats(30000, 2.5F));
}

TEST(CopyBlock, LeavesTheOtherElements) {
    // Columns 1 and 2 of a (2,3) to columns 2 and 3 of a (2,5).
    OpCase target{ops::CopyBlock{2, 2, 3, 1, 5, 2}};
    target.input({2, 3}, Floats{1, 2, 3, 4, 5, 6}).output({2, 5}).run();
    const Floats y = target.result();
    EXPECT_EQ(y[2], 2.0F);
    EXPECT_EQ(y[3], 3.0F);
    EXPECT_EQ(y[7], 5.0F);
    EXPECT_EQ(y[8], 6.0F);
    for (std::size_t i : {0U, 1U, 4U, 5U, 6U, 9U}) EXPECT_NE(y[i], y[i]) << i;  // still NaN
}

struct DropoutCase {
    Shape shape;
    float rate;
    std::int64_t first_sample;
    std::int64_t stride = 1;
};

class Dropout : public testing::TestWithParam<DropoutCase> {};

INSTANTIATE_TEST_SUITE_P(
    Shapes, Dropout,
    testing::Values(DropoutCase{{64, 1600}, 0.25F, 0}, DropoutCase{{7, 13}, 0.5F, 3},
                    DropoutCase{{1, 1}, 0.5F, 1234567}, DropoutCase{{3, 5, 5, 3}, 0.1F, 59999},
                    DropoutCase{{5, 37}, 0.75F, std::int64_t{1} << 33},
                    DropoutCase{{4, 1000}, 0.4F, (std::int64_t{1} << 32) / 250 - 1},
                    DropoutCase{{4, 16}, 0.0F, 2}, DropoutCase{{64, 1600}, 0.25F, 1, 4},
                    DropoutCase{{7, 13}, 0.5F, 3, 2}, DropoutCase{{11, 1}, 0.5F, 6, 3},
                    DropoutCase{{5, 37}, 0.75F, std::int64_t{1} << 33, 5}));

TEST_P(Dropout, KeepsWhatTheWordsSay) {
    const DropoutCase& k = GetParam();
    const ops::StepScalars scalars{.seed = 0x123456789ABCDEFULL,
                                   .step = 41,
                                   .first_sample = k.first_sample,
                                   .sample_stride = k.stride};
    constexpr std::uint32_t stream = 0x10003;
    const Floats x = random_floats(k.shape.elements(), 1, 1.0F, 2.0F);
    const auto sample = static_cast<std::uint64_t>(k.shape.elements() / k.shape[0]);
    Doubles expected;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::uint64_t number = static_cast<std::uint64_t>(k.first_sample) +
                                     i / sample * static_cast<std::uint64_t>(k.stride);
        const std::uint64_t flat = number * sample + i % sample;
        const auto words = random::draw(scalars.seed, stream, scalars.step, flat / 4);
        const bool kept = random::uniform(words[flat % 4]) >= k.rate;
        expected.push_back(kept ? static_cast<double>(x[i]) / (1.0 - static_cast<double>(k.rate))
                                : 0.0);
    }
    OpCase op{ops::Dropout{k.rate, stream}};
    op.input(k.shape, x).output(k.shape).run(scalars, 2);
    expect_close(op.result(), expected, 1e-6);
}

TEST(DropoutCut, MicroBatchesDrawWhatTheBatchDraws) {
    constexpr std::int64_t n = 10, sample = 37;
    const Floats x = random_floats(n * sample, 2);
    const ops::Dropout attributes{0.3F, 7};
    ops::StepScalars scalars{.seed = 9, .step = 3, .first_sample = 100};
    OpCase whole(attributes);
    whole.input({n, sample}, x).output({n, sample}).run(scalars);
    Floats pieces;
    for (std::int64_t first : {0, 3, 4, 9}) {
        const std::int64_t last = first == 0 ? 3 : first == 3 ? 4 : first == 4 ? 9 : 10;
        OpCase piece(attributes, first == 4 ? 1 : 2);
        scalars.first_sample = 100 + first;
        piece.input({last - first, sample},
                    Floats(x.begin() + first * sample, x.begin() + last * sample));
        const Floats y = piece.output({last - first, sample}).run(scalars).result();
        pieces.insert(pieces.end(), y.begin(), y.end());
    }
    EXPECT_EQ(pieces, whole.result());
}

TEST(DropoutChecks, ARateOfOneIsRefused) {
    OpCase op{ops::Dropout{1.0F, 0}};
    op.input({2, 2}, Floats(4)).output({2, 2});
    EXPECT_THROW(op.run(), Error);
}

}  // namespace
}  // namespace strata::test
