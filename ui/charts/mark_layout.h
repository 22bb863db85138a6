// Where the words of the marks on a chart stand, so that none covers another. Used by the chart
// panels; knows no painting.
#pragma once

#include <cstddef>
#include <vector>

#include "ui/charts/run_store.h"

namespace strata::ui {

struct MarkLabel {
    double x = 0.0;      // of the mark's line, in pixels
    double width = 0.0;  // of the words
    int priority = 0;    // the higher one is placed first; of equal ones the last
    // Found by placeLabels():
    int row = -1;  // from the top; -1: there is no room
    double left = 0.0;
};

// Which words matter most where not all have room.
int markPriority(Mark::Kind kind);

// Gives each label a place right or left of its line in one of `rows` rows between low and high,
// with `gap` to its line and to the next label.
void placeLabels(std::vector<MarkLabel>& labels, double low, double high, int rows, double gap);

}  // namespace strata::ui
