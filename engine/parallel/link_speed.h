// How fast bytes and signals go between devices of this process: measured once for each number or
// list of devices, in some milliseconds. Used by the planner; no part of training.
#pragma once

#include <string>
#include <vector>

#include "engine/parallel/cost_formulas.h"

namespace strata::parallel {

struct LinkSpeed {
    Link copy;             // a device writes into another's memory and tells it so; it sleeps
    double telling = 0.0;  // seconds that it takes the device that tells one which sleeps
    double awake = 0.0;    // latency of what is told to a device that still looks for it, seconds
    Link sum;              // for all_reduce_seconds() over `devices` of them
    double order = 0.0;    // to set all devices to work and to learn that they are done, seconds
};

// CPU devices. devices: that work at once, at least 1; of one alone only copies mean anything.
// What is measured while the process trains counts for that long only. Thread-safe; the answer
// lives to the end.
const LinkSpeed& measured_links(int devices);
// The same between these: of GPUs alone in their own time, where there are two or more; of two
// kinds, which exchange through the host's memory, as between CPU devices.
const LinkSpeed& measured_links(const std::vector<std::string>& devices);

}  // namespace strata::parallel
