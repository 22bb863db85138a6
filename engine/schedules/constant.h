// The optimizer's rate throughout.
#pragma once

#include "engine/schedules/schedule.h"

namespace strata::schedules {

const ScheduleDescription& constant();

}  // namespace strata::schedules
