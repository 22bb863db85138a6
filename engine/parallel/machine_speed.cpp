#include "engine/parallel/machine_speed.h"

#include "engine/graph/device_rates.h"
#include "engine/parallel/pace.h"

namespace strata::parallel {
namespace {

class MeasuredSpeed final : public MachineSpeed {
public:
    double seconds_of(const device::Device& device, const ops::Program& program,
                      const ops::Op& op) const override {
        const std::string& id = device.info().id;
        device::DeviceOptions options = device.options();
        options.memory_limit = 0;
        return graph::rates_of(id.starts_with("cpu:") ? "cpu:0" : id, options)
            .seconds_of(program, op);
    }
    const LinkSpeed& links(const std::vector<std::string>& devices) const override {
        return measured_links(devices);
    }
    double slowdown(int threads, double seconds) const override {
        return measured_pace(threads).slowdown(seconds);
    }
};

}  // namespace

const MachineSpeed& measured_speed() {
    static const MeasuredSpeed speed;
    return speed;
}

}  // namespace strata::parallel
