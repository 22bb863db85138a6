// What a plan's warning proposes, in the studio's language, and as an edit of the project.
#pragma once

#include <QString>

#include "engine/parallel/planner.h"
#include "engine/train/run_config.h"

namespace strata::ui {

// "batch size 4 with 2 accumulated batches", "hidden, classes on cpu:1".
QString changeText(const parallel::PlanChange& change);
// "1.8 MiB on cpu:1, which fits · 12 % more time a sample". asked: whether the plan's own limits
// are what it does or does not fit.
QString changeEffect(const parallel::PlanFix& fix, const parallel::PlanWarning& warning,
                     bool asked = true);
void applyChange(train::RunConfig& config, const parallel::PlanChange& change);

}  // namespace strata::ui
