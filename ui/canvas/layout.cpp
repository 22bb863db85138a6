#include "ui/canvas/layout.h"

#include <algorithm>
#include <map>
#include <set>

namespace strata::ui {

namespace {

// Rows below a taller card move down.
void makeRoom(std::vector<CardPlace>& places, const std::vector<double>& extra) {
    std::map<int, double> rows;
    for (std::size_t i = 0; i < extra.size(); ++i) {
        double& row = rows[places[i].row];
        row = std::max(row, extra[i]);
    }
    for (CardPlace& place : places)
        for (const auto& [row, height] : rows)
            if (row < place.row) place.y += height;
}

}  // namespace

std::vector<CardPlace> layOut(const graph::Model& model, const graph::ModelReport& report,
                              const std::vector<double>& extra) {
    std::vector<CardPlace> places(model.layers.size());
    std::vector<bool> placed(model.layers.size(), false);
    std::set<std::pair<int, int>> taken;
    int rows = 0;
    const auto put = [&](std::size_t i, int row, int column) {
        while (taken.count({row, column}) > 0) ++column;
        taken.insert({row, column});
        places[i] = {row, column, column * columnPitch, row * rowPitch};
        placed[i] = true;
        rows = std::max(rows, row + 1);
    };
    for (int index : report.order) {
        const auto i = static_cast<std::size_t>(index);
        int row = 0, column = 0;
        bool first = true;
        for (const std::string& input : model.layers[i].inputs) {
            const CardPlace& source = places[static_cast<std::size_t>(model.index_of(input))];
            row = std::max(row, source.row + 1);
            column = first ? source.column : std::min(column, source.column);
            first = false;
        }
        put(i, row, column);
    }
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!placed[i]) put(i, rows, 0);
    makeRoom(places, extra);
    return places;
}

std::optional<SideWay> sideWay(const std::vector<CardPlace>& places, std::size_t source,
                               std::size_t target, int skips) {
    constexpr int tracks = 4;
    const CardPlace &from = places[source], &to = places[target];
    const double reach = 12 + 6.0 * (skips % tracks);
    if (to.row <= from.row) return SideWay{false, 2 * reach, false};
    const bool hidden = std::any_of(places.begin(), places.end(), [&](const CardPlace& card) {
        return card.row > from.row && card.row < to.row &&
               (card.column == from.column || card.column == to.column);
    });
    if (!hidden) return {};
    if (from.column == to.column) return SideWay{true, reach, false};
    return SideWay{from.column < to.column, reach, true};
}

}  // namespace strata::ui
