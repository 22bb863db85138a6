#include "engine/graph/update_figures.h"

#include <cmath>
#include <string>
#include <utility>

#include "engine/core/error.h"

namespace strata::graph {

UpdateFigures::UpdateFigures(device::Device& device, const Plan& update)
    : device_(device),
      count_(update.program[update.results].bytes() / sizeof(double)),
      window_(update.window),
      norm_(update.window == 0 ? count_ - 1 : update.window - 1),
      has_norm_(update.gradient_norm != ops::no_value),
      numbers_(static_cast<double*>(device.allocate_host(count_ * sizeof(double)))),
      came_(device.make_event()) {}

UpdateFigures::~UpdateFigures() {
    device_.release_host(numbers_);
}

void UpdateFigures::queue(const void* results, std::int64_t n, const ops::StepScalars& scalars) {
    device_.queue_copy_out(numbers_, results, count_ * sizeof(double));
    device_.record(came_.get());
    n_ = n;
    update_ = scalars.update;
    scale_ = scalars.gradient_scale;
}

UpdateResult UpdateFigures::wait() const try {
    if (came_) came_->wait();
    UpdateResult result;
    BatchResult sums = window();
    result.samples = n_;
    result.loss_sum = sums.loss_sum;
    result.metric_sums = std::move(sums.metric_sums);
    result.applied = std::isfinite(has_norm_ ? numbers_[norm_] : sums.loss_sum);
    if (has_norm_) result.gradient_norm = std::sqrt(numbers_[norm_]) * scale_;
    return result;
} catch (const Error& error) {
    throw Error(error.code(), "In update " + std::to_string(update_) + ": " + error.message(),
                error.where(), error.hint());
}

BatchResult UpdateFigures::copy_window(const void* results) const {
    device_.copy_out(numbers_, results, count_ * sizeof(double));
    return window();
}

BatchResult UpdateFigures::window() const {
    const std::size_t metrics = (window_ == 0 ? norm_ : count_ - window_) - 1;
    const double* sums = numbers_ + window_;
    return {sums[0], {sums + 1, sums + 1 + metrics}};
}

}  // namespace strata::graph
