#include "engine/schedules/constant.h"

namespace strata::schedules {

const ScheduleDescription& constant() {
    static const ScheduleDescription description{
        .type = "Constant",
        .doc = "The optimizer's learning rate from the first update to the last.",
        .params = {},
        .rate = [](const layers::Config&, double base_rate, std::int64_t, std::int64_t) {
            return base_rate;
        }};
    return description;
}

}  // namespace strata::schedules
