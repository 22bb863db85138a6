#include "ui/canvas/lanes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "ui/document/placement_edits.h"

namespace strata::ui {

double laneHeaderHeight(int replicas) {
    if (replicas < 2) return laneHeader;
    return laneHeader + std::min(replicas - 1, mostCopyLines) * copyLine + copiesPadding;
}

LaneWidths laneWidths(const graph::Model& model, const graph::ModelReport& report, double room) {
    const LaneLayout narrowest = layOutLanes(model, report, {}, {0, 0});
    double taken = 0;  // by what is no card
    for (const Lane& lane : narrowest.lanes) taken = lane.left + lane.width;
    std::map<int, bool> columns;
    for (const CardPlace& place : narrowest.places) columns[place.column] = true;
    const auto count = static_cast<double>(std::max<std::size_t>(columns.size(), 1));
    LaneWidths widths;
    widths.card =
        std::clamp(std::floor((room - taken - leastNewLane) / count), leastCardWidth, cardWidth);
    widths.newLane = std::clamp(room - taken - count * widths.card, leastNewLane, newLaneWidth);
    return widths;
}

LaneLayout layOutLanes(const graph::Model& model, const graph::ModelReport& report,
                       const std::vector<double>& extra, const LaneWidths& widths) {
    const double pitch = widths.card + cardGap;
    LaneLayout out;
    out.places = layOut(model, report, extra);
    double left = 0;
    int columns = 0;  // of the lanes so far: the numbers of two lanes' columns differ
    for (const std::string& device : devicesOf(model)) {
        std::vector<std::size_t> cards;
        for (std::size_t i = 0; i < model.layers.size(); ++i)
            if (model.layers[i].device == device) cards.push_back(i);
        std::stable_sort(cards.begin(), cards.end(), [&](std::size_t a, std::size_t b) {
            return out.places[a].column < out.places[b].column;
        });
        // To the left where the row has room: branches beside them may stand in other lanes.
        std::map<int, int> used;  // of each row
        int most = 1;
        for (const std::size_t i : cards) {
            CardPlace& place = out.places[i];
            const int column = used[place.row]++;
            most = std::max(most, column + 1);
            place.column = columns + column;
            place.x = left + lanePadding + column * pitch;
        }
        const double width = 2 * lanePadding + (most - 1) * pitch + widths.card;
        out.lanes.push_back({device, left, width, false});
        left += width + laneGap;
        columns += most;
    }
    out.lanes.push_back({nextDevice(model), left, widths.newLane, true});
    return out;
}

const Lane* laneAt(const std::vector<Lane>& lanes, double x) {
    const Lane* nearest = nullptr;
    double best = 0;
    for (const Lane& lane : lanes) {
        const double away = std::max({lane.left - x, x - lane.left - lane.width, 0.0});
        if (nearest == nullptr || away < best) {
            nearest = &lane;
            best = away;
        }
    }
    return nearest;
}

}  // namespace strata::ui
