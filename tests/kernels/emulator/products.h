// The matrix products of a block's warps, in the middle of which other blocks may run. Internal to
// the emulator.
#pragma once

#include <array>

#include "include/mma.h"

namespace cuda_emulator {

struct WarpProducts {
    static constexpr int lanes = 32;
    struct Meeting {
        std::array<LanesProduct, lanes> parts;
        int arrived = 0;
    };
    std::array<Meeting, 32> meetings;

    void begin() {
        for (Meeting& meeting : meetings) meeting.arrived = 0;
    }
};

// Of the block that runs now. In grid.cpp.
WarpProducts& running_products();

}  // namespace cuda_emulator
