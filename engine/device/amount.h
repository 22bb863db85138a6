// Bytes in words, for messages on memory that is lacking.
#pragma once

#include <cstddef>
#include <string>

namespace strata::device {

// "4100 bytes", "50 MiB": to the byte where a MiB would hide what is lacking.
std::string amount_text(std::size_t bytes);

}  // namespace strata::device
