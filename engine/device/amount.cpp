#include "engine/device/amount.h"

namespace strata::device {

std::string amount_text(std::size_t bytes) {
    constexpr std::size_t mebibyte = std::size_t{1} << 20, few = 16 * mebibyte;
    if (bytes < few && (bytes % mebibyte != 0 || bytes == 0))
        return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    return std::to_string((bytes + mebibyte - 1) / mebibyte) + " MiB";
}

}  // namespace strata::device
