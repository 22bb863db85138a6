// What the planner has to know of the machine to predict times: measured, or given. Implemented by
// measured_speed(), and by tests, whose times must not hang on the machine.
#pragma once

#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/ops/op.h"
#include "engine/parallel/link_speed.h"

namespace strata::parallel {

class MachineSpeed {
public:
    virtual ~MachineSpeed() = default;

    // Of an op of a program, on a device like this one with nothing beside it.
    virtual double seconds_of(const device::Device& device, const ops::Program& program,
                              const ops::Op& op) const = 0;
    // Between these devices.
    virtual const LinkSpeed& links(const std::vector<std::string>& devices) const = 0;
    // The factor, at least 1, for work of so many seconds on each of so many threads at a time.
    virtual double slowdown(int threads, double seconds) const = 0;
};

// Measures what it is asked for and does not know yet; CPU devices of as many threads are alike.
// Thread-safe; lives to the end.
const MachineSpeed& measured_speed();

}  // namespace strata::parallel
