// The matrix product of a warp: what the lanes bring is multiplied when the last of them has come.
#include <array>
#include <string>

#include "products.h"
#include "watch.h"

namespace cuda_emulator {
namespace {

constexpr int lanes = WarpProducts::lanes;
constexpr int side = 16;

// Elements `first` and on, every 32nd, belong to a lane.
void multiply(const std::array<LanesProduct, lanes>& parts) {
    constexpr int most_depth = 16;
    const int depth = parts[0].depth;
    float a[side * most_depth];
    float b[most_depth * side];
    for (int e = 0; e < side * depth; ++e) {
        a[e] = parts[static_cast<std::size_t>(e % lanes)].a[e / lanes];
        b[e] = parts[static_cast<std::size_t>(e % lanes)].b[e / lanes];
    }
    for (int e = 0; e < side * side; ++e) {
        const LanesProduct& part = parts[static_cast<std::size_t>(e % lanes)];
        float sum = part.c[e / lanes];
        for (int k = 0; k < depth; ++k) sum += a[e / side * depth + k] * b[k * side + e % side];
        part.d[e / lanes] = sum;
    }
}

}  // namespace

void warp_product(const LanesProduct& own, const std::source_location& where) {
    WarpProducts::Meeting& meeting = running_products().meetings[thread_in_block() / lanes];
    meeting.parts[static_cast<std::size_t>(lane())] = own;
    if (++meeting.arrived == lanes) {
        meeting.arrived = 0;
        multiply(meeting.parts);
    }
    warp_exchange(WarpOp::sync, 0xFFFFFFFFU, 0, lane(), where);
}

void check_fragment_lines(const void* pointer, std::size_t line_bytes) {
    if (reinterpret_cast<std::uintptr_t>(pointer) % 32 == 0 && line_bytes % 16 == 0) return;
    fail_here("a fragment's matrix must lie on 32 bytes, with lines of a multiple of 16, not of " +
              std::to_string(line_bytes));
}

}  // namespace cuda_emulator
