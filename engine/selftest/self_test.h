// Proves a device: all that the catalogues offer gives on it what it gives on the CPU, a training
// learns, memory is what was planned and is given back, copies arrive, and how fast it all is
// beside the device's own limits. `strata devices --self-test`.
#pragma once

#include <string>
#include <vector>

#include "engine/selftest/report.h"

namespace strata::selftest {

struct Options {
    std::vector<std::string> devices;  // "cuda:0"; of several also what they do together
    std::vector<std::string> groups;   // of group_names(); empty: all
};

// "layers", "losses", "optimizers", "training", "memory", "copies", "speed", "together".
const std::vector<std::string>& group_names();

// Throws Error{not_found, invalid_argument} where a device cannot be opened or a group is unknown;
// what goes wrong later is a line that failed.
void self_test(const Options& options, const Tell& tell);

}  // namespace strata::selftest
