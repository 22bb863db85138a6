// A plan with the kernels that run it, bound to addresses of an arena. Used by the executors and
// bound_program.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/device/arena.h"
#include "engine/ops/backend.h"

namespace strata::graph {

class CompiledProgram {
public:
    // Prepares every op. Throws Error naming the layer where the backend cannot.
    CompiledProgram(ops::Backend& backend, device::Device& device, const ops::Program& program);

    std::size_t scratch_bytes() const { return scratch_bytes_; }  // the most that one op needs
    std::size_t scratch_op() const { return scratch_op_; }        // which one that is
    // addresses: of each value, by id. scratch: scratch_bytes(), aligned.
    void bind(const ops::Program& program, const std::vector<void*>& addresses, void* scratch);
    void run(const ops::StepScalars& scalars) { run(scalars, 0, kernels_.size()); }
    // Its ops from begin to end, without end.
    void run(const ops::StepScalars& scalars, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) kernels_[i]->run(scalars);
    }
    // The same op by op: after each, seen(its number); false ends the run.
    void run(const ops::StepScalars& scalars, std::size_t begin, std::size_t end,
             const std::function<bool(std::size_t)>& seen) {
        for (std::size_t i = begin; i < end; ++i) {
            kernels_[i]->run(scalars);
            if (!seen(i)) return;
        }
    }

private:
    std::vector<std::unique_ptr<ops::Kernel>> kernels_;
    std::size_t scratch_bytes_ = 0, scratch_op_ = 0;
};

}  // namespace strata::graph
