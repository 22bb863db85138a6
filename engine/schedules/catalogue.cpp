// All schedules that there are, in menu order.
#include "engine/layers/names.h"
#include "engine/schedules/constant.h"
#include "engine/schedules/cosine_decay.h"
#include "engine/schedules/exponential_decay.h"
#include "engine/schedules/polynomial_decay.h"
#include "engine/schedules/step_decay.h"

namespace strata::schedules {

const std::vector<const ScheduleDescription*>& catalogue() {
    static const std::vector<const ScheduleDescription*> all{
        &constant(),         &step_decay(),   &piecewise_constant_decay(), &exponential_decay(),
        &polynomial_decay(), &cosine_decay(), &cosine_decay_restarts()};
    return all;
}

const ScheduleDescription& find_schedule(std::string_view type) {
    std::vector<std::string> types;
    for (const ScheduleDescription* schedule : catalogue()) {
        if (layers::equal_ignoring_case(type, schedule->type)) return *schedule;
        types.push_back(schedule->type);
    }
    layers::refuse_unknown_name("learning-rate schedule", type, "type", types);
}

}  // namespace strata::schedules
