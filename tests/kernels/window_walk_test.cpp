// The index arithmetic of windows: divisions by multiplication, places, and who reads a cell.
#include "kernels/common/window_walk.h"

#include <algorithm>
#include <array>

#include "tests/kernels/kernel_test.h"
#include "tests/kernels/windows.h"

namespace strata::kernels {
namespace {

using namespace testing;

constexpr std::int32_t largest = INT32_MAX;

void expect_divides(std::int32_t dividend, std::int32_t by) {
    ASSERT_EQ(divisor_of(by).divide(dividend), dividend / by) << dividend << " / " << by;
}

// Where a quotient changes, and at both ends.
void expect_divides_all(std::int32_t by) {
    const std::int32_t last = largest / by;
    for (const std::int32_t quotient : {0, 1, 2, last / 3, last / 2, last - 1, last}) {
        const std::int64_t multiple = std::int64_t{quotient} * by;
        for (const std::int64_t dividend :
             {multiple - 1, multiple, multiple + 1, multiple + by - 1})
            if (dividend >= 0 && dividend <= largest)
                expect_divides(static_cast<std::int32_t>(dividend), by);
    }
    expect_divides(largest, by);
    expect_divides(largest - 1, by);
}

TEST(Divisor, IsExactForEveryQuotient) {
    for (std::int32_t by = 1; by <= 3000; ++by) expect_divides_all(by);
    for (int power = 11; power < 31; ++power)
        for (const std::int32_t by : {-3, -2, -1, 0, 1, 2, 3})
            expect_divides_all((1 << power) + by);
    for (std::int32_t by = largest - 100; by < largest; ++by) expect_divides_all(by);
    expect_divides_all(largest);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const auto words = random::draw(7, 1, 2, i);
        const auto by = static_cast<std::int32_t>((words[0] >> 1) >> (words[2] % 31));
        expect_divides(static_cast<std::int32_t>(words[1] >> 1), std::max(by, 1));
    }
}

TEST(Divisor, IndicesOf64BitsHaveNoBound) {
    const std::int64_t large = std::int64_t{1} << 40;
    EXPECT_EQ(divisor_of(3).divide(large), large / 3);
    EXPECT_EQ(divisor_of(large).divide(3 * large + 1), 3);
    EXPECT_EQ(divisor_of(0).value, 0);
}

using Reader = std::array<int, 3>;  // oh, ow, tap

// In the order of taps, on which the last bits of a sum depend.
TEST(WindowWalk, ReadersComeInTheOrderOfTaps) {
    for (const WindowCase& t : window_cases()) {
        const WindowWalk walk = make_walk(t.image, t.window);
        std::vector<std::vector<Reader>> want(
            static_cast<std::size_t>(t.image.height * t.image.width));
        const ImageShape one{1, t.image.height, t.image.width, 1};
        for_each_tap(one, t.window, [&](int n, int oh, int ow, int kh, int kw, int h, int w) {
            if (is_inside(one, h, w))
                want[cell_index(one, n, h, w, 0)].push_back({oh, ow, kh * t.window.kernel_w + kw});
        });
        for (int h = 0; h < t.image.height; ++h) {
            for (int w = 0; w < t.image.width; ++w) {
                std::vector<Reader>& wanted = want[cell_index(one, 0, h, w, 0)];
                std::sort(wanted.begin(), wanted.end(),
                          [](const Reader& a, const Reader& b) { return a[2] < b[2]; });
                std::vector<Reader> got;
                walk.for_each_reader(h, w, [&](int oh, int ow, int tap) {
                    got.push_back({oh, ow, tap});
                });
                ASSERT_EQ(got, wanted) << t.window.kernel_h << " x " << t.window.kernel_w
                                       << ", cell " << h << ", " << w;
            }
        }
    }
}

TEST(WindowWalk, PlacesAreThoseOfTheIndex) {
    const WindowWalk walk = make_walk({3, 7, 5, 6}, {2, 3, 2, 1, 1, 1, 0, 1, 1, 1});
    for (std::int32_t i = 0; i < walk.cells(); ++i) {
        const auto at = walk.input_place(i);
        ASSERT_EQ(walk.input_index(at.image, at.row, at.col, at.channel), i);
        ASSERT_TRUE(walk.has_row(at.row) && walk.has_col(at.col) && at.channel < 6);
        const auto wide = walk.input_place(std::int64_t{i});
        ASSERT_EQ(wide.row, at.row);
        ASSERT_EQ(wide.channel, at.channel);
    }
    for (std::int32_t i = 0; i < walk.outputs(); ++i) {
        const auto at = walk.output_place(i);
        ASSERT_EQ(walk.output_index(at.image, at.row, at.col, at.channel), i);
        ASSERT_TRUE(at.row < walk.output_h && at.col < walk.output_w && at.channel < 6);
    }
}

}  // namespace
}  // namespace strata::kernels
