// A rate that shrinks by a factor in every decay_steps updates, smoothly or in steps.
#pragma once

#include "engine/schedules/schedule.h"

namespace strata::schedules {

const ScheduleDescription& exponential_decay();

}  // namespace strata::schedules
