// A machine of given speed, for tests of what the planner makes of times: none of them hangs on the
// machine that runs the test.
#pragma once

#include <algorithm>

#include "engine/graph/op_cost.h"
#include "engine/parallel/machine_speed.h"

namespace strata::parallel::testing {

class GivenSpeed : public MachineSpeed {
public:
    static constexpr double launch = 1e-6, flops = 2e10, bytes = 1e10;  // seconds; a second

    GivenSpeed() {
        links_.copy = {8e9, 20e-6};
        links_.telling = 4e-6;
        links_.awake = 0.5e-6;
        links_.sum = {4e9, 1e-6};
        links_.order = 30e-6;
    }

    double seconds_of(const device::Device& /*device*/, const ops::Program& program,
                      const ops::Op& op) const override {
        const graph::OpCost cost = graph::cost_of(program, op);
        return launch + std::max(cost.flops / flops, cost.bytes / bytes);
    }
    const LinkSpeed& links(const std::vector<std::string>& /*devices*/) const override {
        return links_;
    }
    double slowdown(int /*threads*/, double /*seconds*/) const override { return slowdown_; }

    LinkSpeed links_;
    double slowdown_ = 1.0;
};

inline const GivenSpeed& given_speed() {
    static const GivenSpeed speed;
    return speed;
}

}  // namespace strata::parallel::testing
