// What one device of a placed model holds and runs: its layers' variables, an arena, and a program
// for each of its stages. Used by the placed executor; one thread at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/device/arena.h"
#include "engine/graph/compiled_program.h"
#include "engine/graph/executor.h"
#include "engine/graph/stage_memory.h"
#include "engine/ops/backend.h"

namespace strata::parallel {

// How many micro-batches each group of a stage's slots holds at a time: group 0, then what it
// receives, in the order of the plan's ports.
using SlotCounts = std::function<std::vector<int>(int stage, const graph::Plan& plan)>;

class DevicePart {
public:
    static constexpr int no_stage = -1;  // of the update and the refreshing
    using AddressOf = std::function<void*(ops::ValueId)>;
    using Watch =
        std::function<bool(const graph::Plan&, const ops::Op&, device::Device&, const AddressOf&)>;

    // state: of this device's layers, which make up so many stages. Opens the device; allocates
    // nothing.
    DevicePart(const std::string& device, const device::DeviceOptions& options,
               graph::StateLayout state, int stages, SlotCounts slots);
    ~DevicePart();

    const graph::StateLayout& state() const { return state_; }
    // Of the trainable array, what this device's optimizer keeps slots of and updates; before the
    // update is planned.
    void own(std::vector<ops::Segment> segments) { state_.owned = std::move(segments); }
    device::Device& device() const { return *device_; }
    ops::Backend& backend() const { return *backend_; }
    const device::Arena& arena() const { return *arena_; }

    // ---- planning
    // A program of a stage for micro-batches of plan.batch samples, or without a stage (-1) the
    // update and the refreshing. micro_batches: how many a call may bring.
    void add(int stage, graph::Plan plan, int micro_batches);
    bool has(int stage, graph::Mode mode, std::int64_t batch) const;
    const graph::Plan& plan(int stage, graph::Mode mode, std::int64_t batch) const;
    device::MemoryBudget budget() const;
    // Allocates the arena and binds all programs; where there is one already, its state moves.
    void place();

    // ---- running
    void* address(int stage, graph::Mode mode, std::int64_t batch, int micro_batch,
                  ops::ValueId value) const;
    void run(int stage, graph::Mode mode, std::int64_t batch, int micro_batch, bool backward,
             const ops::StepScalars& scalars) const;
    // Its ops from begin to end, without end.
    void run_ops(int stage, graph::Mode mode, std::int64_t batch, int micro_batch,
                 const ops::StepScalars& scalars, std::size_t begin, std::size_t end) const;
    // The same op by op; after: each op's number when it has run; false ends it.
    void run_by_op(int stage, graph::Mode mode, std::int64_t batch, int micro_batch, bool backward,
                   const ops::StepScalars& scalars,
                   const std::function<bool(std::size_t)>& after) const;
    // The same op by op: watch looks at each that has run, and ends it by false.
    void run(int stage, graph::Mode mode, std::int64_t batch, int micro_batch, bool backward,
             const ops::StepScalars& scalars, const Watch& watch) const;

    // The moving averages of batch statistics, float32 behind the trainable variables.
    void* statistics() const {
        return arena_->at(device::Category::weights, state_.trainable_bytes);
    }
    std::size_t statistics_bytes() const { return state_.weight_bytes - state_.trainable_bytes; }

    // The sum of the squares of the gradients that this device owns and that are no copies: of one
    // part that it owns, or of all; then read. With the sum over all devices, the update of the
    // weights that it owns. refresh() when all weights are there.
    void square_part(std::size_t part) const;
    void square_gradients() const;
    double sum_of_squares() const;
    // after: the number of each part that it owns, when that is updated.
    void update(const ops::StepScalars& scalars, double squares,
                const std::function<void(std::size_t)>& after = nullptr) const;
    // What is computed from the weights has to follow them.
    void refresh() const;

private:
    using Key = std::tuple<int, graph::Mode, std::int64_t>;  // stage, mode, batch
    struct Pass;
    // Of a stage: as large for all sizes of micro-batches, since one batch may have two.
    struct SlotGroup {
        device::MemoryBudget begin, slot;  // where the first one is, and the bytes of each
        std::size_t count = 1;
    };
    struct Layout {
        device::MemoryBudget all, shared;
        std::size_t scratch = 0;  // where it begins in the workspace
        std::map<int, std::vector<SlotGroup>> groups;
    };

    Layout lay_out() const;
    void bind(Pass& pass);
    std::vector<void*> addresses(const Pass& pass, int micro_batch) const;
    const Pass& update_pass() const;
    const Pass& pass(int stage, graph::Mode mode, std::int64_t batch) const;

    std::unique_ptr<device::Device> device_;
    ops::Backend* backend_ = nullptr;
    graph::StateLayout state_;
    int stages_ = 1;
    SlotCounts slots_;
    std::map<Key, std::unique_ptr<Pass>> passes_;
    std::unique_ptr<device::Arena> arena_;
    Layout layout_;  // of the arena
};

}  // namespace strata::parallel
