// A plan with the kernels that run it, bound to addresses of an arena. Used by the executors and
// bound_program.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/arena.h"
#include "engine/ops/backend.h"
#include "engine/ops/queued_device.h"

namespace strata::graph {

// Where the device can record work (a GPU), a range of ops that runs for the second time is
// recorded, and queued by one call from then on; else op by op.
class CompiledProgram {
public:
    // Prepares every op. Throws Error naming the layer where the backend cannot.
    CompiledProgram(ops::Backend& backend, device::Device& device, const ops::Program& program);

    std::size_t scratch_bytes() const { return scratch_bytes_; }  // the most that one op needs
    std::size_t scratch_op() const { return scratch_op_; }        // which one that is
    // addresses: of each value, by id. scratch: scratch_bytes(), aligned.
    void bind(const ops::Program& program, const std::vector<void*>& addresses, void* scratch);
    // An Error names layer and op.
    void run(const ops::StepScalars& scalars) { run(scalars, 0, kernels_.size()); }
    // Its ops from begin to end, without end.
    void run(const ops::StepScalars& scalars, std::size_t begin, std::size_t end);
    // The same op by op: after each, seen(its number); false ends the run.
    void run(const ops::StepScalars& scalars, std::size_t begin, std::size_t end,
             const std::function<bool(std::size_t)>& seen);
    // Why a range cannot be recorded, in words; "" where none was refused.
    const std::string& refusal() const { return refusal_; }

private:
    struct Range {
        bool ran = false, refused = false;
        std::unique_ptr<ops::Recording> recording;
    };

    void run_op(std::size_t i, const ops::StepScalars& scalars);
    void run_ops(const ops::StepScalars& scalars, std::size_t begin, std::size_t end);
    bool replay(const ops::StepScalars& scalars, std::size_t begin, std::size_t end);

    ops::QueuedDevice* queued_;  // null: works as it is called
    std::vector<std::unique_ptr<ops::Kernel>> kernels_;
    std::vector<std::string> names_;  // of the ops, for messages
    std::map<std::pair<std::size_t, std::size_t>, Range> ranges_;
    std::string refusal_;
    std::size_t scratch_bytes_ = 0, scratch_op_ = 0;
};

}  // namespace strata::graph
