// No value and no extreme may be lost between the store and the screen.
#include "ui/charts/series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "ui/charts/decimate.h"

namespace strata::ui {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Extent slowExtent(const Series& series, std::size_t first, std::size_t last) {
    Extent extent;
    for (std::size_t i = first; i < std::min(last, series.size()); ++i) extent.add(series[i]);
    return extent;
}

Series randomSeries(std::size_t size) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    Series series;
    for (std::size_t i = 0; i < size; ++i) series.append(normal(random));
    return series;
}

TEST(Series, KeepsEveryValueExactly) {
    const Series series = randomSeries(20000);
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    ASSERT_EQ(series.size(), 20000U);
    for (std::size_t i = 0; i < series.size(); ++i) ASSERT_EQ(series[i], normal(random)) << i;
}

TEST(Series, ExtentOfAnyRangeIsThatOfItsValues) {
    const Series series = randomSeries(10007);
    std::mt19937 random(3);
    for (int i = 0; i < 3000; ++i) {
        std::size_t first = random() % 10100, last = random() % 10100;
        if (first > last) std::swap(first, last);
        ASSERT_EQ(series.extent(first, last), slowExtent(series, first, last))
            << first << ' ' << last;
    }
}

TEST(Series, ExtentHoldsAtEverySize) {
    Series series;
    for (std::size_t size = 1; size < 600; ++size) {
        series.append(static_cast<double>((size * 7919) % 1009));
        ASSERT_EQ(series.extent(0, size), slowExtent(series, 0, size)) << size;
        ASSERT_EQ(series.extent(size / 3, size), slowExtent(series, size / 3, size)) << size;
    }
}

TEST(Series, TruncatedSeriesForgetsExtremesBehindTheCut) {
    Series series;
    for (int i = 0; i < 5000; ++i) series.append(i);
    series.truncate(1234);
    EXPECT_EQ(series.extent(0, 9999), (Extent{0.0, 1233.0}));
    series.append(-5.0);
    EXPECT_EQ(series.size(), 1235U);
    EXPECT_EQ(series.extent(0, 1235), (Extent{-5.0, 1233.0}));
    EXPECT_EQ(series.extent(1, 1234), (Extent{1.0, 1233.0}));
}

TEST(Series, ValuesThatAreNotFiniteAreKeptButNoExtremes) {
    Series series;
    for (const double value : {1.0, nan, std::numeric_limits<double>::infinity(), -2.0})
        series.append(value);
    EXPECT_TRUE(std::isnan(series[1]));
    EXPECT_EQ(series.extent(0, 4), (Extent{-2.0, 1.0}));
    EXPECT_TRUE(series.extent(1, 3).empty());
}

TEST(Column, CopyIsNotTouchedByLaterChanges) {
    Column column;
    for (int i = 0; i < 5000; ++i) column.append(i);
    const Column copy = column;
    column.truncate(4500);
    for (int i = 0; i < 500; ++i) column.append(-1.0);
    EXPECT_EQ(copy.size(), 5000U);
    EXPECT_EQ(copy[4600], 4600.0);
    EXPECT_EQ(column[4600], -1.0);
}

TEST(Column, FindsBounds) {
    Column column;
    for (const double value : {1.0, 2.0, 2.0, 5.0}) column.append(value);
    EXPECT_EQ(column.lowerBound(2.0), 1U);
    EXPECT_EQ(column.upperBound(2.0), 3U);
    EXPECT_EQ(column.lowerBound(6.0), 4U);
    EXPECT_EQ(column.lowerBound(0.0, 2), 2U);
}

std::vector<double> evenEdges(double from, double to, int columns) {
    std::vector<double> edges;
    for (int i = 0; i <= columns; ++i) edges.push_back(from + (to - from) * i / columns);
    return edges;
}

TEST(Decimate, EachColumnKeepsItsExtremes) {
    const Series values = randomSeries(300000);
    Column x;
    for (std::size_t i = 0; i < values.size(); ++i) x.append(static_cast<double>(i));
    const std::vector<double> edges = evenEdges(1000.0, 250000.0, 500);
    std::vector<QPointF> line;
    decimate(x, values, edges, line);
    EXPECT_LE(line.size(), 4U * 500U + 2U);
    for (std::size_t column = 0; column + 1 < edges.size(); ++column) {
        Extent drawn;
        for (const QPointF& point : line)
            if (point.x() >= edges[column] && point.x() < edges[column + 1]) drawn.add(point.y());
        const Extent all =
            values.extent(x.lowerBound(edges[column]), x.lowerBound(edges[column + 1]));
        ASSERT_EQ(drawn, all) << column;
    }
}

TEST(Decimate, ASingleSpikeInAMillionPointsIsDrawn) {
    Series values;
    Column x;
    for (int i = 0; i < 1000000; ++i) {
        x.append(i);
        values.append(i == 654321 ? 42.0 : 0.0);
    }
    std::vector<QPointF> line;
    decimate(x, values, evenEdges(0.0, 999999.0, 400), line);
    EXPECT_TRUE(
        std::any_of(line.begin(), line.end(), [](const QPointF& p) { return p.y() == 42.0; }));
}

TEST(Decimate, FewPointsAreAllDrawnWithOneNeighbourBeyondEachSide) {
    Series values;
    Column x;
    for (int i = 0; i < 100; ++i) {
        x.append(i);
        values.append(i * i);
    }
    std::vector<QPointF> line;
    decimate(x, values, evenEdges(10.0, 20.0, 400), line);
    ASSERT_EQ(line.size(), 13U);
    EXPECT_EQ(line.front(), QPointF(9.0, 81.0));
    EXPECT_EQ(line.back(), QPointF(21.0, 441.0));
}

TEST(Decimate, ValuesThatAreNotFiniteMakeGaps) {
    Series values;
    Column x;
    for (int i = 0; i < 3; ++i) {
        x.append(i);
        values.append(i == 1 ? std::numeric_limits<double>::infinity() : 1.0);
    }
    std::vector<QPointF> line;
    decimate(x, values, evenEdges(0.0, 2.0, 10), line);
    ASSERT_EQ(line.size(), 3U);
    EXPECT_TRUE(std::isnan(line[1].y()));
}

}  // namespace
}  // namespace strata::ui
