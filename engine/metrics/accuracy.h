// Accuracy in its three kinds, and "accuracy", which chooses one as Keras does.
#pragma once

#include "engine/metrics/metric.h"

namespace strata::metrics {

const MetricDescription& accuracy();
const MetricDescription& sparse_categorical_accuracy();
const MetricDescription& categorical_accuracy();
const MetricDescription& binary_accuracy();

}  // namespace strata::metrics
