#include "engine/parallel/communicator.h"

#include <algorithm>

namespace strata::parallel {

Share share_of(std::size_t elements, int rank, int size) {
    constexpr std::size_t multiple = 16;
    const auto ranks = static_cast<std::size_t>(size);
    const std::size_t each = ((elements + ranks - 1) / ranks + multiple - 1) / multiple * multiple;
    const std::size_t begin = std::min(elements, each * static_cast<std::size_t>(rank));
    return {begin, std::min(elements, begin + each)};
}

}  // namespace strata::parallel
