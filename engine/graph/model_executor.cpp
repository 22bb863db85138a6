#include "engine/graph/model_executor.h"

#include <algorithm>
#include <utility>

namespace strata::graph {

BatchResult ModelExecutor::train_step(const void* inputs, const void* targets, std::int64_t n,
                                      const ops::StepScalars& scalars) {
    ops::StepScalars whole = scalars;
    whole.last_in_window = true;
    accumulate(inputs, targets, n, whole);
    UpdateResult updated = update(n, scalars);
    return {updated.loss_sum, std::move(updated.metric_sums), updated.gradient_norm,
            updated.applied};
}

UpdateResult ModelExecutor::update(std::int64_t n, const ops::StepScalars& scalars) {
    begin_update(n, scalars);
    return finish_update();
}

void ModelExecutor::begin_evaluate(const void* inputs, const void* targets, std::int64_t n) {
    BatchResult& place = evaluated_[evaluations_.next()];
    place = evaluate(inputs, targets, n);
    evaluations_.begin();
}

const BatchResult& ModelExecutor::finish_evaluate() {
    return evaluated_[evaluations_.finish()];
}

void ModelExecutor::swap_average() {
    const std::vector<HostTensor> state = snapshot(true);
    std::vector<HostTensor> swapped;
    for (const HostTensor& tensor : state) {
        if (tensor.slot != average_slot) continue;
        HostTensor weight = tensor;
        weight.slot.clear();
        swapped.push_back(std::move(weight));
        const auto trained = std::find_if(state.begin(), state.end(), [&](const HostTensor& other) {
            return other.slot.empty() && other.layer == tensor.layer && other.role == tensor.role;
        });
        HostTensor average = *trained;
        average.slot = average_slot;
        swapped.push_back(std::move(average));
    }
    restore(swapped, false);
}

}  // namespace strata::graph
