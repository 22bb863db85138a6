// Splits a range over a device's threads. The cut depends on (count, threads) alone, so that a sum
// combined in the order of the parts is the same in every run.
#pragma once

#include <algorithm>
#include <cstdint>

namespace strata::cpu {

// Below this many bytes touched or flops/4 a thread, starting another one costs more than it saves
// (measured: a fork and join of spinning threads takes about 1 us).
inline constexpr std::int64_t parallel_grain = 32768;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

// How many parts: at most `threads`, each with at least `grain` of the `work`.
constexpr int parts_of(std::int64_t work, std::int64_t grain, int threads) {
    return static_cast<int>(
        std::clamp<std::int64_t>(work / std::max<std::int64_t>(grain, 1), 1, threads));
}

// body(part) for part = 0 .. parts - 1, one thread each. body must not throw.
template <typename Body>
void for_parts(int parts, const Body& body) {
    if (parts == 1) {
        body(0);
        return;
    }
#pragma omp parallel for num_threads(parts) schedule(static, 1)
    for (int part = 0; part < parts; ++part) body(part);
}

// body(begin, end) over [0, count) in near equal runs, each a multiple of `multiple` but the last.
// cost: work of one element, in the unit of parallel_grain.
template <typename Body>
void for_range(int threads, std::int64_t count, std::int64_t cost, std::int64_t multiple,
               const Body& body) {
    const std::int64_t blocks = divide_up(count, multiple);
    const int parts = static_cast<int>(std::min<std::int64_t>(
        parts_of(count * cost, parallel_grain, threads), std::max<std::int64_t>(blocks, 1)));
    for_parts(parts, [&](int part) {
        const std::int64_t begin = blocks * part / parts * multiple;
        const std::int64_t end = std::min(blocks * (part + 1) / parts * multiple, count);
        if (begin < end) body(begin, end);
    });
}

}  // namespace strata::cpu
