// The canvas as device lanes: a column a device, rows as in the stack, so that a card moved to
// another lane keeps its height. Pure; no Qt items.
#pragma once

#include <string>
#include <vector>

#include "ui/canvas/layout.h"

namespace strata::ui {

inline constexpr double laneHeader = 40, laneGap = 8, lanePadding = 16;
// Where room is short cards and the new lane get narrower, and text stays as large as it is.
inline constexpr double leastCardWidth = 264, newLaneWidth = 130, leastNewLane = 76;
inline constexpr double cardGap = columnPitch - cardWidth;  // of two cards beside each other
inline constexpr double copyLine = 20, copiesPadding = 6;
inline constexpr int mostCopyLines = 3;  // further copies are counted

// Of a header: the device's line, and a line for each further copy of the model.
double laneHeaderHeight(int replicas);

struct Lane {
    std::string device;
    double left = 0, width = 0;
    bool isNew = false;  // the last one: no layer stands there yet
};

struct LaneLayout {
    std::vector<Lane> lanes;
    std::vector<CardPlace> places;  // one a layer, in the model's order
};

struct LaneWidths {
    double card = cardWidth, newLane = newLaneWidth;
    friend bool operator==(const LaneWidths&, const LaneWidths&) = default;
};

// With which all lanes have room beside each other, as far as cards may shrink.
LaneWidths laneWidths(const graph::Model& model, const graph::ModelReport& report, double room);
// extra: as of layOut().
LaneLayout layOutLanes(const graph::Model& model, const graph::ModelReport& report,
                       const std::vector<double>& extra = {}, const LaneWidths& widths = {});
// The lane at x, or the nearest one.
const Lane* laneAt(const std::vector<Lane>& lanes, double x);

}  // namespace strata::ui
