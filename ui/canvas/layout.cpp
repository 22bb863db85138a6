#include "ui/canvas/layout.h"

#include <algorithm>
#include <set>

namespace strata::ui {

std::vector<CardPlace> layOut(const graph::Model& model, const graph::ModelReport& report) {
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
    return places;
}

}  // namespace strata::ui
