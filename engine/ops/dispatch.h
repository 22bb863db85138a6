// The one place that maps a device's id to the backend that runs its ops.
// Composed by engine/graph/runtime; backends do not register themselves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/ops/backend.h"

namespace strata::ops {

class Dispatch {
public:
    void add(std::shared_ptr<Backend> backend);

    std::vector<device::DeviceInfo> devices() const;  // of all backends, in the order of add()
    // "cpu:0". Throws Error{not_found} with the devices that there are, or the reason why there is
    // none of the kind.
    std::unique_ptr<device::Device> open(const std::string& id,
                                         const device::DeviceOptions& options) const;
    Backend& backend(const device::Device& device) const;
    // Null where nothing is known of the device, or there is none of this name.
    std::unique_ptr<device::Monitor> monitor(const std::string& id) const;

private:
    std::vector<std::shared_ptr<Backend>> backends_;
};

}  // namespace strata::ops
