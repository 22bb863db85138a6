// The devices of all the processes that train together, as rank 0 tells of them: what each has
// planned, and what each measures while it trains. Used by the trainer and its reporter.
#pragma once

#include <string>
#include <vector>

#include "engine/train/events.h"
#include "engine/train/world.h"

namespace strata::train {

// Of a device in a run of several processes: "rank1/cpu:0".
std::string device_of_rank(int rank, const std::string& device);

// plan: of this process; then with the devices and the memory of all. One process alone leaves it
// as it is. All ranks together; throws as World does.
void join_devices(PlanEvent& plan, World& world);

// The readings of all ranks at this moment. own: of this process, empty where it has none yet;
// names: of the joined plan's devices. A device that has told nothing is left out. All ranks
// together; throws as World does.
MonitorEvent join_readings(const MonitorEvent& own, const std::vector<std::string>& names,
                           World& world);

}  // namespace strata::train
