// Learning-rate schedules: one description each. A schedule is a pure function of the update's
// index; warm-up and reduction on a plateau are added by LearningRate.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/layers/spec.h"

namespace strata::schedules {

struct ScheduleDescription {
    std::string type;  // Keras class name where Keras has it: "CosineDecay"
    std::string doc;
    std::vector<layers::ParamSpec> params;
    // The rate of update `update`, from 0 at the warm-up's end. total_updates: how many there are
    // from there to the run's end, at least 1.
    std::function<double(const layers::Config&, double base_rate, std::int64_t update,
                         std::int64_t total_updates)>
        rate;
    // What the params alone do not say; throws Error{invalid_argument}, where = the key. May be
    // empty.
    std::function<void(const layers::Config&)> check = {};
    bool ignores_base_rate = false;  // its config holds the rates themselves
};

const std::vector<const ScheduleDescription*>& catalogue();
const ScheduleDescription& find_schedule(
    std::string_view type);  // throws Error{not_found} with the nearest name

}  // namespace strata::schedules
