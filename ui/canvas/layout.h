// Places of cards: rows by the longest way from the input, branches side by side. Pure; no Qt
// items.
#pragma once

#include <optional>
#include <vector>

#include "engine/graph/model.h"

namespace strata::ui {

inline constexpr double cardWidth = 330, cardHeight = 50, cardRadius = 7;
inline constexpr double rowPitch = 66, columnPitch = 370;

struct CardPlace {
    int row = 0, column = 0;
    double x = 0, y = 0;  // upper left corner, scene units = pixels at 100 %
};

// extra: how much taller each layer's card is for its error; rows below it move down.
// One place a layer, in the model's order. Layers of a cycle and unconnected ones stand in rows of
// their own at the end.
std::vector<CardPlace> layOut(const graph::Model& model, const graph::ModelReport& report,
                              const std::vector<double>& extra = {});

// Where an edge must pass beside cards: from the side of one to the side of the other.
struct SideWay {
    bool right = true;     // leaves and enters at the cards' right side, else at the left
    double reach = 0;      // how far the curve keeps from it, scene units
    bool crosses = false;  // enters at the other side of the target: between two columns
};

// For an edge that skips rows with cards of its columns, or goes up (a cycle); none for one that a
// line from below the source to above the target shows. skips: such edges so far, to keep them
// apart.
std::optional<SideWay> sideWay(const std::vector<CardPlace>& places, std::size_t source,
                               std::size_t target, int skips);

}  // namespace strata::ui
