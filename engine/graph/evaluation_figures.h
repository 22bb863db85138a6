// What evaluations give, on their way from the device to the host: two at most, the earliest first.
// Used by the executor of one device.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "engine/graph/model_executor.h"

namespace strata::graph {

// In pinned memory, read when the copy's event is done: nobody waits before.
class EvaluationFigures {
public:
    // The device outlives the figures.
    EvaluationFigures(device::Device& device, std::size_t metrics);
    ~EvaluationFigures();
    EvaluationFigures(const EvaluationFigures&) = delete;
    EvaluationFigures& operator=(const EvaluationFigures&) = delete;

    // Throw Error{internal} where queue() would have no room, and where any is not waited for.
    void require_room() const { turns_.next(); }
    void require_none() const { turns_.require_none(); }
    // results: loss and metrics side by side on the device, behind the pass that makes them.
    void queue(const void* results);
    // Of the earliest that was queued and not waited for, which is over then, come what may. Throws
    // Error where the device has failed. Valid until the next queue().
    const BatchResult& wait();

private:
    struct Slot {
        double* numbers = nullptr;
        std::unique_ptr<device::Event> came;  // null where copies are done at once
        BatchResult result;
    };

    device::Device& device_;
    std::size_t count_;  // float64 numbers of one evaluation
    double* numbers_ = nullptr;
    std::array<Slot, EvaluationTurns::most> slots_;
    EvaluationTurns turns_;
};

}  // namespace strata::graph
