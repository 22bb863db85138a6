// Metrics: one description each. A metric is a sum over samples divided by their number.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/layers/spec.h"
#include "engine/ops/op.h"

namespace strata::metrics {

struct MetricDescription {
    std::string name;  // "accuracy"
    std::string doc;
    bool higher_is_better = true;
    // The op for a model's output and loss, as Keras resolves "accuracy". on_logits: the op will
    // read what goes into the fused softmax or sigmoid. Throws Error{invalid_argument} where it has
    // no meaning for that loss.
    std::function<ops::Attributes(const std::string& loss, const Shape& output, bool on_logits)> op;
};

const std::vector<const MetricDescription*>& catalogue();
const MetricDescription& find_metric(
    std::string_view name);  // "accuracy", "acc", "sparse_categorical_accuracy", ...

}  // namespace strata::metrics
