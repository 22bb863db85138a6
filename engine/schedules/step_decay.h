// Rates that change in steps: by a factor at equal intervals (PyTorch's StepLR), or from a list.
#pragma once

#include "engine/schedules/schedule.h"

namespace strata::schedules {

const ScheduleDescription& step_decay();
const ScheduleDescription& piecewise_constant_decay();

}  // namespace strata::schedules
