// A small program with a device, memory and kernels of its own, to be run by itself: a layer's for
// tests and help, an op's to be timed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/device/arena.h"
#include "engine/graph/compiled_program.h"
#include "engine/graph/memory_plan.h"

namespace strata::graph {

// All values are activations.
class BoundProgram {
public:
    // results: values that are read after the program. Throws Error: the device, its memory, an op.
    BoundProgram(const ops::Program& program, const std::vector<ops::ValueId>& results,
                 const std::string& device_id, const device::DeviceOptions& options);

    device::Device& device() const { return *device_; }
    void* address(ops::ValueId id) const { return addresses_[static_cast<std::size_t>(id)]; }
    void run(const ops::StepScalars& scalars) { code_->run(scalars); }

private:
    std::unique_ptr<device::Device> device_;
    std::unique_ptr<device::Arena> arena_;
    std::unique_ptr<CompiledProgram> code_;
    std::vector<void*> addresses_;
};

}  // namespace strata::graph
