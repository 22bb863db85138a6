// The canvas as device lanes: a column a device, rows as in the stack, so that a card moved to
// another lane keeps its height. Pure; no Qt items.
#pragma once

#include <string>
#include <vector>

#include "ui/canvas/layout.h"

namespace strata::ui {

inline constexpr double laneHeader = 40, laneGap = 12, lanePadding = 32, newLaneWidth = 130;
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

// extra: as of layOut().
LaneLayout layOutLanes(const graph::Model& model, const graph::ModelReport& report,
                       const std::vector<double>& extra = {});
// The lane at x, or the nearest one.
const Lane* laneAt(const std::vector<Lane>& lanes, double x);

}  // namespace strata::ui
