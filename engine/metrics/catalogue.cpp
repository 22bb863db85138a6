// All metrics that there are, in menu order.
#include "engine/layers/names.h"
#include "engine/metrics/accuracy.h"

namespace strata::metrics {

const std::vector<const MetricDescription*>& catalogue() {
    static const std::vector<const MetricDescription*> all{
        &accuracy(), &sparse_categorical_accuracy(), &categorical_accuracy(), &binary_accuracy()};
    return all;
}

const MetricDescription& find_metric(std::string_view name) {
    if (name == "acc") return accuracy();
    std::vector<std::string> names;
    for (const MetricDescription* metric : catalogue()) {
        if (name == metric->name) return *metric;
        names.push_back(metric->name);
    }
    layers::refuse_unknown_name("metric", name, "metrics", names);
}

}  // namespace strata::metrics
