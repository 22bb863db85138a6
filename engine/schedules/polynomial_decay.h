// A rate that falls along a power of the way that is left, down to end_learning_rate.
#pragma once

#include "engine/schedules/schedule.h"

namespace strata::schedules {

const ScheduleDescription& polynomial_decay();

}  // namespace strata::schedules
