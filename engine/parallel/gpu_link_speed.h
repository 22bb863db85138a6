// How fast bytes go between devices with queues of their own: GPUs. Used by link_speed.
#pragma once

#include <string>
#include <vector>

#include "engine/parallel/link_speed.h"

namespace strata::parallel {

// Of at least two devices of one kind that has groups: copies from the first to the second, sums
// over all of them, in the devices' own time; `order` is the host's for so many threads. Where no
// group can be joined, sums go at the speed of copies. Throws Error: a device cannot be opened.
LinkSpeed measure_gpu_links(const std::vector<std::string>& devices);

}  // namespace strata::parallel
