// The words of marks never cover one another, and the more important ones stay.
#include "ui/charts/mark_layout.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace strata::ui {
namespace {

constexpr double gap = 5.0;

bool overlap(const MarkLabel& a, const MarkLabel& b) {
    return a.row == b.row && a.row >= 0 && a.left < b.left + b.width + gap &&
           b.left < a.left + a.width + gap;
}

void expectApart(const std::vector<MarkLabel>& labels, double low, double high, int rows) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (labels[i].row < 0) continue;
        EXPECT_LT(labels[i].row, rows);
        EXPECT_GE(labels[i].left, low);
        EXPECT_LE(labels[i].left + labels[i].width, high);
        for (std::size_t j = i + 1; j < labels.size(); ++j)
            EXPECT_FALSE(overlap(labels[i], labels[j])) << i << " and " << j;
    }
}

TEST(MarkLayout, WordsStandRightOfTheirLineWhereThereIsRoom) {
    std::vector<MarkLabel> labels{{100.0, 60.0, 1}, {300.0, 60.0, 1}};
    placeLabels(labels, 0.0, 400.0, 2, gap);
    EXPECT_EQ(labels[0].row, 0);
    EXPECT_EQ(labels[0].left, 105.0);
    EXPECT_EQ(labels[1].row, 0);
    EXPECT_EQ(labels[1].left, 305.0);
}

TEST(MarkLayout, AtTheRightEdgeWordsStandLeft) {
    std::vector<MarkLabel> labels{{390.0, 60.0, 1}};
    placeLabels(labels, 0.0, 400.0, 1, gap);
    EXPECT_EQ(labels[0].row, 0);
    EXPECT_EQ(labels[0].left, 325.0);
}

TEST(MarkLayout, CrowdedWordsAreStaggeredAndTheLeastImportantGo) {
    std::vector<MarkLabel> labels;
    for (int i = 0; i < 40; ++i) labels.push_back({200.0 + i, 90.0, i % 5});
    placeLabels(labels, 0.0, 400.0, 3, gap);
    expectApart(labels, 0.0, 400.0, 3);
    int placed = 0, least = 4;
    for (const MarkLabel& label : labels)
        if (label.row >= 0) {
            ++placed;
            least = std::min(least, label.priority);
        }
    EXPECT_EQ(placed, 6);  // three rows, one on each side of the crowd
    EXPECT_EQ(least, 4);
}

TEST(MarkLayout, OfEqualWordsTheNewestStay) {
    std::vector<MarkLabel> labels{{100.0, 390.0, 2}, {110.0, 280.0, 2}};
    placeLabels(labels, 0.0, 400.0, 1, gap);
    EXPECT_EQ(labels[0].row, -1);
    EXPECT_EQ(labels[1].row, 0);
}

TEST(MarkLayout, WithoutRoomNothingIsPlaced) {
    std::vector<MarkLabel> labels{{10.0, 500.0, 2}, {10.0, 5.0, 2}};
    placeLabels(labels, 0.0, 400.0, 0, gap);
    EXPECT_EQ(labels[0].row, -1);
    EXPECT_EQ(labels[1].row, -1);
}

TEST(MarkLayout, TheEndOfARunMattersMostAndSkippedStepsAreNotWritten) {
    EXPECT_GT(markPriority(Mark::Kind::earlyStop), markPriority(Mark::Kind::best));
    EXPECT_GT(markPriority(Mark::Kind::best), markPriority(Mark::Kind::learningRate));
    EXPECT_GT(markPriority(Mark::Kind::learningRate), markPriority(Mark::Kind::resumed));
    EXPECT_EQ(markPriority(Mark::Kind::skipped), 0);
}

}  // namespace
}  // namespace strata::ui
