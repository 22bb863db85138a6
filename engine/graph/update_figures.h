// What an update's window gave, on its way from the device to the host. Used by the executor of one
// device.
#pragma once

#include <memory>

#include "engine/graph/model_executor.h"

namespace strata::graph {

// In pinned memory, read when the copy's event is done: nobody waits before.
class UpdateFigures {
public:
    // update: a plan of Mode::update. The device outlives the figures.
    UpdateFigures(device::Device& device, const Plan& update);
    ~UpdateFigures();
    UpdateFigures(const UpdateFigures&) = delete;
    UpdateFigures& operator=(const UpdateFigures&) = delete;

    // results: the plan's, on the device. Behind the update of n samples by these scalars.
    void queue(const void* results, std::int64_t n, const ops::StepScalars& scalars);
    // Of the last update that was queued. Throws Error where the device has failed, naming it.
    UpdateResult wait() const;
    // The window's sums now.
    BatchResult copy_window(const void* results) const;

private:
    BatchResult window() const;

    device::Device& device_;
    std::size_t count_, window_, norm_;  // float64 numbers; where the window's are, and the norm
    bool has_norm_;
    double* numbers_ = nullptr;
    std::unique_ptr<device::Event> came_;  // null where copies are done at once
    std::int64_t n_ = 0, update_ = 0;
    double scale_ = 1.0;
};

}  // namespace strata::graph
