#include "engine/graph/evaluation_figures.h"

#include "engine/core/error.h"

namespace strata::graph {

EvaluationFigures::EvaluationFigures(device::Device& device, std::size_t metrics)
    : device_(device), count_(metrics + 1) {
    for (Slot& slot : slots_) {
        slot.came = device.make_event();
        slot.result.metric_sums.resize(metrics);
    }
    numbers_ = static_cast<double*>(device.allocate_host(slots_.size() * count_ * sizeof(double)));
    for (std::size_t i = 0; i < slots_.size(); ++i) slots_[i].numbers = numbers_ + i * count_;
}

// A copy that is still on its way must not find the memory gone.
EvaluationFigures::~EvaluationFigures() {
    while (turns_.under_way() > 0) try {
            wait();
        } catch (const Error&) {
            continue;
        }
    device_.release_host(numbers_);
}

void EvaluationFigures::queue(const void* results) {
    Slot& slot = slots_[turns_.next()];
    device_.queue_copy_out(slot.numbers, results, count_ * sizeof(double));
    device_.record(slot.came.get());
    turns_.begin();
}

const BatchResult& EvaluationFigures::wait() {
    Slot& slot = slots_[turns_.finish()];
    if (slot.came) slot.came->wait();
    slot.result.loss_sum = slot.numbers[0];
    slot.result.metric_sums.assign(slot.numbers + 1, slot.numbers + count_);
    return slot.result;
}

}  // namespace strata::graph
