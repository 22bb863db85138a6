#include "engine/parallel/vector_sum.h"

#include <algorithm>
#include <array>

namespace strata::parallel {
namespace {

constexpr std::size_t block = 4096;          // elements: stays in the first cache
constexpr std::size_t least_share = 262144;  // elements for which a further thread is worth it

void add(const float* a, const float* b, float* to, std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) to[i] = a[i] + b[i];
}

void sum_block(const std::vector<const float*>& sources, const std::vector<float*>& targets,
               std::size_t begin, std::size_t count) {
    std::array<float, block> sum;
    if (sources.size() == 1) {
        std::copy_n(sources[0] + begin, count, sum.data());
    } else {
        add(sources[0] + begin, sources[1] + begin, sum.data(), count);
        for (std::size_t s = 2; s < sources.size(); ++s)
            add(sum.data(), sources[s] + begin, sum.data(), count);
    }
    for (float* target : targets) std::copy_n(sum.data(), count, target + begin);
}

}  // namespace

void sum_vectors(const std::vector<const float*>& sources, const std::vector<float*>& targets,
                 std::size_t count, int threads) {
    const auto blocks = static_cast<std::ptrdiff_t>((count + block - 1) / block);
    const int useful = static_cast<int>(std::min<std::size_t>(
        static_cast<std::size_t>(std::max(threads, 1)), 1 + count / least_share));
#pragma omp parallel for num_threads(useful) schedule(static) if (useful > 1)
    for (std::ptrdiff_t i = 0; i < blocks; ++i) {
        const std::size_t begin = static_cast<std::size_t>(i) * block;
        sum_block(sources, targets, begin, std::min(block, count - begin));
    }
}

}  // namespace strata::parallel
