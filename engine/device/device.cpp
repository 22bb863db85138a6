#include "engine/device/device.h"

#include <cstdlib>

#include "engine/core/error.h"
#include "engine/device/arena.h"

namespace strata::device {

void* Device::allocate_host(std::size_t bytes) {
    void* memory = std::aligned_alloc(alignment, std::max(aligned(bytes), alignment));
    if (memory == nullptr)
        throw Error(ErrorCode::out_of_memory, "the system refused memory for copies", info().id,
                    "Close other programs, or use a smaller batch");
    return memory;
}

void Device::release_host(void* memory) noexcept {
    std::free(memory);
}

}  // namespace strata::device
