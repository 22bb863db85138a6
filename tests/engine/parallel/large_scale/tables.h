// The document's tables, each as Markdown.
#pragma once

#include <string>
#include <vector>

#include "tests/engine/parallel/large_scale/cluster.h"

namespace strata::parallel::large_scale {

struct Table {
    std::string name;
    std::string text;  // rows that end with line breaks
};

// With the share of the peak that the first published row gives.
Cluster calibrated_cluster();

std::vector<Table> published_tables();
std::vector<Table> scale_tables();

// printf into a string.
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace strata::parallel::large_scale
