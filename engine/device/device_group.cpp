#include "engine/device/device_group.h"

namespace strata::device {

Error others_did_not_come(const std::string& device, std::chrono::milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    return {ErrorCode::interrupted,
            "the other GPUs did not come to the exchange within " + std::to_string(seconds) + " s",
            device, "--resume goes on from the last checkpoint"};
}

}  // namespace strata::device
