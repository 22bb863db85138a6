// The picture of a run's curves: well-formed, small, complete, with round axes.
#include "engine/interop/curve_picture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/interop/curve_axis.h"
#include "engine/interop/event_file.h"
#include "engine/interop/svg.h"
#include "tests/engine/layers/error_of.h"
#include "tests/support/temporary_directory.h"

namespace strata::interop {
namespace {

using strata::testing::content_of;
using strata::testing::error_of;
using strata::testing::TemporaryDirectory;

// The number of elements where each tag is closed in its place, or -1.
int elements_of(const std::string& xml) {
    std::vector<std::string> open;
    int count = 0;
    for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
        const std::size_t end = xml.find('>', at);
        if (end == std::string::npos) return -1;
        const std::string tag = xml.substr(at + 1, end - at - 1);
        if (tag.find('<') != std::string::npos || tag.empty()) return -1;
        if (tag[0] == '?') continue;
        const std::string name =
            tag.substr(tag[0] == '/', tag.find_first_of(" /", 1) - (tag[0] == '/'));
        if (tag[0] == '/') {
            if (open.empty() || open.back() != name) return -1;
            open.pop_back();
            continue;
        }
        ++count;
        if (tag.back() != '/') open.push_back(name);
    }
    return open.empty() ? count : -1;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(CurvePicture, ARunsLogBecomesAWellFormedPicture) {
    const TemporaryDirectory directory;
    EventFile log(directory.path());
    for (int update = 1; update <= 3000; ++update) {
        log.scalar("loss", update, 2.3F * std::exp(-static_cast<float>(update) / 800));
        log.scalar("accuracy", update, 1.0F - std::exp(-static_cast<float>(update) / 800));
        if (update % 600 != 0) continue;
        log.scalar("val_loss", update, 0.1F + 2.3F * std::exp(-static_cast<float>(update) / 800));
        log.scalar("val_accuracy", update, 0.9F);
    }
    log.flush();
    const auto path = write_curve_picture(directory.path(), "Fashion <MNIST> & \"মডেল\" \x01\xff");
    EXPECT_EQ(path, directory / "curves.svg");
    const std::string svg = content_of(path);
    EXPECT_GT(elements_of(svg), 50);
    EXPECT_LT(svg.size(), 100'000U);
    for (const char* part :
         {"#0072B2", "#D55E00", "Fashion &lt;MNIST&gt; &amp; &quot;মডেল&quot;", ">Loss<",
          ">Accuracy<", ">update<", ">1,000<", ">3,000<", ">0.5<", ">training<", ">validation<",
          ">val_loss<", ">share of samples (0 to 1)<", "val_loss 0.1541"})
        EXPECT_TRUE(holds(svg, part)) << part;
    EXPECT_FALSE(holds(svg, "nan"));
    EXPECT_FALSE(holds(svg, "inf"));
}

TEST(CurvePicture, ALogWithoutLossIsRefusedAndGapsBreakTheLine) {
    const TemporaryDirectory directory;
    EXPECT_EQ(error_of([&] { write_curve_picture(directory.path(), "x"); }).code(),
              ErrorCode::not_found);
    Curve curve;
    curve.label = "loss";
    curve.x = {1, 2, 3, 4, 5};
    curve.y = {1, 2, NAN, INFINITY, 1};
    CurvePicture picture;
    picture.panels.push_back({"Loss", "update", "loss", {curve}});
    const std::string svg = draw_svg(picture);
    EXPECT_GT(elements_of(svg), 5);
    const std::string path = svg.substr(svg.find("<path d=\""), 200);
    EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
    EXPECT_FALSE(holds(svg, "nan"));
    EXPECT_GT(elements_of(draw_svg(CurvePicture())), 2);
}

TEST(CurveAxis, TicksAreRoundAndWithinTheEnds) {
    const Axis loss = round_axis(0.13, 2.31, 5);
    EXPECT_EQ(loss.low, 0.0);
    EXPECT_EQ(loss.high, 2.5);
    EXPECT_EQ(loss.ticks.size(), 6U);
    EXPECT_EQ(loss.label(loss.ticks[1]), "0.5");
    const Axis steps = tight_axis(1, 4690, 6, true);
    EXPECT_EQ(steps.label(steps.ticks[1]), "2,000");
    EXPECT_EQ(tight_axis(1, 3, 6, true).ticks, (std::vector<double>{1, 2, 3}));
    for (const auto& [low, high] : {std::pair{5.0, 5.0}, {1.0, 0.0}, {-1e-7, 1e-7}, {0.0, 1e9}}) {
        const Axis axis = round_axis(low, high, 5);
        EXPECT_LT(axis.low, axis.high);
        EXPECT_GE(axis.ticks.size(), 2U);
        EXPECT_LE(axis.ticks.size(), 8U);
    }
}

TEST(Svg, NumbersAndTextsAreSafe) {
    EXPECT_EQ(svg_number(12.5), "12.5");
    EXPECT_EQ(svg_number(-0.001), "0");
    EXPECT_EQ(svg_number(3), "3");
    EXPECT_EQ(svg_text("a\xc0\xaf\xed\xa0\x80"
                       "b"),
              "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
              "b");
}

}  // namespace
}  // namespace strata::interop
