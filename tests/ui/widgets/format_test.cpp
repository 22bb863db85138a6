// Texts in little room.
#include "ui/widgets/format.h"

#include <gtest/gtest.h>

#include <QFontMetricsF>

#include "ui/widgets/theme.h"

namespace strata::ui {
namespace {

TEST(ElidedFacts, LeavesWholeFactsOutFirst) {
    const QFontMetricsF metrics(Theme::secondary());
    const QString all = QStringLiteral("32 filters · 3 × 3 · relu");
    const double whole = metrics.horizontalAdvance(all);
    EXPECT_EQ(elidedFacts(all, metrics, whole), all);
    const QString fewer = elidedFacts(all, metrics, whole - 1);
    EXPECT_EQ(fewer, QStringLiteral("32 filters · 3 × 3 · …"));
    const double two = metrics.horizontalAdvance(fewer);
    EXPECT_EQ(elidedFacts(all, metrics, two - 1), QStringLiteral("32 filters · …"));
    const QString least = elidedFacts(all, metrics, metrics.horizontalAdvance("32 fil…"));
    EXPECT_TRUE(least.startsWith("32") && least.endsWith(QChar(0x2026))) << least.toStdString();
    EXPECT_FALSE(least.contains(QStringLiteral("·")));
}

}  // namespace
}  // namespace strata::ui
