// What holds a training up: the device, a stage of the pipeline, or neither. One rule for the log
// and for the studio's stage view.
#pragma once

#include <cstddef>

namespace strata::data {

inline constexpr int device_limits = -1, nothing_limits = -2;

// The index of the stage that is at its limit: the busiest, where the device waits for at least 2 %
// of the time and the stages, which share their threads, work for at least 70 % of theirs.
// device_limits where it hardly waits; nothing_limits where it waits while the stages rest (a wait
// for threads to wake, or an epoch's begin). Stages: each with `busy`, a share of time.
template <typename Stages>
int limiting_stage(const Stages& stages, double wait_share) {
    if (wait_share < 0.02) return device_limits;
    double work = 0.0, most = 0.0;
    int busiest = nothing_limits;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        work += stages[i].busy;
        if (stages[i].busy <= most) continue;
        most = stages[i].busy;
        busiest = static_cast<int>(i);
    }
    return work < 0.7 ? nothing_limits : busiest;
}

}  // namespace strata::data
