// What the pipeline's chart says in words. Used by the chart and the techniques.
#pragma once

#include <QString>
#include <optional>

#include "engine/parallel/planner.h"
#include "engine/train/events.h"

namespace strata::ui {

// "Idle: 12 % measured, 11 % predicted, 11 % by the formula", or "" where one device does it all.
QString idleSentence(const std::optional<parallel::PlacementPlan>& plan,
                     const std::optional<train::TimelineEvent>& measured);
QString timelineHint();  // what to do where there is no pipeline

}  // namespace strata::ui
