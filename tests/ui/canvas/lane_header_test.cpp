// What the header of a device's lane shows in the room that it has.
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "tests/ui/support/ui_environment.h"
#include "ui/canvas/lane_item.h"
#include "ui/canvas/lanes.h"
#include "ui/widgets/format.h"

namespace strata::ui {
namespace {

TEST(LaneHeader, ManyCopiesAreCountedAndTheOneThatDoesNotFitIsShown) {
    EXPECT_EQ(laneHeaderHeight(40), laneHeaderHeight(1 + mostCopyLines));
    LaneData data;
    data.device = "cpu:0";
    data.planned = true;
    data.replicas = 9;
    data.bytes = 50;
    for (int i = 1; i < 9; ++i) data.copies.push_back({QString("cpu:%1").arg(i), 50, 100});
    const auto picture = [&](std::uint64_t lastLimit) {
        data.copies.back().limit = lastLimit;
        LaneHeaderItem item(data, 2 * lanePadding + cardWidth);
        QImage image(item.boundingRect().size().toSize(), QImage::Format_ARGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        item.paint(&painter, nullptr, nullptr);
        return image;
    };
    EXPECT_NE(picture(20), picture(100)) << "the last of nine stands in sight";
}

TEST(LaneHeader, AHeaderSaysLessWhereRoomIsShort) {
    LaneData data;
    data.device = "cpu:0";
    data.planned = true;
    data.share = 0.79;
    data.bytes = 1824522;
    data.limit = std::uint64_t{24} << 30;
    const auto shown = [&](double width) {
        const auto [share, memory] = LaneHeaderItem(data, width).shownTexts();
        return share + '|' + memory;
    };
    const QString bytes = formatBytes(data.bytes), both = bytes + " / " + formatBytes(data.limit);
    EXPECT_EQ(shown(500), "79 % of the work|" + both);
    EXPECT_EQ(shown(140), "79 %|" + bytes);
}

}  // namespace
}  // namespace strata::ui
