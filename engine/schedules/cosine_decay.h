// Half a cosine from the rate down to a share of it, once or with restarts (Loshchilov and Hutter,
// arXiv 1608.03983).
#pragma once

#include "engine/schedules/schedule.h"

namespace strata::schedules {

const ScheduleDescription& cosine_decay();
const ScheduleDescription& cosine_decay_restarts();

}  // namespace strata::schedules
