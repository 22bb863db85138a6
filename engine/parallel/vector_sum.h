// Sums and copies of arrays that lie in the memory of several CPU devices, as fast as that memory.
#pragma once

#include <cstddef>
#include <vector>

namespace strata::parallel {

// Element by element: the sum of the sources, in their order, into each of the targets, which may
// be among the sources. By so many threads.
void sum_vectors(const std::vector<const float*>& sources, const std::vector<float*>& targets,
                 std::size_t count, int threads);

}  // namespace strata::parallel
