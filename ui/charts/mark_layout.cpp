#include "ui/charts/mark_layout.h"

#include <algorithm>
#include <numeric>

namespace strata::ui {
namespace {

struct Taken {
    double left, right;
};

bool isFree(const std::vector<Taken>& row, double left, double right, double gap) {
    return std::none_of(row.begin(), row.end(), [&](const Taken& taken) {
        return left < taken.right + gap && taken.left < right + gap;
    });
}

}  // namespace

int markPriority(Mark::Kind kind) {
    switch (kind) {
        case Mark::Kind::earlyStop:
            return 5;
        case Mark::Kind::best:
            return 4;
        case Mark::Kind::learningRate:
            return 3;
        case Mark::Kind::clipLimit:
        case Mark::Kind::weightDecay:
            return 2;
        case Mark::Kind::resumed:
            return 1;
        case Mark::Kind::checkpoint:
        case Mark::Kind::failed:
        case Mark::Kind::skipped:
            break;
    }
    return 0;
}

void placeLabels(std::vector<MarkLabel>& labels, double low, double high, int rows, double gap) {
    std::vector<std::size_t> order(labels.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return labels[a].priority > labels[b].priority;
    });
    std::vector<std::vector<Taken>> taken(static_cast<std::size_t>(std::max(rows, 0)));
    for (const std::size_t index : order) {
        MarkLabel& label = labels[index];
        label.row = -1;
        for (std::size_t row = 0; row < taken.size() && label.row < 0; ++row)
            for (const double left : {label.x + gap, label.x - gap - label.width}) {
                const double right = left + label.width;
                if (left < low || right > high || !isFree(taken[row], left, right, gap)) continue;
                label.row = static_cast<int>(row);
                label.left = left;
                taken[row].push_back({left, right});
                break;
            }
    }
}

}  // namespace strata::ui
